import { isJsonObject, type Json, type JsonObject, leafText } from '../json/json';
import { pointerNames } from '../json/jsonPointer';
import { memberTree } from '../json/jsonText';
import { type TaskId, taskIdText } from '../json/taskId';
import { isPlaceholder } from './placeholders';
import { CERTAIN_ID_NAMES, firstNames, isPlainName, isTaskName, plainName } from './usualNames';

/** The task that a response is read for. */
export interface OwnTask {
  /** Its id as text: a service may write a number as a text, and the other way round. */
  readonly id: string;
  /** The name under which file-task's response has it, where the user chose that. */
  readonly idName: string | undefined;
  /** The names under which the query has it. */
  readonly queryNames: readonly string[];
}

/**
 * The task with this id, which was chosen at the `pointer` of the contract, if any; `query` is the body of the query as the
 * contract has it.
 */
export function toOwnTask(taskId: TaskId, pointer: string | undefined, query: Json = { taskId: '${taskId}' }): OwnTask {
  const name = pointerNames(pointer ?? '').findLast((each) => !isPlaceholder(each) && !/^\d*$/.test(each));
  return {
    id: taskIdText(taskId),
    idName: name === undefined ? undefined : plainName(name),
    queryNames: namesOfId(query, ''),
  };
}

/** The names of what holds the placeholder of our id in the body of a query. */
function namesOfId(query: Json, owner: string): string[] {
  if (typeof query === 'string') return query.includes('${taskId') ? [plainName(owner)] : [];
  if (Array.isArray(query)) return query.flatMap((item: Json) => namesOfId(item, owner));
  return isJsonObject(query) ? Object.entries(query).flatMap(([name, item]) => namesOfId(item, name)) : [];
}

/**
 * Whose a value is: our task's; another task's; that of a task with an id of another kind, which nothing is recognized in,
 * but the user may say that it is ours; or undefined where nothing shows it.
 */
export type Whose = 'own' | 'other' | 'otherKind' | undefined;

/**
 * Whether an id that an object calls `id`, or as the user's choice is called, is that of a task: always, only where it
 * is written as our id is, or never. What an object calls `taskId` always is.
 */
export type BareIds = 'always' | 'alike' | 'never';

const certainNames = new Set<string>(CERTAIN_ID_NAMES);

/** Whose an object is by the ids that it holds itself. */
export function whoseByIds(object: JsonObject, ownTask: OwnTask, bareIds: BareIds): Whose {
  const certain: string[] = [];
  const bare: string[] = [];
  for (const name of firstNames(object)) {
    const plain = plainName(name);
    const isCertain = certainNames.has(plain);
    if (!isCertain && plain !== 'id' && plain !== ownTask.idName) continue;
    const text = leafText(object[name]) ?? '';
    if (text !== '') (isCertain ? certain : bare).push(text);
  }
  if (certain.includes(ownTask.id)) return 'own';
  const isTask = (text: string) => bareIds === 'always' || (bareIds === 'alike' && isAlike(text, ownTask.id));
  if (bare.includes(ownTask.id) && (isDistinct(ownTask) || (certain.length === 0 && isTask(ownTask.id)))) return 'own';
  return certain.length > 0 || bare.some(isTask) ? 'other' : undefined;
}

/**
 * As {@link whoseByIds}, of the whole `data` of a response to a query about our task. A service may go by an id that the
 * import did not tell: where none is written or called as ours is, they are of another kind.
 */
export function whoseResponse(data: JsonObject, ownTask: OwnTask): Whose {
  const whose = whoseByIds(data, ownTask, 'alike');
  if (whose !== 'other') return whose;
  const ids = firstNames(data).filter((name) => certainNames.has(plainName(name)) || plainName(name) === 'id');
  const isOwnKind = (name: string) =>
    ownTask.queryNames.includes(plainName(name)) || isAlike(leafText(data[name]) ?? '', ownTask.id);
  return ids.some(isOwnKind) ? 'other' : 'otherKind';
}

/** Whether our id is nobody else's where it stands: a short number may be the id of anything. */
export function isDistinct({ id }: OwnTask): boolean {
  return !/^\d{1,6}$/.test(id);
}

/** As {@link whoseByIds}, of an element of a list or map, which may also hold its id in an object inside it. */
export function whoseElement(element: JsonObject, ownTask: OwnTask, bareIds: BareIds): Whose {
  const itself = whoseByIds(element, ownTask, bareIds);
  if (itself !== undefined) return itself;
  const inside = firstNames(element).map((name) => {
    const inner = memberTree(element, name);
    if (!isJsonObject(inner)) return undefined;
    const ofInner = isTaskName(name) ? 'always' : isPlainName(name) ? bareIds : 'never';
    return whoseByIds(inner, ownTask, ofInner);
  });
  // An element with another task's id is that task's, even if it mentions ours.
  return inside.find((whose) => whose === 'other') ?? inside.find((whose) => whose === 'own');
}

/** Whether two texts are written in the same way, so that where one is an id of a task, the other is likely to be one. */
export function isAlike(one: string, other: string): boolean {
  if (!/\d/.test(one)) return false;
  const pattern = (text: string) => text.toLowerCase().replace(/\d+/g, '0');
  if (pattern(one) === pattern(other)) return true;
  // Random letters and digits, as in a UUID, have one length. `f-1` is not written as `t-2` is; `step2` is a name.
  if (one.length !== other.length || [one, other].every((text) => /^[a-z]+[^a-z\d]?\d+$/i.test(text))) return false;
  const signs = (text: string) => text.replace(/[a-z\d]/gi, 'x');
  const isRandom = (text: string) => /\d/.test(text) && !/^[a-z]+\d{1,2}$/i.test(text);
  return signs(one) === signs(other) && isRandom(one) && isRandom(other);
}
