import fc from 'fast-check';
import { jsonPointer } from '../../src/service/json/jsonPointer';
import type { TaskId } from '../../src/service/json/taskId';
import type { FieldSource } from '../../src/service/response/fields';
import type { Refusal } from '../../src/service/response/outcome';
import type { TaskReport } from '../../src/service/response/taskReport';
import type { Attempt, EndedPhase, Failure, Phase, Source, TrackedTask } from '../../src/tasks/trackedTask';

/** Text as files and services may hold it: markdown, HTML, links, icons, line breaks among anything else. */
export const hostileTexts = [
  '**bold** _it_ `code` # head',
  '<img src=x onerror=alert(1)><b>html</b>',
  '[link](command:workbench.action.quit)',
  '[x](command:datasetImport.removeTask)',
  '[x](command:datasetImport.mapStatuses?%5B%7B%22taskKey%22%3A1%7D%5D)',
  'x](command:datasetImport.removeTask) [y][z]\n\n[z]: command:datasetImport.removeTask',
  '[link](https://evil.example "title")',
  '![image](https://evil.example/x.png)',
  '<command:workbench.action.quit>',
  '$(trash) $(sync~spin)',
  'line\nbreak\r\nand\ttab',
  '| a | b |\n|---|---|\n\n---\n> quote\n1. one\n- two',
  '&lt;b&gt; &amp; \\* \\[x]',
  '${taskId} {0} %s',
  '读书会 😀 \u202Egnp.exe',
] as const;

const text = fc.oneof(fc.constantFrom(...hostileTexts), fc.string({ unit: 'grapheme', maxLength: 40 }));
const count = fc.nat({ max: 2 ** 40 });
const time = fc.integer({ min: 0, max: 4_102_444_800_000 });
const status = fc.integer({ min: 100, max: 599 });

const response = fc.constant({ envelope: { code: '1' }, deviations: [] });

/** Every way in which a service says no. */
export const refusals: fc.Arbitrary<Refusal> = fc.oneof(
  fc.record({ by: fc.constant('envelope'), status, code: text, message: fc.option(text), response }),
  fc.record({ by: fc.constant('status'), status, excerpt: text }),
  fc.record({ by: fc.constant('redirect'), status, target: text }),
);

/** Every reason for which a clear answer can be missing; the compiler holds the list against the errors. */
const reasons = {
  ConnectError: {
    dns: 0,
    refused: 0,
    timedOut: 0,
    unreachable: 0,
    reset: 0,
    tls: 0,
    clientCertificate: 0,
    proxy: 0,
    proxyLogin: 0,
    proxyScheme: 0,
    other: 0,
  },
  ConnectionLostError: { reset: 0, stalled: 0, silent: 0, truncated: 0 },
  BadResponseError: {
    serverError: 0,
    notJson: 0,
    notEnvelope: 0,
    tooLarge: 0,
    redirect: 0,
    notHttp: 0,
    largeHeaders: 0,
    repeatedId: 0,
  },
  SourceError: {
    missing: 0,
    invalidName: 0,
    forbiddenHost: 0,
    unreadable: 0,
    busy: 0,
    notFile: 0,
    empty: 0,
    binary: 0,
    changed: 0,
    changing: 0,
    ownStorage: 0,
  },
} satisfies { [Name in ReasonedName]: Record<ReasonOf<Name>, 0> };

/** And those that have but one. */
const reasonless = {
  CanceledError: 0,
  UnexpectedError: 0,
} satisfies Record<Exclude<Failure['name'], ReasonedName | 'WindowClosed'>, 0>;

type ReasonedName = Extract<Failure, { reason: string }>['name'];
type ReasonOf<Name extends ReasonedName> = Extract<Failure, { name: Name }>['reason'];

function reasonOf<Name extends ReasonedName>(name: Name): fc.Arbitrary<ReasonOf<Name>> {
  return fc.constantFrom(...(Object.keys(reasons[name]) as ReasonOf<Name>[]));
}

const named = <Name extends string>(name: Name) => fc.constant(name);

/** Every failure there is, with whatever words in it. */
export const failures: fc.Arbitrary<Failure> = fc.oneof(
  fc.record({ name: named('ConnectError'), reason: reasonOf('ConnectError'), host: text, detail: text }),
  fc.record({ name: named('ConnectionLostError'), reason: reasonOf('ConnectionLostError'), host: text, detail: text }),
  fc.record({
    name: named('BadResponseError'),
    reason: reasonOf('BadResponseError'),
    status,
    excerpt: text,
    detail: text,
  }),
  fc.record({ name: named('SourceError'), reason: reasonOf('SourceError'), fileName: text, detail: text }),
  fc.record({ name: named('WindowClosed'), attemptId: fc.uuid(), detail: text }),
  fc.record({ name: fc.constantFrom(...(Object.keys(reasonless) as (keyof typeof reasonless)[])), detail: text }),
);

