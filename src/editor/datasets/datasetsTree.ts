import {
  Disposable,
  EventEmitter,
  l10n,
  ThemeColor,
  ThemeIcon,
  type TreeDataProvider,
  TreeItem,
  TreeItemCollapsibleState,
} from 'vscode';
import { type Contract, DEFAULT_CONTRACT } from '../../service/contract/contract';
import type { Dataset, DatasetFault } from '../../service/contract/dataset';
import type { FieldName } from '../../service/response/usualNames';
import { commandTitle } from '../platform/commandTitle';
import { formatField, formatPlace } from '../platform/formatField';
import { formatList } from '../platform/formatLists';
import { formatCount } from '../platform/formatNumbers';
import { visibleItem } from '../platform/outsideText';
import { commandAction, UserError } from '../platform/userError';
import type { AccessKeys } from './accessKeys';
import { baseUrlText } from './addDataset';
import type { Datasets } from './datasets';
import type { DatasetNode } from './findDataset';
import { formatDatasetFault } from './formatFaults';
import type { Webhooks } from './webhooks';

/** A row below a dataset. */
interface DetailNode extends DatasetNode {
  readonly item: TreeItem;
}

export type DatasetsRow = DatasetNode | DetailNode | { readonly fault: DatasetFault };

/** The dataset on whose row files were dropped, if any. @throws UserError if the entry is invalid */
export function dropTarget(row: DatasetsRow | undefined): DatasetNode | undefined {
  if (row === undefined || 'dataset' in row) return row;
  // The user dropped files on an invalid dataset, so don't import them to the default dataset instead.
  const message = l10n.t('Nothing was imported. {0}', formatDatasetFault(row.fault));
  throw new UserError(message, [commandAction('openDatasetSettings')]);
}

/**
 * Shows the datasets and the setting's invalid entries. Redraws rows only if they look different, because VS Code
 * doesn't pass a row to a command while it redraws that row.
 */
export class DatasetsTree implements TreeDataProvider<DatasetsRow>, Disposable {
  readonly #datasets: Datasets;
  readonly #keys: AccessKeys;
  readonly #webhooks: Webhooks;
  /** How all rows looked when they were last drawn. Undefined until VS Code requests the rows. */
  #drawn: string | undefined;
  readonly #changed = new EventEmitter<undefined>();
  readonly #subscription: Disposable;
  readonly onDidChangeTreeData = this.#changed.event;

  constructor(datasets: Datasets, keys: AccessKeys, webhooks: Webhooks) {
    this.#datasets = datasets;
    this.#keys = keys;
    this.#webhooks = webhooks;
    const redraw = () => void this.#redraw();
    this.#subscription = Disposable.from(datasets.onDidChange(redraw), webhooks.onDidChange(redraw));
  }

