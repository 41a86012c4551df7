import * as vscode from 'vscode';
import type { Destination } from '../../tasks/destination';
import { whyNotAsked } from '../../tasks/serving/whyNotAsked';
import type { TaskList } from '../../tasks/store/taskList';
import { formatCount } from '../platform/formatNumbers';
import { listen } from '../platform/listen';
import type { Services } from '../services/services';
import { Delayed } from './delayed';

/** Time between two updates: a large import changes the list many times a second. */
const UPDATE_MS = 500;

/** Shows in the status bar how many tasks are running at their services. */
export class RunningStatus implements vscode.Disposable {
  readonly #list: TaskList;
  readonly #isChecked: (destination: Destination) => boolean;
  readonly #item: vscode.StatusBarItem;
  readonly #subscription: vscode.Disposable;

  /** `onError` gets unexpected errors. */
  constructor(services: Pick<Services, 'list' | 'datasets' | 'keys' | 'sandbox'>, onError: (error: unknown) => void) {
    this.#list = services.list;
    this.#isChecked = (destination) => whyNotAsked(services, destination) === undefined;
    // Right of the progress of imports, which has 3 and 2.
    this.#item = vscode.window.createStatusBarItem('running', vscode.StatusBarAlignment.Left, 1);
    this.#item.name = vscode.l10n.t('Dataset Import: Running Tasks');
    this.#item.command = 'datasetImport.tasks.focus';
    const update = new Delayed(async () => this.#update(), onError);
    const updateSoon = () => update.runIn(UPDATE_MS);
    this.#subscription = vscode.Disposable.from(update, listen(services.list.events, 'change', updateSoon));
    updateSoon();
  }

  dispose(): void {
    vscode.Disposable.from(this.#subscription, this.#item).dispose();
  }

  #update(): void {
    const checked = [...this.#list.destinations.values()].filter(this.#isChecked);
    this.#show(checked.reduce((sum, { running }) => sum + running, 0));
  }

  #show(count: number): void {
    if (count === 0) {
      this.#item.hide();
      return;
    }
    const label =
      count === 1
        ? vscode.l10n.t('Dataset Import: 1 task is running. Show the tasks.')
        : vscode.l10n.t('Dataset Import: {0} tasks are running. Show the tasks.', formatCount(count));
    const text = count === 1 ? vscode.l10n.t('1 task running') : vscode.l10n.t('{0} tasks running', formatCount(count));
    this.#item.text = `$(sync) ${text}`;
    this.#item.tooltip = label;
    this.#item.accessibilityInformation = { label };
    this.#item.show();
  }
}
