import { isJsonObject, type Json, type JsonObject, leafText } from '../json/json';
import { findByName } from './usualNames';

/** Usual names of the time of an element, those that tell its latest change first. */
const TIME_NAMES = [
  ...['updatedat', 'updatetime', 'updated', 'modifiedat', 'modifytime', 'modified', 'lastmodified', 'gmtmodified'],
  ...['createdat', 'createtime', 'created', 'gmtcreate', 'occurredat', 'eventtime', 'time', 'timestamp', 'datetime'],
  ...['date', 'ts', 'at', 'startedat', 'starttime'],
];

/** The index of the element with the latest time; undefined where one has none, or two are equally late. */
export function newestOf(elements: readonly Json[]): number | undefined {
  const objects = elements.filter(isJsonObject);
  if (objects.length < elements.length) return undefined;
  for (const name of TIME_NAMES) {
    const times = objects.map((object) => timeIn(object, name));
    if (times.some((time) => time === undefined)) continue;
    const latest = times.reduce((one, other) => ((other ?? 0) > (one ?? 0) ? other : one), times[0]);
    const first = times.indexOf(latest);
    return first === times.lastIndexOf(latest) && first >= 0 ? first : undefined;
  }
  return undefined;
}

/** Milliseconds since 1970. */
function timeIn(object: JsonObject, name: string): number | undefined {
  const found = findByName([name], object);
  const text = found === undefined ? '' : (leafText(object[found]) ?? '');
  if (/^\d{9,19}(?:\.\d+)?$/.test(text)) return epochMs(Number(text));
  if (!/^\d{4}[-/]\d\d?[-/]\d\d?/.test(text)) return undefined;
  const time = Date.parse(text.replaceAll('/', '-').replace(' ', 'T'));
  return Number.isNaN(time) ? undefined : time;
}

/** A number may count seconds, or thousandths, millionths or billionths of them. */
function epochMs(number: number): number {
  if (number < 1e11) return number * 1000;
  if (number < 1e14) return number;
  return number < 1e17 ? number / 1000 : number / 1e6;
}
