import * as vscode from 'vscode';
import type { Dataset, DatasetFault } from '../service/dataset';
import type { AccessKeys } from './accessKeys';
import type { Datasets } from './datasets';
import type { Webhooks } from './webhooks';
import { datasetFaultWords } from './words';

/** A dataset in the view Datasets. */
export interface DatasetNode {
  readonly dataset: Dataset;
}

type Node = DatasetNode | { readonly fault: DatasetFault } | { readonly item: vscode.TreeItem };

/** Tells a dataset of the view Datasets from whatever else a command may be given. */
export function isDatasetNode(value: unknown): value is DatasetNode {
  return typeof (value as DatasetNode | null)?.dataset?.name === 'string';
}

/** Maps the datasets, and the entries of the setting that cannot be used, to rows. */
export class DatasetsTree implements vscode.TreeDataProvider<Node>, vscode.Disposable {
  readonly #datasets: Datasets;
  readonly #keys: AccessKeys;
  readonly #webhooks: Webhooks;
  readonly #changed = new vscode.EventEmitter<undefined>();
  readonly #subscriptions: vscode.Disposable[];
  readonly onDidChangeTreeData = this.#changed.event;

  constructor(datasets: Datasets, keys: AccessKeys, webhooks: Webhooks) {
    this.#datasets = datasets;
    this.#keys = keys;
    this.#webhooks = webhooks;
    const redraw = () => this.#changed.fire(undefined);
    this.#subscriptions = [datasets.onDidChange(redraw), webhooks.onDidChange(redraw)];
  }

  async getChildren(node?: Node): Promise<Node[]> {
    if (node === undefined) {
      const faults = this.#datasets.faults.map((fault) => ({ fault }));
      return [...this.#datasets.all.map((dataset) => ({ dataset })), ...faults];
    }
    return 'dataset' in node ? this.#details(node.dataset) : [];
  }

  async getTreeItem(node: Node): Promise<vscode.TreeItem> {
    if ('item' in node) return node.item;
    return 'fault' in node ? faultItem(node.fault) : this.#datasetItem(node.dataset);
  }

  dispose(): void {
    vscode.Disposable.from(...this.#subscriptions, this.#changed).dispose();
  }

  async #datasetItem(dataset: Dataset): Promise<vscode.TreeItem> {
    const hasKey = await this.#hasKey(dataset);
    const isSandbox = this.#datasets.isSandbox(dataset);
    const item = new vscode.TreeItem(dataset.name, vscode.TreeItemCollapsibleState.Collapsed);
    item.id = `dataset:${dataset.name}`;
    item.description = [
      ...(dataset === this.#datasets.default ? [vscode.l10n.t('default')] : []),
      ...(hasKey ? [] : [vscode.l10n.t('no Access-Key')]),
      dataset.baseUrl.host,
    ].join(' · ');
    item.iconPath = new vscode.ThemeIcon(isSandbox ? 'beaker' : 'database');
    item.contextValue = isSandbox ? 'sandbox' : 'dataset';
    return item;
  }

  async #details(dataset: Dataset): Promise<Node[]> {
    const webhook = this.#webhooks.last(dataset);
    const keyState = (await this.#hasKey(dataset)) ? vscode.l10n.t('set') : vscode.l10n.t('not set');
    return [
      detail(vscode.l10n.t('Base URL'), dataset.baseUrl.href.replace(/\/$/, ''), 'link'),
      detail(vscode.l10n.t('Access-Key'), keyState, 'key'),
      detail(vscode.l10n.t('Webhook'), webhook ?? vscode.l10n.t('none set from here'), 'broadcast'),
    ];
  }

  async #hasKey(dataset: Dataset): Promise<boolean> {
    return (await this.#keys.get(dataset)) !== undefined;
  }
}

function detail(label: string, description: string, icon: string): Node {
  const item = new vscode.TreeItem(label);
  item.description = description;
  item.tooltip = `${label}: ${description}`;
  item.iconPath = new vscode.ThemeIcon(icon);
  return { item };
}

function faultItem(fault: DatasetFault): vscode.TreeItem {
  const item = new vscode.TreeItem(fault.dataset || vscode.l10n.t('Datasets'));
  item.description = vscode.l10n.t('cannot be used');
  item.tooltip = datasetFaultWords(fault);
  item.iconPath = new vscode.ThemeIcon('warning', new vscode.ThemeColor('list.warningForeground'));
  item.command = { command: 'datasetImport.openDatasetSettings', title: vscode.l10n.t('Open Settings') };
  return item;
}
