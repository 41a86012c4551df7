import { ACCESS_KEY_HEADER, type Contract, KIND_HEADERS } from '../contract/contract';
import { isJsonObject, type Json } from '../json/json';
import { KNOWN_SCRIPT, LACK, LINK, PART, SENTENCE, THINGS } from './lackWords';

/** What a service says that a request lacks. */
export interface MissingPart {
  readonly name: string;
  /** Whether it is a header rather than a form field or a member of the body. */
  readonly isHeader: boolean;
}

/** What a request has already, so that a message that repeats it does not name something new. */
export interface RequestContent {
  readonly names: readonly string[];
  /** Such as the name of the file and the task id. */
  readonly values: readonly string[];
}

/** What the requests of an operation have by a contract; `values` are those that come with each request. */
export function requestContent(
  { headers, fileTask, queryTask }: Contract,
  operation: 'fileTask' | 'queryTask',
  values: readonly string[],
): RequestContent {
  const sent = [...Object.keys(headers), ...Object.keys(KIND_HEADERS), ACCESS_KEY_HEADER, 'Content-Type'];
  // The case of a header's name does not matter.
  const shared = sent.flatMap((name) => [name, name.toLowerCase()]);
  const isImport = operation === 'fileTask';
  const own = isImport ? [fileTask.filePart, ...Object.keys(fileTask.fields)] : namesIn(queryTask.body);
  const ownValues = isImport ? Object.values(fileTask.fields) : [];
  return { names: [...shared, ...own], values: [...values, ...ownValues, ...Object.values(headers)] };
}

function namesIn(json: Json): string[] {
  if (Array.isArray(json)) return json.flatMap((item: Json) => namesIn(item));
  return isJsonObject(json) ? Object.entries(json).flatMap(([name, member]) => [name, ...namesIn(member)]) : [];
}

/** Max characters of a message that are looked at, and of those beside a word. */
const LOOKED_AT = 2000;
const BESIDE = 60;

/** Min score of a name for which two signs speak. */
const CERTAIN_SCORE = 4;

/** A word as parts of requests are called. Scripts other than the Latin one need no space beside it. */
const WORD = /(?<![\p{Script=Latin}\p{N}_$-])[A-Za-z_$][\w$]*(?:[.-][\w$]+)*(?![\p{Script=Latin}\p{N}_$])/gu;

const OPEN = '["\'`“‘«‹「『【\\[<(（]';
const CLOSE = '["\'`”’»›」』】\\]>)）]';
const before = (what: string) => new RegExp(`(?:${what})(?: (?:named|called))?[\\s:：="]*${OPEN}*$`, 'iu');
const after = (what: string) => new RegExp(`^(?:\\[\\])?${CLOSE}*[\\s:：]*[[{"]*(?:${what})`, 'iu');

