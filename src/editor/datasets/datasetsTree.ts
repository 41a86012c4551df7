import { isDeepStrictEqual } from 'node:util';
import * as vscode from 'vscode';
import { type Contract, DEFAULT_CONTRACT } from '../../service/contract/contract';
import type { Dataset, DatasetFault } from '../../service/contract/dataset';
import { commandAction, commandTitle } from '../platform/actions';
import { setContextKey } from '../platform/contextKeys';
import type { Messages } from '../platform/messages';
import { visibleItem } from '../platform/outsideText';
import type { AccessKeys } from './accessKeys';
import { baseUrlText, type Datasets } from './datasets';
import type { DatasetNode } from './findDataset';
import { faultError, formatDatasetFault } from './formatFaults';

/** A dataset, a row below it, or a dataset whose settings are invalid. */
export type DatasetsRow =
  | DatasetNode
  | (DatasetNode & { readonly item: vscode.TreeItem })
  | { readonly fault: DatasetFault };

/** The dataset that files were dropped on. @throws UserError if the entry is invalid */
export function dropTarget(row: DatasetsRow): Dataset {
  // Don't import files to the default dataset if the user dropped them on an invalid one.
  if ('fault' in row) throw faultError(row.fault);
  return row.dataset;
}

/** Shows the datasets and the invalid entries in the settings. */
export class DatasetsTree implements vscode.TreeDataProvider<DatasetsRow>, vscode.Disposable {
  readonly #changed = new vscode.EventEmitter<undefined>();
  readonly #subscription: vscode.Disposable;
  readonly onDidChangeTreeData = this.#changed.event;

  constructor(
    private readonly datasets: Datasets,
    private readonly keys: AccessKeys,
  ) {
    this.#subscription = datasets.onDidChange(() => this.#changed.fire(undefined));
  }

  async getChildren(node?: DatasetsRow): Promise<DatasetsRow[]> {
    if (node !== undefined) return 'item' in node || 'fault' in node ? [] : this.#details(node.dataset);
    const faults = this.datasets.faults.map((fault) => ({ fault }));
    return [...this.datasets.all.map((dataset) => ({ dataset })), ...faults];
  }

  async getTreeItem(node: DatasetsRow): Promise<vscode.TreeItem> {
    if ('item' in node) return visibleItem(node.item);
    return visibleItem('fault' in node ? faultItem(node.fault) : await this.#datasetItem(node.dataset));
  }

  dispose(): void {
    this.#subscription.dispose();
    this.#changed.dispose();
  }

  async #datasetItem(dataset: Dataset): Promise<vscode.TreeItem> {
    const hasKey = await this.#hasKey(dataset);
    const isSandbox = this.datasets.isSandbox(dataset);
    const item = new vscode.TreeItem(dataset.name, vscode.TreeItemCollapsibleState.Collapsed);
    item.id = `dataset:${dataset.name}`;
    item.description = [
      ...(dataset === this.datasets.default ? [vscode.l10n.t('default')] : []),
      ...(hasKey ? [] : [vscode.l10n.t('no access key')]),
      ...(dataset.name === dataset.baseUrl.host ? [] : [dataset.baseUrl.host]),
    ].join(' · ');
    item.iconPath = new vscode.ThemeIcon(isSandbox ? 'beaker' : 'database');
    item.contextValue = isSandbox ? 'sandbox' : 'dataset';
    return item;
  }

  async #details(dataset: Dataset): Promise<DatasetsRow[]> {
    const { url = vscode.l10n.t('not set'), isVerified = true } = this.datasets.webhookOf(dataset) ?? {};
    const keyState = (await this.#hasKey(dataset)) ? vscode.l10n.t('set') : vscode.l10n.t('not set');
    const isSandbox = this.datasets.isSandbox(dataset);
    const setKey = isSandbox ? undefined : 'setAccessKey';
    const editSettings = isSandbox ? undefined : 'openDatasetSettings';
    const request = isDefault(dataset.contract, requestParts) ? vscode.l10n.t('default') : vscode.l10n.t('edited');
    const isRecognized = isDefault(dataset.contract, responseParts);
    const responses = isRecognized ? vscode.l10n.t('recognized automatically') : vscode.l10n.t('mapped');
    const webhook = isVerified ? url : vscode.l10n.t('not verified: {0}', url);
    return [
      detail(dataset, vscode.l10n.t('Base URL'), baseUrlText(dataset.baseUrl), 'link', editSettings),
      detail(dataset, vscode.l10n.t('Access Key'), keyState, 'key', setKey),
      detail(dataset, vscode.l10n.t('Request'), request, 'arrow-up', 'editRequest'),
      detail(dataset, vscode.l10n.t('Responses'), responses, 'arrow-down', 'mapResponses'),
      detail(dataset, vscode.l10n.t('Webhook'), webhook, isVerified ? 'broadcast' : 'warning', 'setWebhook'),
    ];
  }

  async #hasKey(dataset: Dataset): Promise<boolean> {
    return (await this.keys.get(dataset)) !== undefined;
  }
}

function detail(dataset: Dataset, label: string, description: string, icon: string, command?: string): DatasetsRow {
  const item = new vscode.TreeItem(label);
  item.description = description;
  item.tooltip = `${label}: ${description}`;
  item.iconPath = new vscode.ThemeIcon(icon);
  if (command !== undefined)
    item.command = { command: `datasetImport.${command}`, title: label, arguments: [{ dataset }] };
  return { dataset, item };
}

/** The parts of a contract that define requests. */
function requestParts({ paths, headers, fileTask, queryTask, codes }: Contract) {
  return [paths, headers, { ...fileTask, taskId: undefined }, queryTask.body, codes];
}

/** The parts of a contract that define where to find values in responses, and what those values mean. */
function responseParts({ fileTask, queryTask }: Contract) {
  return [fileTask.taskId, { ...queryTask, body: undefined }];
}

function isDefault(contract: Contract, parts: (contract: Contract) => unknown): boolean {
  return isDeepStrictEqual(parts(contract), parts(DEFAULT_CONTRACT));
}

function faultItem(fault: DatasetFault): vscode.TreeItem {
  const item = new vscode.TreeItem(fault.dataset || vscode.l10n.t('Datasets'));
  item.description = vscode.l10n.t('cannot be used');
  item.tooltip = formatDatasetFault(fault);
  item.iconPath = new vscode.ThemeIcon('warning', new vscode.ThemeColor('problemsWarningIcon.foreground'));
  item.command = { command: 'datasetImport.openDatasetSettings', title: commandTitle('openDatasetSettings') };
  return item;
}

/** Updates the views' context keys and warns about invalid entries when the datasets change. */
export function followSettings(datasets: Datasets, messages: Messages): vscode.Disposable {
  let lastWarning = '';
  const update = () => {
    void setContextKey('hasDatasets', datasets.all.length > 0);
    void setContextKey('hasNoDatasets', datasets.all.length === 0);
    const [fault] = datasets.faults;
    const warning = fault === undefined ? '' : formatDatasetFault(fault);
    if (warning !== '' && warning !== lastWarning) void messages.warn(warning, commandAction('openDatasetSettings'));
    lastWarning = warning;
  };
  update();
  return datasets.onDidChange(update);
}
