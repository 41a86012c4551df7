import * as v from 'valibot';
import type { FieldSource } from '../../service/response/recognition';
import type { Batch, EndedPhase, Failure, KeptRefusal, QueryError, Source, TrackedTask } from '../trackedTask';

/** The shape of a JSON column. Loose: unknown members, which another version may have written, are kept. */
type Shape<Value> = v.GenericSchema<Value>;

const text = v.string();
const count = v.number();
const maybe = <Value>(shape: Shape<Value>) => v.optional(shape);

const readFrom: Shape<FieldSource> = v.looseObject({ pointer: text, how: v.picklist(['mapped', 'recognized']) });

const source: Shape<Source> = v.looseObject({
  from: v.picklist(['disk', 'text']),
  ...{ path: text, relativePath: text, name: text, sizeBytes: count },
  textFile: v.exactOptional(text),
  modifiedMs: v.exactOptional(count),
  sha256: v.exactOptional(text),
});

const batch: Shape<Batch> = v.looseObject({ id: text, label: text, folder: v.exactOptional(text) });

const earlier = v.looseObject({ taskId: v.exactOptional(text), atMs: count });

const failure: Shape<Failure> = v.variant('name', [
  v.looseObject({
    name: v.literal('ConnectError'),
    reason: v.picklist(['dns', 'refused', 'timedOut', 'unreachable', 'reset', 'tls', 'proxy', 'other']),
    ...{ host: text, detail: text },
  }),
  v.looseObject({
    name: v.literal('ConnectionLostError'),
    reason: v.picklist(['reset', 'stalled', 'silent', 'truncated']),
    ...{ host: text, detail: text },
  }),
  v.looseObject({
    name: v.literal('BadResponseError'),
    reason: v.picklist(['serverError', 'notJson', 'notEnvelope', 'tooLarge', 'redirect', 'repeated']),
    ...{ status: count, excerpt: text, detail: text },
  }),
  v.looseObject({
    name: v.literal('SourceError'),
    reason: v.picklist(['missing', 'unreadable', 'folder', 'empty', 'binary', 'changed', 'changing']),
    ...{ fileName: text, detail: text },
  }),
  v.looseObject({ name: v.literal('WindowClosed'), attemptId: text, detail: text }),
  v.looseObject({
    name: v.picklist(['CanceledError', 'UnexpectedError']),
    detail: text,
  }),
]);

const refusal: Shape<KeptRefusal> = v.variant('by', [
  v.looseObject({ by: v.literal('envelope'), status: count, code: text, message: v.nullable(text) }),
  v.looseObject({ by: v.literal('status'), status: count, excerpt: text }),
  v.looseObject({ by: v.literal('redirect'), status: count, target: text }),
]);

const report = v.looseObject({
  status: maybe(text),
  meaning: v.picklist(['running', 'succeeded', 'failed', 'unknown', 'none']),
  progress: maybe(count),
  message: maybe(text),
  elements: v.exactOptional(v.picklist(['severalNoneOwn'])),
  from: v.looseObject({
    status: v.exactOptional(readFrom),
    progress: v.exactOptional(readFrom),
    message: v.exactOptional(readFrom),
  }),
  byExpression: v.exactOptional(text),
  isUnverified: v.exactOptional(v.literal(true)),
  seen: v.exactOptional(v.looseObject({ at: text, values: v.array(text) })),
});

const badKey = v.exactOptional(v.literal(true));
const lastQueryError: Shape<QueryError> = v.variant('kind', [
  v.looseObject({ kind: v.literal('rejected'), refusal, badKey }),
  v.looseObject({ kind: v.literal('failed'), failure }),
]);

const part = v.looseObject({ taskId: text, report: maybe(report), queryError: v.exactOptional(lastQueryError) });
const accepted = v.looseObject({
  kind: v.literal('accepted'),
  report: maybe(report),
  parts: v.exactOptional(v.array(part)),
  leftOut: v.exactOptional(count),
  lastPart: v.exactOptional(text),
  isStalled: v.exactOptional(v.literal(true)),
});
const notSent = v.looseObject({ kind: v.literal('notSent'), failure });
const rejected = v.looseObject({ kind: v.literal('rejected'), refusal });
const unconfirmed = v.looseObject({ kind: v.literal('unconfirmed'), failure, sentBytes: count, totalBytes: count });
const ended = v.variant('kind', [accepted, notSent, rejected, unconfirmed]);
const queued = v.looseObject({ kind: v.literal('queued') });
const sending = v.looseObject({
  kind: v.literal('sending'),
  attemptId: text,
  isCanceled: v.exactOptional(v.literal(true)),
});

const phase = v.variant('kind', [queued, sending, accepted, notSent, rejected, unconfirmed]);

const attempts = v.array(
  v.looseObject({
    ...{ beganMs: count, endedMs: count, sentBytes: count, totalBytes: count },
    end: ended,
  }),
);

const storedTask = v.looseObject({
  ...{ dataset: text, phase, attempts },
  source: maybe(source),
  batch: maybe(batch),
  earlier: maybe(earlier),
  taskIdFrom: maybe(readFrom),
  lastQueryError: maybe(lastQueryError),
});

/** Whether a value read from the disk has the shape of how an import ended. */
export function isStoredEnd(read: unknown): read is EndedPhase {
  return v.is(ended, read);
}

/** Whether a row read from the disk has the shape of a task. */
export function isStoredTask(read: unknown): read is TrackedTask {
  return v.is(storedTask, read);
}
