import { l10n, type QuickPickItem } from 'vscode';
import type { Dataset } from '../../service/contract/dataset';
import { taskIdText } from '../../service/json/taskId';
import { missingNames, namesIn, withoutBrackets } from '../../service/request/namedParts';
import type { Rejection } from '../../service/response/outcome';
import { rowsIn } from '../../tasks/rowsIn';
import { type FileRow, rejectionCode } from '../../tasks/store/model';
import { importAgain } from '../importing/importAgain';
import { commandAction, commandTitle, dialogTitle } from '../platform/actions';
import { formatCount } from '../platform/format';
import { formatRejection } from '../platform/formatFailures';
import { openDatasetsSetting } from '../platform/settings';
import { titled } from '../platform/window';
import type { Services } from '../services';
import * as parts from './requestParts';

/** A request that the service rejected. */
interface RejectedRequest {
  readonly operation: 'fileTask' | 'queryTask';
  readonly rejection: Rejection;
  /** The values in the request, so that a value quoted in a message isn't mistaken for the name of a part. */
  readonly values: readonly string[];
}

/**
 * Lets the user edit the requests to a dataset. For a rejected row, opens the part of the request that the service
 * named in its rejection, and then offers Import Again for all files that were rejected for the same reason.
 */
export async function editRequest(services: Services, dataset: Dataset, row?: FileRow): Promise<void> {
  const { store, messages, serving } = services;
  const pause = row && serving.pauseOf(row.destination);
  if (!(await editParts(services, dataset, row && rejectedRequest(row)))) return;
  const { name } = dataset;
  // If rejections like this one paused uploads, the change ends the pause, and the rejected files are imported again.
  const isResuming = pause?.reason === 'rejections' && rejectionCode(pause.cause) === rejectionCode(row?.import.cause);
  if (row?.state !== 'rejected' || isResuming) {
    const message = l10n.t("The request settings of dataset '{0}' were changed.", name);
    return messages.done(message, commandAction('testConnection', { dataset }));
  }
  const sameReason = () => rowsIn(store, { destinations: [row.destination], reason: row.reason }, ['rejected']);
  const count = formatCount((await sameReason()).length);
  const message = l10n.t("The request settings of dataset '{0}' were changed. Rejected imports: {1}.", name, count);
  const run = async () => importAgain(services, await sameReason());
  await messages.done(message, { label: commandTitle('importAgain'), run });
}

/**
 * Returns the request that was rejected for a row: its import or a status check. Returns undefined if neither was
 * rejected.
 */
function rejectedRequest({ state, name, relativePath, tasks, import: last }: FileRow): RejectedRequest | undefined {
  const values = [name, relativePath, last.sha256 ?? '', ...tasks.map(({ id }) => taskIdText(id))];
  const check = tasks.find(({ cause }) => cause?.name === 'Rejected')?.cause;
  if (state === 'rejected' && last.cause !== null)
    return { operation: 'fileTask', rejection: last.cause as unknown as Rejection, values };
  return check ? { operation: 'queryTask', rejection: check as unknown as Rejection, values } : undefined;
}

/**
 * Opens the part that a rejection most likely refers to. If the user doesn't change that part, shows a list of all
 * parts. Returns whether a part was changed.
 */
export async function editParts(services: Services, dataset: Dataset, rejected?: RejectedRequest): Promise<boolean> {
  const { datasets, picks } = services;
  const { contract } = dataset;
  const overrides = datasets.overrides(dataset);
  const titleWith = (title: string) => (rejected ? `${title} · ${formatRejection(rejected.rejection)}` : title);
  const edit = async (part: parts.RequestPart) => {
    const now = parts.currentText(contract, part);
    const { proposal: value = now, prompt, label } = part;
    // Place the cursor inside JSON instead of selecting all of it, so that typing doesn't replace it.
    const cursor = (/""[\]}]+$/.exec(value)?.index ?? value.length - 2) + 1;
    const valueSelection: [number, number] = part.as === 'json' ? [cursor, cursor] : [0, value.length];
    const validateInput = (text: string) => parts.partFault(overrides, part, text);
    const typed = await picks.text({ title: titleWith(label), prompt, value, valueSelection, validateInput });
    if (typed === undefined || typed.trim() === now) return false;
    await datasets.override(dataset, part.at, parts.typedValue(part, typed));
    return true;
  };
  const named = namedParts(dataset, rejected).filter(
    (part) => parts.partFault(overrides, part, part.proposal ?? 'any value') === undefined,
  );
  // If the service itself rejects a status check without naming a part of it, the body is probably wrong.
  const isInBody = rejected?.operation === 'queryTask' && rejected.rejection.by === 'envelope';
  const likeliest = named[0] ?? (isInBody ? parts.bodyPart(contract.queryTask.body) : undefined);
  if (likeliest !== undefined && (await edit(likeliest))) return true;
  const all = parts.requestParts(contract).map((part) => ({ ...part, description: parts.currentText(contract, part) }));
  const others = l10n.t('media type, file name encoding, response codes, paths');
  const settings: QuickPickItem = { label: commandTitle('openDatasetSettings'), description: others };
  const choices: (QuickPickItem & Partial<parts.RequestPart>)[] = [
    ...titled(l10n.t('named by the service'), named),
    ...titled(l10n.t('all parts'), all),
    settings,
  ];
  const placeHolder = l10n.t("Select what to change in requests to dataset '{0}'", dataset.name);
  const picked = await picks.one(choices, { title: titleWith(dialogTitle('editRequest')), placeHolder });
  if (picked === settings) await openDatasetsSetting();
  return picked?.at !== undefined && edit(picked as parts.RequestPart);
}

/** Max number of names in a rejection to find request parts for. */
const MAX_NAMES = 5;

/**
 * Returns the request parts that the names in a rejection may refer to. For each name, the likeliest part comes first.
 */
function namedParts({ contract }: Dataset, rejected?: RejectedRequest): parts.RequestPart[] {
  if (rejected === undefined) return [];
  const { operation, rejection, values } = rejected;
  const text = rejection.by === 'envelope' ? rejection.message : rejection.by === 'status' ? rejection.excerpt : null;
  const names = missingNames(namesIn(text ?? '', values), contract, operation);
  return names.slice(0, MAX_NAMES).flatMap((name) => {
    const isFile = /^(?:files?|doc(?:ument)?s?|attachments?|uploads?|content)$/i.test(withoutBrackets(name));
    const inForm = [parts.formField(name), parts.filePart(name)];
    const inBody = [parts.bodyWithMember(contract, name)];
    const likely = operation === 'queryTask' ? inBody : isFile ? inForm.toReversed() : inForm;
    return /^x-/i.test(name) ? [parts.header(name), ...likely] : [...likely, parts.header(name)];
  });
}
