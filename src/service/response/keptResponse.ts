import { stringifyJson } from '../json/json';
import { memberTree } from '../json/jsonText';
import { keptPlaces } from '../places/keptPlaces';
import type { OwnTask } from '../places/whose';
import { cutEnvelope } from './cutEnvelope';
import type { Outcome } from './outcome';
import { pointersTo } from './severalIds';
import type { BegunTask, TaskReport } from './taskReport';

/** Max bytes kept of a response; the store has two of each task. */
export const MAX_KEPT_BYTES = 64 * 1024;

/**
 * The service's response as JSON text, as it is kept with a task; undefined where there was none in an envelope. One
 * that is too long is cut: what was read in it, for our task, stays at its place.
 */
export function keptResponse(outcome: Outcome<BegunTask | TaskReport>, ownTask?: OwnTask): string | undefined {
  const [envelope, pointers] = envelopeOf(outcome);
  if (envelope === undefined) return undefined;
  const whole = stringifyJson(envelope);
  const bytes = Buffer.byteLength(whole);
  if (bytes <= MAX_KEPT_BYTES) return whole;
  const data = memberTree(envelope, 'data');
  const places = pointers.flatMap((pointer) => keptPlaces(data, pointer, ownTask));
  return cutEnvelope(envelope, places, bytes, MAX_KEPT_BYTES);
}

function envelopeOf(outcome: Outcome<BegunTask | TaskReport>) {
  if (outcome.kind === 'accepted') {
    const { envelope } = outcome.response;
    const data = memberTree(envelope, 'data');
    const pointers = pointersOf(outcome.value).flatMap((pointer) => pointersTo(data, pointer));
    return [envelope, pointers] as const;
  }
  const isEnvelope = outcome.kind === 'rejected' && outcome.refusal.by === 'envelope';
  return isEnvelope ? ([outcome.refusal.response.envelope, []] as const) : [];
}

/** Where in `data` something was read. */
function pointersOf(value: BegunTask | TaskReport): string[] {
  if ('taskId' in value) return value.from === undefined ? [] : [value.from.pointer];
  const { from, error, byRules } = value;
  return [
    ...Object.values(from).map(({ pointer }) => pointer),
    ...(error === undefined ? [] : [error]),
    ...(byRules?.at ?? []),
  ];
}