const patterns = {
  openBefore: new RegExp(`${OPEN}$`, 'u'),
  closeAfter: new RegExp(`^(?:\\[\\])?${CLOSE}`, 'u'),
  partBefore: before(PART),
  partAfter: after(PART),
  lackBefore: before(`(?:${LACK})(?:[\\s:：]|${LINK}|${PART})*`),
  lackAfter: after(`(?:\\s|${LINK}|${PART})*(?:${LACK})`),
  /** A value follows, and no name. */
  valueBefore: /(?:\b(?:be|one of|is|equal to|such as|like|got|was|value|=)|为|是)[\s:：=]*["'`“‘「(]*$/iu,
  header: /(?<!\p{L})(?:headers?|заголов\p{L}*|en-tête|cabecera|kopfzeile)(?!\p{L})|请求头|請求頭|ヘッダ|헤더/iu,
};

const PARTS = new RegExp(`${LACK}|${PART}`, 'iu');
const hasOtherScript = /(?!\p{Script=Latin})\p{L}/u;

/** A word of a message, and the text before and after it. */
interface Place {
  readonly name: string;
  readonly left: string;
  readonly right: string;
}

/**
 * The part that a request lacks by the words of its rejection, whatever its language: a name that the request does not
 * have, in quotes or beside such words as "parameter" and "required"; or the only Latin word of a sentence in a script
 * whose words are not known here. Undefined where nothing is named. Where it is `certain` that is asked for, more than one
 * sign must speak for the name.
 */
export function missingPartNamed(
  message: string,
  { names, values }: RequestContent,
  wanted: 'likely' | 'certain' = 'likely',
): MissingPart | undefined {
  const text = withoutValues(message.slice(0, LOOKED_AT), values);
  const isStrange = hasOtherScript.test(text) && !KNOWN_SCRIPT.test(text);
  if (!isStrange && !tellsOfParts(text)) return undefined;
  const known = new Set([...names, ...values]);
  const places = placesIn(text).filter(({ name }) => !known.has(name) && !known.has(name.toLowerCase()));
  let best: Place | undefined;
  let bestScore = wanted === 'certain' ? CERTAIN_SCORE - 1 : 0;
  for (const place of places) {
    const score = scoreOf(place);
    if (score > bestScore) [best, bestScore] = [place, score];
  }
  if (isStrange && places.length === 1 && wanted === 'likely') best ??= places[0];
  return best && { name: best.name, isHeader: isHeader(best) };
}

/** Whether the words of a rejection are about a part of the request, or about what it lacks. */
export function tellsOfParts(message: string): boolean {
  return PARTS.test(message.slice(0, LOOKED_AT));
}

function placesIn(text: string): Place[] {
  return [...text.matchAll(WORD)].flatMap(({ 0: word, index }) => {
    const name = word.replace(/^(?:\$|body|query|params?|request|req|form|data)\./i, '');
    if (SENTENCE.has(name.toLowerCase())) return [];
    const end = index + word.length;
    return [{ name, left: text.slice(Math.max(0, index - BESIDE), index), right: text.slice(end, end + BESIDE) }];
  });
}

/** How likely a word is to be the missing name; 0 where nothing speaks for it. */
function scoreOf({ name, left, right }: Place): number {
  const isQuoted = patterns.openBefore.test(left) && patterns.closeAfter.test(right);
  const isKey = isQuoted && /^"\s*:/.test(right);
  const isPart = isBesidePart({ name, left, right });
  if (/^[A-Z]+[_\d][A-Z_\d]*$|(?:Exception|Error)$/.test(name)) return 0;
  if (THINGS.has(name.toLowerCase()) && !isQuoted && !isPart) return 0;
  if (isKey && /^(?:type|code|title|status|path|kind|rule|info|cause)$/i.test(name)) return 0;
  if (!isPart && patterns.valueBefore.test(left)) return 0;
  const signs = [isQuoted && !isKey, isPart, patterns.lackBefore.test(left), patterns.lackAfter.test(right)];
  const isShaped = /^[a-z]+\d*[A-Z_]|_[a-z]|^x-/i.test(name) && /[a-z][A-Z]|[_-]/.test(name);
  return signs.filter(Boolean).length * 2 || (isShaped ? 1 : 0);
}

/** Whether "parameter" or the like stands right beside a name. "Parameter name" and "required field" name nothing. */
function isBesidePart({ name, left, right }: Place): boolean {
  if (patterns.partBefore.test(left)) return !/^(?:name|type)s?$/i.test(name);
  return patterns.partAfter.test(right) && !/(?:ed|ing)$|^(?:first|next|new|extra|unique|many|more)$/i.test(name);
}

function isHeader({ name, left, right }: Place): boolean {
  return /^x-/i.test(name) || patterns.header.test(left.slice(-20)) || patterns.header.test(right.slice(0, 10));
}

/** The text without what the request itself brought, where that stands by itself. */
function withoutValues(text: string, values: readonly string[]): string {
  const literal = (value: string) => value.replaceAll(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
  return values
    .filter((value) => value.length > 1 && value.length <= LOOKED_AT)
    .reduce((rest, value) => rest.replace(new RegExp(`(?<![\\w-])${literal(value)}(?![\\w-])`, 'gu'), ' '), text);
}
