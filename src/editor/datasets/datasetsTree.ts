import * as vscode from 'vscode';
import { type Contract, DEFAULT_CONTRACT } from '../../service/contract/contract';
import type { Dataset, DatasetFault } from '../../service/contract/dataset';
import type { FieldName } from '../../service/response/usualNames';
import { commandTitle } from '../platform/commandTitle';
import { formatField, formatPlace } from '../platform/formatField';
import { formatList } from '../platform/formatLists';
import { formatCount } from '../platform/formatNumbers';
import { visibleItem } from '../platform/outsideText';
import { Redraws } from '../platform/redraws';
import { openDatasetsSetting } from '../platform/settings';
import { UserError } from '../platform/userError';
import type { AccessKeys } from './accessKeys';
import { baseUrlText } from './addDataset';
import type { Datasets } from './datasets';
import type { DatasetNode } from './findDataset';
import { formatDatasetFault } from './formatFaults';
import type { Webhooks } from './webhooks';

/** A row below that of a dataset. */
interface DetailNode extends DatasetNode {
  readonly item: vscode.TreeItem;
}

export type DatasetsRow = DatasetNode | DetailNode | { readonly fault: DatasetFault };

/** The dataset of a row on which files are dropped, if any. @throws UserError where the entry has a fault */
export function dropTarget(row: DatasetsRow | undefined): DatasetNode | undefined {
  if (row === undefined || 'dataset' in row) return row;
  // Whoever dropped the files there does not mean the default dataset.
  const message = vscode.l10n.t('Nothing was imported. {0}', formatDatasetFault(row.fault));
  throw new UserError(message, [{ label: commandTitle('openDatasetSettings'), run: openDatasetsSetting }]);
}

/**
 * Maps the datasets, and the faults of the setting, to rows. Redraws them only where something is different, as VS Code
 * does not know the rows that it redraws, and passes none of them to a command.
 */
export class DatasetsTree implements vscode.TreeDataProvider<DatasetsRow>, vscode.Disposable {
  readonly #datasets: Datasets;
  readonly #keys: AccessKeys;
  readonly #webhooks: Webhooks;
  /** What all rows showed and stood for when they were redrawn last; undefined before VS Code has asked for them. */
  #drawn: string | undefined;
  /** Whether each dataset has a key, by name: read before a redraw, since a command that comes during one lacks its row. */
  #hasKeys: ReadonlyMap<string, boolean> = new Map();
  readonly #redraws = new Redraws<DatasetsRow>(undefined, () => this.#changedRows());
  readonly #subscriptions: vscode.Disposable[];
  readonly onDidChangeTreeData = this.#redraws.event;

  constructor(datasets: Datasets, keys: AccessKeys, webhooks: Webhooks) {
    this.#datasets = datasets;
    this.#keys = keys;
    this.#webhooks = webhooks;
    const redraw = () => this.#redraws.all();
    this.#subscriptions = [datasets.onDidChange(redraw), webhooks.onDidChange(redraw)];
  }

  async getChildren(node?: DatasetsRow): Promise<DatasetsRow[]> {
    if (node !== undefined) return 'item' in node || 'fault' in node ? [] : this.#details(node.dataset);
    this.#drawn ??= '';
    return this.#rows();
  }

