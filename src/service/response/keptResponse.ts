import { type Json, type JsonObject, leafText, stringifyJson } from '../json/json';
import { jsonPointer, pointerNames } from '../json/jsonPointer';
import { memberTree } from '../json/jsonText';
import { readPlace } from '../places/readPlace';
import { childSpots, keysIn, rootSpot, type Spot } from '../places/spots';
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
  return Object.values(value.from).map(({ pointer }) => pointer);
}

/** What of a response's `data` must be kept, so that a pointer leads to the same value in what is left of it. */
function keptPlaces(data: Json, pointer: string, ownTask: OwnTask | undefined): (readonly string[])[] {
  const names = namesTo(data, pointerNames(pointer), ownTask);
  return ownTask === undefined ? [names] : [names, ...ownIds(rootSpot(data, ownTask), names, ownTask)];
}

/** The names that lead to a value, or to the nearest thing around a missing one, which must be seen to lack it. */
function namesTo(data: Json, names: readonly string[], ownTask: OwnTask | undefined): readonly string[] {
  const placed = readPlace(data, jsonPointer(...names), ownTask);
  if (placed !== undefined || names.length === 0) return placed?.names ?? [];
  return namesTo(data, names.slice(0, -1), ownTask);
}

/** Where our id is in the elements on the way: what shows that they are ours. */
function ownIds(root: Spot, names: readonly string[], ownTask: OwnTask): string[][] {
  const found: string[][] = [];
  let spot: Spot | undefined = root;
  for (const name of names) {
    spot = childSpots(spot, ownTask, [name])[0];
    if (spot === undefined) break;
    if (!spot.hasOwner || spot.whose !== 'own') continue;
    const inner = [spot, ...childSpots(spot, ownTask)];
    found.push(
      ...inner.flatMap((each) =>
        keysIn(each)
          .filter(isOwnId(each))
          .map((key) => [...each.names, key]),
      ),
    );
  }
  return found;

  function isOwnId({ tree }: Spot) {
    return (key: string) => leafText((tree as JsonObject)[key]) === ownTask.id;
  }
}
