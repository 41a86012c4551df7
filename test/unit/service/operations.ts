import type { ServiceError } from '../../../src/service/errors';
import type { Watch } from '../../../src/service/http/http';
import type { ImportService } from '../../../src/service/importService';
import { typedTaskId } from '../../../src/service/json/taskId';
import type { Target } from '../../../src/service/request/requests';
import type { Outcome, Rejection } from '../../../src/service/response/outcome';
import { assertKeyIsMasked } from './assertKeyIsMasked';
import { RawServer, type Script } from './rawServer';
import { type FileToImport, TemporaryFiles } from './temporaryFiles';
import { target, unwatched, wire } from './wire';

/** Runs one of the three operations. */
export type Operation = (
  service: ImportService,
  dataset: Target,
  file: FileToImport,
  watch: Watch,
) => Promise<Outcome<unknown>>;

/** The three operations from INTERFACE.md. */
export const OPERATIONS: Readonly<Record<'file-task' | 'query-task' | 'set-webhook', Operation>> = {
  'file-task': (service, dataset, file, watch) => service.fileTask(dataset, file, watch),
  'query-task': (service, dataset, _file, watch) => service.queryTask(dataset, typedTaskId('T1', 'string'), watch),
  'set-webhook': (service, dataset, _file, watch) =>
    service.setWebhook(dataset, new URL('https://hooks.example/'), watch),
};

/** An outcome as one line: its kind, and the error's class and reason. */
export function outcomeText(outcome: Outcome<unknown>): string {
  switch (outcome.kind) {
    case 'accepted':
      return 'accepted';
    case 'rejected':
      return formatRejection(outcome.rejection);
    case 'notUploaded':
      return `not uploaded: ${causeOf(outcome.cause)}`;
    case 'unconfirmed':
      return `unconfirmed: ${causeOf(outcome.cause)}`;
  }
}

/** A rejection as one line. */
export function formatRejection(rejection: Rejection): string {
  if (rejection.by === 'envelope') return `rejected: ${rejection.status}, code ${rejection.code}: ${rejection.message}`;
  if (rejection.by === 'status') return `rejected: ${rejection.status}: ${rejection.excerpt}`;
  return `rejected: ${rejection.status} to ${rejection.target}`;
}

function causeOf(cause: ServiceError): string {
  return 'reason' in cause ? `${cause.name} ${cause.reason}` : cause.name;
}

/** Options for `runAgainst`. */
export interface Circumstances {
  readonly settings?: Parameters<typeof wire>[0];
  /** The file to import. Defaults to a short file. */
  readonly file?: FileToImport;
  readonly watch?: Watch;
}

/** Imports a file to a scripted server. Returns the outcome as one line, and how many times the file was sent. */
export async function runAgainst(
  script: Script,
  { settings = {}, file, watch = unwatched() }: Circumstances = {},
): Promise<{ end: string; posts: number }> {
  await using server = await RawServer.start(script);
  await using files = await TemporaryFiles.make();
  const sent = file ?? (await files.write('a.txt'));
  const outcome = await wire(settings).fileTask(target(server.url), sent, watch);
  assertKeyIsMasked(outcome);
  return { end: outcomeText(outcome), posts: server.posts };
}