  async getTreeItem(node: DatasetsRow): Promise<vscode.TreeItem> {
    if ('item' in node) return visibleItem(node.item);
    return visibleItem('fault' in node ? faultItem(node.fault) : await this.#datasetItem(node.dataset));
  }

  dispose(): void {
    vscode.Disposable.from(...this.#subscriptions, this.#redraws).dispose();
  }

  #rows(): DatasetsRow[] {
    const faults = this.#datasets.faults.map((fault) => ({ fault }));
    return [...this.#datasets.all.map((dataset) => ({ dataset })), ...faults];
  }

  /** None, or all. */
  async #changedRows(): Promise<[] | undefined> {
    if (this.#drawn === undefined) return [];
    const look = await this.#look();
    if (look === this.#drawn) return [];
    this.#drawn = look;
    return undefined;
  }

  async #look(): Promise<string> {
    const reads = this.#datasets.all.map(async (dataset) => [dataset.name, await this.#readHasKey(dataset)] as const);
    this.#hasKeys = new Map(await Promise.all(reads));
    const looks = this.#rows().map(async (row) => [row, await this.getTreeItem(row), await this.getChildren(row)]);
    return JSON.stringify(await Promise.all(looks));
  }

  async #datasetItem(dataset: Dataset): Promise<vscode.TreeItem> {
    const hasKey = await this.#hasKey(dataset);
    const isSandbox = this.#datasets.isSandbox(dataset);
    const item = new vscode.TreeItem(dataset.name, vscode.TreeItemCollapsibleState.Collapsed);
    item.id = `dataset:${dataset.name}`;
    item.description = [
      ...(dataset === this.#datasets.default ? [vscode.l10n.t('default')] : []),
      ...(hasKey ? [] : [vscode.l10n.t('no access key')]),
      ...(dataset.name === dataset.baseUrl.host ? [] : [dataset.baseUrl.host]),
    ].join(' · ');
    item.iconPath = new vscode.ThemeIcon(isSandbox ? 'beaker' : 'database');
    item.contextValue = isSandbox ? 'sandbox' : 'dataset';
    return item;
  }

  async #details(dataset: Dataset): Promise<DatasetsRow[]> {
    const { url = vscode.l10n.t('not set'), isVerified = true } = this.#webhooks.of(dataset) ?? {};
    const keyState = (await this.#hasKey(dataset)) ? vscode.l10n.t('set') : vscode.l10n.t('not set');
    const isSandbox = this.#datasets.isSandbox(dataset);
    const setKey = isSandbox ? undefined : 'setAccessKey';
    const editSettings = isSandbox ? undefined : 'openDatasetSettings';
    const webhook = isVerified ? url : vscode.l10n.t('not verified: {0}', url);
    return [
      detail(dataset, vscode.l10n.t('Base URL'), baseUrlText(dataset.baseUrl), 'link', editSettings),
      detail(dataset, vscode.l10n.t('Access Key'), keyState, 'key', setKey),
      detail(dataset, vscode.l10n.t('Request'), formatRequest(dataset), 'arrow-up', 'editRequest'),
      detail(dataset, vscode.l10n.t('Responses'), formatResponses(dataset), 'arrow-down', 'mapResponses'),
      detail(dataset, vscode.l10n.t('Webhook'), webhook, isVerified ? 'broadcast' : 'warning', 'setWebhook'),
    ];
  }

  async #hasKey(dataset: Dataset): Promise<boolean> {
    return this.#hasKeys.get(dataset.name) ?? (await this.#readHasKey(dataset));
  }

  async #readHasKey(dataset: Dataset): Promise<boolean> {
    return (await this.#keys.get(dataset)) !== undefined;
  }
}

function detail(dataset: Dataset, label: string, description: string, icon: string, command?: string): DatasetsRow {
  const item = new vscode.TreeItem(label);
  item.description = description;
  item.tooltip = `${label}: ${description}`;
  item.iconPath = new vscode.ThemeIcon(icon);
  if (command !== undefined) {
    item.command = { command: `datasetImport.${command}`, title: label, arguments: [{ dataset }] };
  }
  return { dataset, item };
}

function formatRequest({ contract }: Dataset): string {
  const parts = editedParts(contract);
  return parts.length === 0 ? vscode.l10n.t('default') : vscode.l10n.t('edited: {0}', formatList(parts));
}

/** The parts of a request that are not the default. */
function editedParts({ paths, headers, fileTask, queryTask, codes }: Contract): string[] {
  const initial = DEFAULT_CONTRACT;
  const parts = [
    [vscode.l10n.t('form fields'), fileTask.fields, initial.fileTask.fields],
    [vscode.l10n.t('headers'), headers, initial.headers],
    [vscode.l10n.t('file part name'), fileTask.filePart, initial.fileTask.filePart],
    [vscode.l10n.t('media type'), fileTask.mediaType, initial.fileTask.mediaType],
    [vscode.l10n.t('file name encoding'), fileTask.fileNameEncoding, initial.fileTask.fileNameEncoding],
    [vscode.l10n.t('status check body'), queryTask.body, initial.queryTask.body],
    [vscode.l10n.t('paths'), paths, initial.paths],
    [vscode.l10n.t('codes'), codes, initial.codes],
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
  if (statuses === 1) mapped.push(vscode.l10n.t('1 status mapped'));
  if (statuses > 1) mapped.push(vscode.l10n.t('{0} statuses mapped', formatCount(statuses)));
  if (queryTask.state !== undefined) mapped.push(vscode.l10n.t('state by an expression'));
  return mapped.length === 0 ? vscode.l10n.t('recognized automatically') : formatList(mapped);
}

function faultItem(fault: DatasetFault): vscode.TreeItem {
  const item = new vscode.TreeItem(fault.dataset || vscode.l10n.t('Datasets'));
  item.description = vscode.l10n.t('cannot be used');
  item.tooltip = formatDatasetFault(fault);
  item.iconPath = new vscode.ThemeIcon('warning', new vscode.ThemeColor('problemsWarningIcon.foreground'));
  item.command = { command: 'datasetImport.openDatasetSettings', title: commandTitle('openDatasetSettings') };
  return item;
}
