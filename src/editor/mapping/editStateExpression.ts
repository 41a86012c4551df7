import { l10n, type QuickPickItem, ThemeIcon } from 'vscode';
import type { Dataset } from '../../service/contract/dataset';
import { mistakeIn, stateByExpression, testedNumbers } from '../../service/contract/stateExpression';
import { stringifyJson } from '../../service/json/json';
import { type StateStarter, startExpression } from '../../service/response/stateStarters';
import { shortText } from '../platform/outsideText';
import { titled } from '../platform/window';
import type { Services } from '../services';
import { setState } from './changeMapping';
import { pickValue } from './pickValue';
import { distinctReports, ownTaskOf, reportIn, type StoredResponse } from './responses';

/** The possible results of a state expression. */
export const EXPRESSION_STATES = '"running", "succeeded", "failed"';

/** Max distinct results to try an expression on. */
const MAX_RESULTS = 6;

type Choice = QuickPickItem & { readonly starter?: StateStarter };

/** Lets the user type the state expression, or start from a picked field. */
export async function editStateExpression(services: Services, dataset: Dataset): Promise<void> {
  const { picks } = services;
  const reports = (await distinctReports(services, dataset)).slice(0, MAX_RESULTS);
  const { state } = dataset.contract.queryTask;
  const title = titleOf(dataset);
  const type: Choice = {
    label: state === undefined ? l10n.t('Type an Expression') : l10n.t('Edit the Expression'),
    description: state === undefined ? 'JMESPath' : shortText(state),
    iconPath: new ThemeIcon('edit'),
  };
  const starters: Choice[] = [
    { label: l10n.t('This Flag Means Finished…'), iconPath: new ThemeIcon('pass'), starter: 'flag' },
    { label: l10n.t('This Field Holds an Error…'), iconPath: new ThemeIcon('error'), starter: 'error' },
  ];
  const placeHolder = l10n.t('Select how to begin');
  const items = [type, ...titled(l10n.t('begin with a value of a response'), reports.length === 0 ? [] : starters)];
  const picked = await picks.one<Choice>(items, { title, placeHolder, ignoreFocusOut: true });
  if (picked === undefined) return;
  const proposed = picked.starter === undefined ? state : await started(services, dataset, picked.starter, reports);
  if (picked.starter === undefined || proposed !== undefined)
    await typeExpression(services, dataset, proposed, reports);
}

function titleOf({ name }: Dataset): string {
  return l10n.t("State expression of dataset '{0}'", name);
}

/** Lets the user pick a field and proposes an expression for it. Returns undefined if the user closes the list. */
async function started(
  services: Services,
  dataset: Dataset,
  starter: StateStarter,
  [report]: readonly StoredResponse[],
): Promise<string | undefined> {
  const title = starter === 'flag' ? l10n.t('The flag that means finished') : l10n.t('The field that holds an error');
  const picked = await pickValue(services, dataset, starter, report, { title });
  if (picked?.pointer === undefined || report?.data === undefined) return undefined;
  const { contract } = dataset;
  const field = { pointer: picked.pointer, data: report.data, task: ownTaskOf(report.row, contract) };
  return startExpression(starter, contract.queryTask.state, field);
}

/** While the user types, the input box shows what the expression yields for each distinct result. */
async function typeExpression(
  services: Services,
  dataset: Dataset,
  proposed: string | undefined,
  reports: readonly StoredResponse[],
): Promise<void> {
  const typed = await services.picks.text({
    title: titleOf(dataset),
    prompt: l10n.t('JMESPath over data. It must yield one of {0}.', EXPRESSION_STATES),
    placeHolder: "finished == `true` && 'succeeded' || 'running'",
    value: proposed ?? '',
    validateInput: formatMistake,
    note: (text) => formatResults(text.trim(), dataset, reports),
  });
  const expression = typed?.trim();
  if (expression !== undefined && expression !== (dataset.contract.queryTask.state ?? ''))
    await setState(services, dataset, expression === '' ? undefined : expression);
}

function formatMistake(expression: string): string | undefined {
  const position = expression.trim() === '' ? undefined : mistakeIn(expression);
  return position === undefined ? undefined : l10n.t('The expression has a mistake at character {0}.', position);
}

/** For example "RUNNING → running; DONE → succeeded", after a warning about a likely mistake. */
function formatResults(expression: string, { contract }: Dataset, reports: readonly StoredResponse[]): string {
  if (expression === '') return l10n.t('Without an expression, the status decides.');
  const results = new Set<string>();
  let warning = '';
  for (const response of reports) {
    const { row, data } = response;
    if (data === undefined) continue;
    const taskId = ownTaskOf(row, contract)?.id ?? '';
    const label = reportIn(response, contract)?.status ?? stringifyJson(data);
    const state = stateByExpression(expression, data, taskId);
    results.add(`${shortText(label)} → ${'yielded' in state ? shortText(state.yielded) : state.meaning}`);
    const [number] = testedNumbers(expression, data, taskId);
    if (number !== undefined)
      warning = l10n.t('{0} is a number, and 0 counts as true. Compare it: {1}.', number, `${number} > \`0\``);
  }
  if (results.size === 0) return l10n.t('There is no response to try it on yet.');
  return `${warning} ${[...results].join('; ')}`.trim();
}