  async getChildren(node?: DatasetsRow): Promise<DatasetsRow[]> {
    if (node !== undefined) return 'item' in node || 'fault' in node ? [] : this.#details(node.dataset);
    this.#drawn ??= '';
    const faults = this.#datasets.faults.map((fault) => ({ fault }));
    return [...this.#datasets.all.map((dataset) => ({ dataset })), ...faults];
  }

  async getTreeItem(node: DatasetsRow): Promise<TreeItem> {
    if ('item' in node) return visibleItem(node.item);
    return visibleItem('fault' in node ? faultItem(node.fault) : await this.#datasetItem(node.dataset));
  }

  dispose(): void {
    this.#subscription.dispose();
    this.#changed.dispose();
  }

  async #redraw(): Promise<void> {
    if (this.#drawn === undefined) return;
    const rows = await this.getChildren();
    const looks = rows.map(async (row) => [row, await this.getTreeItem(row), await this.getChildren(row)]);
    const look = JSON.stringify(await Promise.all(looks));
    if (look === this.#drawn) return;
    this.#drawn = look;
    this.#changed.fire(undefined);
  }

  async #datasetItem(dataset: Dataset): Promise<TreeItem> {
    const hasKey = await this.#hasKey(dataset);
    const isSandbox = this.#datasets.isSandbox(dataset);
    const item = new TreeItem(dataset.name, TreeItemCollapsibleState.Collapsed);
    item.id = `dataset:${dataset.name}`;
    item.description = [
      ...(dataset === this.#datasets.default ? [l10n.t('default')] : []),
      ...(hasKey ? [] : [l10n.t('no access key')]),
      ...(dataset.name === dataset.baseUrl.host ? [] : [dataset.baseUrl.host]),
    ].join(' · ');
    item.iconPath = new ThemeIcon(isSandbox ? 'beaker' : 'database');
    item.contextValue = isSandbox ? 'sandbox' : 'dataset';
    return item;
  }

  async #details(dataset: Dataset): Promise<DatasetsRow[]> {
    const { url = l10n.t('not set'), isVerified = true } = this.#webhooks.of(dataset) ?? {};
    const keyState = (await this.#hasKey(dataset)) ? l10n.t('set') : l10n.t('not set');
    const isSandbox = this.#datasets.isSandbox(dataset);
    const setKey = isSandbox ? undefined : 'setAccessKey';
    const editSettings = isSandbox ? undefined : 'openDatasetSettings';
    const webhook = isVerified ? url : l10n.t('not verified: {0}', url);
    return [
      detail(dataset, l10n.t('Base URL'), baseUrlText(dataset.baseUrl), 'link', editSettings),
      detail(dataset, l10n.t('Access Key'), keyState, 'key', setKey),
      detail(dataset, l10n.t('Request'), formatRequest(dataset), 'arrow-up', 'editRequest'),
      detail(dataset, l10n.t('Responses'), formatResponses(dataset), 'arrow-down', 'mapResponses'),
      detail(dataset, l10n.t('Webhook'), webhook, isVerified ? 'broadcast' : 'warning', 'setWebhook'),
    ];
  }

  async #hasKey(dataset: Dataset): Promise<boolean> {
    return (await this.#keys.get(dataset)) !== undefined;
  }
}

function detail(dataset: Dataset, label: string, description: string, icon: string, command?: string): DatasetsRow {
  const item = new TreeItem(label);
  item.description = description;
  item.tooltip = `${label}: ${description}`;
  item.iconPath = new ThemeIcon(icon);
  if (command !== undefined) {
    item.command = { command: `datasetImport.${command}`, title: label, arguments: [{ dataset }] };
  }
  return { dataset, item };
}

function formatRequest({ contract }: Dataset): string {
  const parts = editedParts(contract);
  return parts.length === 0 ? l10n.t('default') : l10n.t('edited: {0}', formatList(parts));
}

/** The parts of a request that the user has changed from the default. */
function editedParts({ paths, headers, fileTask, queryTask, codes }: Contract): string[] {
  const initial = DEFAULT_CONTRACT;
  const parts = [
    [l10n.t('form fields'), fileTask.fields, initial.fileTask.fields],
    [l10n.t('headers'), headers, initial.headers],
    [l10n.t('file part name'), fileTask.filePart, initial.fileTask.filePart],
    [l10n.t('media type'), fileTask.mediaType, initial.fileTask.mediaType],
    [l10n.t('file name encoding'), fileTask.fileNameEncoding, initial.fileTask.fileNameEncoding],
    [l10n.t('status check body'), queryTask.body, initial.queryTask.body],
    [l10n.t('paths'), paths, initial.paths],
    [l10n.t('codes'), codes, initial.codes],
  ] as const;
  return parts.flatMap(([name, now, before]) => (JSON.stringify(now) === JSON.stringify(before) ? [] : [name]));
}

function formatResponses({ contract: { fileTask, queryTask } }: Dataset): string {
  const { status, progress, message } = queryTask;
  const pointers = Object.entries({ taskId: fileTask.taskId, status, progress, message });
  const mapped = pointers.flatMap(([field, pointer]) =>
    pointer === undefined ? [] : [`${formatField(field as FieldName)} ${formatPlace(pointer)}`],
  );
  const statuses = Object.keys(queryTask.statusMeanings).length;
  if (statuses === 1) mapped.push(l10n.t('1 status mapped'));
  if (statuses > 1) mapped.push(l10n.t('{0} statuses mapped', formatCount(statuses)));
  if (queryTask.state !== undefined) mapped.push(l10n.t('state by an expression'));
  return mapped.length === 0 ? l10n.t('recognized automatically') : formatList(mapped);
}

function faultItem(fault: DatasetFault): TreeItem {
  const item = new TreeItem(fault.dataset || l10n.t('Datasets'));
  item.description = l10n.t('cannot be used');
  item.tooltip = formatDatasetFault(fault);
  item.iconPath = new ThemeIcon('warning', new ThemeColor('problemsWarningIcon.foreground'));
  item.command = { command: 'datasetImport.openDatasetSettings', title: commandTitle('openDatasetSettings') };
  return item;
}
