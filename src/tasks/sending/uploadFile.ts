import { SourceError, unsentCause } from '../../service/errors';
import type { Watch } from '../../service/http/http';
import type { ImportService } from '../../service/importService';
import { orCanceled } from '../../service/orCanceled';
import type { Target } from '../../service/request/requests';
import type { Outcome } from '../../service/response/outcome';
import type { TaskIds } from '../../service/response/taskIds';
import type { Content, NextImport } from '../store/model';
import type { Clock } from '../timing/clock';
import type { ReadFile } from './fileOperations';
import { type Files, isPassing, type Prepared, smallBody } from './files';

/** If a file was read longer ago than this, check whether it has changed since. */
export const FRESH_MS = 1000;

/** An import and its prepared file. */
export interface Upload {
  readonly next: Pick<NextImport, 'name' | 'relativePath'>;
  readonly path: string;
  readonly file: ReadFile;
  /** When the file was read, on the monotonic clock. */
  readonly readMs: number;
}

export type Uploaded =
  /** `content` describes what was sent. */
  | { readonly kind: 'ended'; readonly outcome: Outcome<TaskIds>; readonly content?: Content }
  /** Nothing was sent, because the file is in use or being written. */
  | { readonly kind: 'later'; readonly error: SourceError };

export interface UploadPorts {
  readonly service: Pick<ImportService, 'fileTask'>;
  readonly files: Pick<Files, 'prepare' | 'isUnchanged' | 'open'>;
  readonly clock: Clock;
}

/** Sends the file of an import that is marked as sending. Never rejects. */
export async function uploadFile(ports: UploadPorts, target: Target, upload: Upload, watch: Watch): Promise<Uploaded> {
  const { name, relativePath } = upload.next;
  const { signal } = watch;
  try {
    const file = await orCanceled(currentFile(ports, upload), signal);
    if (file.kind === 'failed') throw file.error;
    const opening = file.kind === 'small' ? smallBody(name, file) : ports.files.open(upload.path, name);
    const body = await orCanceled(Promise.resolve(opening), signal, (late) => late.close());
    const outcome = await ports.service.fileTask(target, { relativePath, open: async () => body }, watch);
    const { sizeBytes, modifiedMs = null } = body;
    const content = { sizeBytes, modifiedMs, sha256: body.sha256() ?? null };
    return later(outcome, name) ?? { kind: 'ended', outcome, content };
  } catch (error) {
    // Only the steps before the request can throw, so nothing was sent.
    const outcome = { kind: 'notUploaded', cause: unsentCause(error) } as const;
    return later(outcome, name) ?? { kind: 'ended', outcome };
  }
}

/** Returns `later` if nothing was sent because the file is in use or being written. */
function later(outcome: Outcome<unknown>, name: string): Uploaded | undefined {
  const error = outcome.kind === 'notUploaded' ? outcome.cause : undefined;
  if (!(error instanceof SourceError) || !isPassing(error)) return undefined;
  return { kind: 'later', error: error.reason === 'changed' ? new SourceError('changing', name) : error };
}

/** Prepares the file again if it may have changed. */
async function currentFile({ files, clock }: UploadPorts, { next, path, file, readMs }: Upload): Promise<Prepared> {
  const isFresh = clock.monotonicMs() - readMs < FRESH_MS;
  if (file.kind === 'small' && (isFresh || (await files.isUnchanged(path, file)))) return file;
  const [again] = await files.prepare([{ path, name: next.name }]);
  return again ?? file;
}
