import { type Contract, type StatusMeaning, stateSource } from '../contract/contract';
import { stateByExpression } from '../contract/stateExpression';
import { isNothing, type Json, LEFT_OUT, leafText } from '../json/json';
import { type Field, fieldAt, type OwnTask } from './field';
import { progressFraction, recognizedField, searched } from './recognizedFields';
import { type FieldName, statusMeaning } from './usualNames';

/** What query-task reports about a task. */
export interface TaskReport {
  /** The status as the service reports it. Undefined if none was found. */
  readonly status: string | undefined;
  /** `none` if the service responded but hasn't reported anything yet. */
  readonly meaning: StatusMeaning | 'none';
  /** From 0 to 1. */
  readonly progress: number | undefined;
  readonly message: string | undefined;
  /** Where each field is in `data`. */
  readonly pointers: Partial<Readonly<Record<FieldName, string>>>;
  /** Whether the meaning comes from the user's mapping, in which case a different mapping could change it. */
  readonly byMapping: boolean;
  /** The pointer or expression that the state was read with, or null for the usual names. */
  readonly source: string | null;
  /** The result of the state expression. Absent if there is no expression. */
  readonly byExpression?: string;
}

/** Reads the `data` of a query-task response about our task. */
export function readTaskReport(data: Json, contract: Contract['queryTask'], ownTask?: OwnTask): TaskReport {
  const isEmpty = isNothing(data);
  const found = searched(data, ownTask);
  const find = (name: 'status' | 'progress' | 'message', levels = found): Field | undefined => {
    if (isEmpty) return undefined;
    const pointer = contract[name];
    if (pointer === undefined) return recognizedField(name, levels, contract.statusMeanings);
    const field = fieldAt(data, pointer, ownTask);
    return leafText(field?.value) === undefined ? undefined : field;
  };
  const state =
    contract.state === undefined || isEmpty ? undefined : stateByExpression(contract.state, data, ownTask?.id ?? '');
  const [status, progress] = [find('status'), find('progress')];
  // Look beside the status first, because an outer message may be about the query.
  const hasStatus = ({ pointer }: Field) => pointer === status?.pointer.replace(/\/[^/]*$/, '');
  const message = find('message', [found.flat().filter(hasStatus), ...found]);
  const word = shortened(status);
  const meaning = word === undefined ? 'unknown' : statusMeaning(word, contract.statusMeanings);
  const fraction = progress && progressFraction(progress.value);
  return {
    status: word,
    meaning: isEmpty ? 'none' : (state?.meaning ?? meaning),
    progress: fraction,
    message: shortened(message),
    pointers: {
      ...(status && { status: status.pointer }),
      ...(progress && fraction !== undefined && { progress: progress.pointer }),
      ...(message && { message: message.pointer }),
    },
    source: stateSource(contract),
    byMapping:
      state !== undefined ||
      (word !== undefined && (contract.status !== undefined || Object.hasOwn(contract.statusMeanings, word))),
    ...(state && { byExpression: 'yielded' in state ? state.yielded : state.meaning }),
  };
}

/** Max length of a stored status or message, in characters. */
const MAX_CHARACTERS = 2000;

/**
 * A field's text, shortened if it is long. Replaces NULs and lone surrogates, which the store can't keep. Otherwise,
 * the stored text would differ from the next report, and every check would look like progress.
 */
function shortened(field: Field | undefined): string | undefined {
  const text = leafText(field?.value)?.toWellFormed().replaceAll('\0', '\uFFFD');
  if (text === undefined || text.length <= MAX_CHARACTERS) return text;
  return text.slice(0, MAX_CHARACTERS).toWellFormed() + LEFT_OUT;
}
