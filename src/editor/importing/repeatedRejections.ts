import { type Disposable, l10n, type QuickPickItem } from 'vscode';
import { SANDBOX_NAME } from '../../service/contract/dataset';
import { namesIn } from '../../service/request/namedParts';
import { type Destination, isSameDestination } from '../../tasks/destination';
import { MAX_REJECTIONS } from '../../tasks/sending/gate';
import type { TargetChange } from '../../tasks/serving/targetFinder';
import type { EndedPhase, KeptRefusal } from '../../tasks/trackedTask';
import { replaceAccessKey } from '../datasets/enterAccessKey';
import { datasetNamed } from '../datasets/findDataset';
import { formatCount } from '../platform/formatNumbers';
import { formatEnd, formatRefusal, refusalWords } from '../platform/formatOutcome';
import { listen } from '../platform/listen';
import { shortText } from '../platform/outsideText';
import type { Action } from '../platform/userError';
import { editRequestAction } from '../requests/editRequest';
import { rejectedAlike, rejection } from '../requests/rejection';
import type { ReportServices } from './helpAfterImport';

/** Why imports wait: the last of several that were rejected with the same code. */
interface Rejections {
  readonly end: EndedPhase;
}

/** Words with which services complain about an access key. Only the order of buttons depends on them. */
const KEY_WORDS = /key|token|credential|auth|permission|forbidden|密钥|令牌|鉴权|认证|授权|权限/i;

/** What probably helps after a rejection: a new access key, another request, or a look at the file. */
export function likelyHelp(refusal: KeptRefusal): 'key' | 'request' | 'file' {
  const words = refusalWords(refusal);
  if (refusal.status === 401 || refusal.status === 403 || KEY_WORDS.test(words)) return 'key';
  return namesIn(words, []).length > 0 ? 'request' : 'file';
}

/** The message about imports that pause because three in a row were rejected with the same code. */
export function formatRejections(dataset: string, { end }: Rejections): string {
  return l10n.t('{0} rejected {1} imports in a row, so the others wait: {2}', dataset, MAX_REJECTIONS, formatEnd(end));
}

/** What the user can do about it, the likeliest first. A new key or request makes the imports go on by itself. */
export function rejectionChoices(services: ReportServices, { dataset, origin }: Destination, { end }: Rejections) {
  const refusal = end.kind === 'rejected' ? end.refusal : undefined;
  const edit = editRequestAction(
    services,
    () => datasetNamed(services, dataset),
    undefined,
    refusal && rejection('fileTask', refusal, []),
  );
  // The key of the sandbox cannot be changed.
  const key = dataset === SANDBOX_NAME ? [] : [replaceAccessKey(services, () => services.datasets.find(dataset))];
  const go: Action = {
    label: l10n.t('Continue Anyway'),
    run: () => services.queue.tryNow((one) => isSameDestination(one, { dataset, origin })),
  };
  return refusal && likelyHelp(refusal) === 'request' ? [edit, ...key, go] : [...key, edit, go];
}

/** Asks what to do about the imports of a destination that wait because of rejections. */
export async function askAboutRejections(
  services: ReportServices,
  destination: Destination,
  reason: Rejections,
): Promise<void> {
  const choices: readonly (QuickPickItem & Action)[] = rejectionChoices(services, destination, reason);
  const title = formatRejections(destination.dataset, reason);
  const placeHolder = l10n.t('Select what to do');
  const picked = await services.picks.one(choices, { title, placeHolder, ignoreFocusOut: true });
  await picked?.run();
}

/** Imports again what a repeated refusal rejected, once the user has changed the access key or the request. */
export function resumeAfterRejections(services: ReportServices): Disposable {
  return listen(services.queue.events, 'rejectionsOver', (destination, refusal, change) => {
    resume(services, destination, refusal, change).catch((error) => services.messages.error(error));
  });
}

async function resume(
  services: ReportServices,
  destination: Destination,
  refusal: KeptRefusal,
  change: TargetChange,
): Promise<void> {
  const { announcements, datasets, queue } = services;
  const tasks = await rejectedAlike(services.list, destination, refusal);
  const queued = await queue.retry(tasks);
  const { dataset } = destination;
  const codes = datasets.find(dataset)?.contract.codes;
  if (change === 'request' || refusal.by !== 'envelope' || codes === undefined) return;
  const { code } = refusal;
  if ([...codes.badKey, ...codes.tryLater].includes(code)) return;
  const treat: Action = {
    label: l10n.t('Treat as Rejected Key'),
    run: () => datasets.override(datasetNamed(services, dataset), ['codes', 'badKey'], [...codes.badKey, code]),
  };
  await announcements.problem(
    l10n.t(
      'Files that {0} rejected with code {1} are imported again with the new access key: {2}. Should this code always mean that the access key was rejected?',
      ...[dataset, shortText(code), formatCount(queued.length)],
    ),
    treat,
  );
}

/** Why files were rejected: the reason that all of them share, otherwise the most frequent one, with an example. */
export function mainRejection<One extends { readonly refusal: KeptRefusal }>(
  rejected: readonly One[],
): { readonly example: One; readonly sentence: string } | undefined {
  const groups = [...Map.groupBy(rejected, ({ refusal }) => formatRefusal(refusal)).entries()];
  const [largest] = groups.toSorted(([, one], [, other]) => other.length - one.length);
  const example = largest?.[1][0];
  if (largest === undefined || example === undefined) return undefined;
  const reason = withoutStop(largest[0]);
  const sentence =
    groups.length === 1 ? l10n.t('The reason: {0}.', reason) : l10n.t('The most frequent reason: {0}.', reason);
  return { example, sentence };
}

function withoutStop(text: string): string {
  return text.replace(/[.。]$/u, '');
}
