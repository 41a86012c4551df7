import { l10n, type QuickPickItem, ThemeIcon } from 'vscode';
import type { Dataset } from '../../service/contract/dataset';
import { mistakeIn, stateByExpression, testedNumbers } from '../../service/contract/stateExpression';
import { stringifyJson } from '../../service/json/json';
import { type StateStarter, startExpression } from '../../service/response/stateStarters';
import { shortText } from '../platform/outsideText';
import { titled } from '../platform/window';
import type { Services } from '../services';
import { pickValue } from './pickValue';
import { distinctReports, reportIn, type StoredResponse, taskOf } from './responses';

/** The possible results of a state expression. */
export const EXPRESSION_STATES = '"running", "succeeded", "failed"';

/** Max number of stored responses to try an expression on. */
const MAX_RESULTS = 6;

type Choice = QuickPickItem & { propose?(): Promise<string | undefined> };

/**
 * Lets the user type the state expression, or start from a picked field. While the user types, the input box shows what
 * the expression yields for the stored responses.
 */
export async function editStateExpression(services: Services, dataset: Dataset): Promise<void> {
  const { picks, datasets } = services;
  const { contract, name } = dataset;
  const { state } = contract.queryTask;
  const reports = (await distinctReports(services, dataset)).slice(0, MAX_RESULTS);
  const [report] = reports;
  const type: Choice = {
    label: state === undefined ? l10n.t('Type an Expression') : l10n.t('Edit the Expression'),
    description: state === undefined ? 'JMESPath' : shortText(state),
    iconPath: new ThemeIcon('edit'),
    propose: async () => state ?? '',
  };
  const start = (label: string, icon: string, starter: StateStarter): Choice => ({
    label,
    iconPath: new ThemeIcon(icon),
    propose: async () => {
      const { pointer } = (await pickValue(services, dataset, starter, report, label)) ?? {};
      if (pointer === undefined || report?.data === undefined) return undefined;
      return startExpression(starter, state, { pointer, data: report.data, task: taskOf(report, contract) });
    },
  });
  const starters = [
    start(l10n.t('This Flag Means Finished…'), 'pass', 'flag'),
    start(l10n.t('This Field Holds an Error…'), 'error', 'error'),
  ];
  const title = l10n.t("State expression of dataset '{0}'", name);
  const placeHolder = l10n.t('Select how to begin');
  const items = [type, ...titled(l10n.t('begin with a value of a response'), report === undefined ? [] : starters)];
  const picked = await picks.one<Choice>(items, { title, placeHolder });
  const value = await picked?.propose?.();
  if (value === undefined) return;
  const typed = await picks.text({
    title,
    prompt: l10n.t('JMESPath over data. It must yield one of {0}.', EXPRESSION_STATES),
    placeHolder: "finished == `true` && 'succeeded' || 'running'",
    value,
    validateInput: (text) => {
      const position = text.trim() === '' ? undefined : mistakeIn(text);
      return position === undefined ? undefined : l10n.t('The expression has a mistake at character {0}.', position);
    },
    note: (text) => formatResults(text.trim(), dataset, reports),
  });
  const expression = typed?.trim();
  if (expression !== undefined && expression !== (state ?? ''))
    await datasets.override(dataset, ['queryTask', 'state'], expression === '' ? undefined : expression);
}

/**
 * Formats an expression's results, such as "RUNNING → running; DONE → succeeded". If the expression probably has a
 * mistake, a warning comes first.
 */
function formatResults(expression: string, { contract }: Dataset, reports: readonly StoredResponse[]): string {
  if (expression === '') return l10n.t('Without an expression, the status decides.');
  const results = new Set<string>();
  let warning = '';
  for (const response of reports) {
    const { data } = response;
    if (data === undefined) continue;
    const taskId = taskOf(response, contract)?.id ?? '';
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