/** Each failure once for every name and reason, with these words in all its places. */
export function everyFailure(words: string): Failure[] {
  const facts = { host: words, status: 502, excerpt: words, fileName: words, detail: words };
  const reasoned = Object.entries(reasons).flatMap(([name, of]) =>
    Object.keys(of).map((reason) => ({ name, reason, ...facts }) as Failure),
  );
  const plain = (Object.keys(reasonless) as (keyof typeof reasonless)[]).map((name) => ({ name, detail: words }));
  return [...reasoned, ...plain, { name: 'WindowClosed', attemptId: 'A 1', detail: words }];
}

/** Places in a response are made of a service's own names, so any text may stand in them. */
const sources: fc.Arbitrary<FieldSource> = fc.record({
  pointer: text.map((name) => jsonPointer(name)),
  how: fc.constantFrom('mapped', 'recognized'),
});

const reported = {
  status: fc.option(text, { nil: undefined }),
  meaning: fc.constantFrom('running', 'succeeded', 'failed', 'unknown', 'none'),
  progress: fc.option(fc.double({ min: 0, max: 1, noNaN: true }), { nil: undefined }),
  message: fc.option(text, { nil: undefined }),
  from: fc.record({ status: sources, progress: sources, message: sources }, { requiredKeys: [] }),
};

const reports: fc.Arbitrary<TaskReport> = fc.record(
  { ...reported, byExpression: text, seen: fc.record({ at: text, values: fc.array(text) }) },
  { requiredKeys: ['status', 'meaning', 'progress', 'message', 'from'] },
);

/** Every way in which an import ends. */
const ends: fc.Arbitrary<EndedPhase> = fc.oneof(
  fc.record({ kind: named('notSent'), failure: failures }),
  fc.record(
    { kind: named('rejected'), refusal: refusals, badKey: fc.constant(true) },
    { requiredKeys: ['kind', 'refusal'] },
  ),
  fc.record({ kind: named('unconfirmed'), failure: failures, sentBytes: count, totalBytes: count }),
  fc.record({ kind: named('accepted'), report: fc.option(reports, { nil: undefined }) }),
);

/** Every phase that a task can be in. */
export const phases: fc.Arbitrary<Phase> = fc.oneof(
  fc.record({ kind: named('queued') }),
  fc.record({ kind: named('sending'), attemptId: fc.uuid() }),
  ends,
);

const attempts: fc.Arbitrary<Attempt> = fc.record({
  beganMs: time,
  endedMs: time,
  sentBytes: count,
  totalBytes: count,
  end: ends,
});

const sourcesOfTasks: fc.Arbitrary<Source> = fc.record(
  {
    from: fc.constantFrom('disk', 'text'),
    path: text,
    relativePath: text,
    name: text,
    sizeBytes: count,
    textFile: text,
    sha256: fc.constant('0'.repeat(64)),
  },
  { requiredKeys: ['from', 'path', 'relativePath', 'name', 'sizeBytes'] },
);

/** Any task that can be tracked. */
export const tasks: fc.Arbitrary<TrackedTask> = fc.record({
  revision: fc.nat(),
  key: fc.nat(),
  dataset: text,
  origin: fc.option(
    fc.webUrl().map((url) => new URL(url).origin),
    { nil: undefined },
  ),
  source: fc.option(sourcesOfTasks, { nil: undefined }),
  batch: fc.option(fc.record({ id: fc.uuid(), label: text }), { nil: undefined }),
  earlier: fc.option(fc.record({ atMs: time }), { nil: undefined }),
  begunIn: fc.option(fc.uuid(), { nil: undefined }),
  attempts: fc.array(attempts, { maxLength: 7 }),
  createdMs: time,
  taskId: fc.option(
    fc
      .oneof(
        text.map((id) => JSON.stringify(`${id}#`)),
        fc.bigInt({ min: 0n, max: 10n ** 19n }).map(String),
      )
      .map((id) => id as TaskId),
    { nil: undefined },
  ),
  taskIdFrom: fc.option(sources, { nil: undefined }),
  hasImportResponse: fc.boolean(),
  phase: phases,
  hasLastResponse: fc.boolean(),
  checkedMs: fc.option(time, { nil: undefined }),
  lastQueryError: fc.option(
    fc.oneof(
      fc.record(
        { kind: named('rejected'), refusal: refusals, badKey: fc.constant(true) },
        { requiredKeys: ['kind', 'refusal'] },
      ),
      fc.record({ kind: named('failed'), failure: failures }),
    ),
    { nil: undefined },
  ),
});
