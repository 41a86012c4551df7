import { isNumeric, type TaskId, taskIdText, typedTaskId } from '../../service/json/taskId';

/** Min digits of a made-up id: those of a number that fits into 32 bits, and is far from the first ids of a service. */
const MIN_DIGITS = 9;

/**
 * An id that no task has, in the type in which a service gives its ids, the latest one first: a number, a text of digits,
 * or any text, which it is where none was seen. `uuid` and `digit` are random.
 */
export function unknownTaskId(seen: readonly TaskId[], uuid: () => string, digit: () => number): TaskId {
  const [latest] = seen;
  const text = latest === undefined ? '' : taskIdText(latest);
  const isNumber = latest !== undefined && isNumeric(latest);
  if (!isNumber && !/^\d+$/.test(text)) return typedTaskId(uuid(), 'string');
  const rest = Array.from({ length: Math.max(MIN_DIGITS, text.length) - 1 }, digit);
  // Eight and 18 more digits still fit into 64 bits.
  const id = typedTaskId(`8${rest.join('')}`, isNumber ? 'number' : 'string');
  return seen.includes(id) ? unknownTaskId(seen, uuid, digit) : id;
}
