import { CanceledError, SourceError, UnexpectedError } from '../../service/errors';
import type { ImportService } from '../../service/importService';
import type { Target } from '../../service/request/requests';
import type { Outcome } from '../../service/response/outcome';
import type { BegunTask } from '../../service/response/taskReport';
import type { Content } from '../store/model';
import type { Clock } from '../timing/clock';
import type { ReadFile } from './fileOperations';
import { type Files, isPassing, type Prepared, smallBody } from './files';
import { orCanceled } from './orCanceled';

/** A file that was read ahead is looked at again if that was longer ago. */
const FRESH_MS = 1000;

/** A prepared file that is about to be sent. */
export interface Upload {
  readonly path: string;
  readonly name: string;
  readonly relativePath: string;
  readonly prepared: ReadFile;
  /** When it was prepared, by the monotonic clock. */
  readonly preparedMs: number;
  readonly signal: AbortSignal;
  /** Called in the turn in which the first byte is written. Nothing is sent if it throws. */
  atFirstByte(): void;
  onSent(sentBytes: number): void;
}

export type Uploaded =
  | {
      readonly kind: 'ended';
      readonly outcome: Outcome<BegunTask>;
      readonly sentBytes: number;
      readonly content: Content | undefined;
    }
  /** Nothing was sent, because the file is in use or being written. */
  | { readonly kind: 'later'; readonly error: SourceError };

interface UploadPorts {
  readonly service: Pick<ImportService, 'fileTask'>;
  readonly files: Pick<Files, 'prepare' | 'isUnchanged' | 'open'>;
  readonly clock: Clock;
}

/** Sends one prepared file, whose import is marked as sending. Never rejects. */
export async function uploadFile(ports: UploadPorts, target: Target, upload: Upload): Promise<Uploaded> {
  const { signal } = upload;
  let sentBytes = 0;
  let content: Content | undefined;
  const ended = (outcome: Outcome<BegunTask>): Uploaded => ({ kind: 'ended', outcome, sentBytes, content });
  try {
    const prepared = await orCanceled(stillPrepared(ports, upload), signal);
    if (prepared.kind === 'later') return prepared;
    if (prepared.kind === 'failed') return ended({ kind: 'notUploaded', cause: prepared.error });
    const open = async () => {
      const body = await bodyOf(ports.files, upload, prepared);
      content = { sizeBytes: body.sizeBytes, modifiedMs: body.modifiedMs ?? null, sha256: null };
      return body;
    };
    const body = await orCanceled(open(), signal, (late) => late.close());
    const outcome = await ports.service.fileTask(
      target,
      { relativePath: upload.relativePath, open: async () => body },
      {
        signal,
        onSent: (bytes) => {
          sentBytes = bytes;
          upload.onSent(bytes);
        },
        atFirstByte: () => upload.atFirstByte(),
      },
    );
    if (content !== undefined) content = { ...content, sha256: body.sha256() ?? null };
    if (outcome.kind !== 'notUploaded') return ended(outcome);
    if (signal.aborted) return ended({ kind: 'notUploaded', cause: new CanceledError() });
    return later(outcome.cause, upload.name) ?? ended(outcome);
  } catch (error) {
    const waiting = later(error, upload.name);
    if (waiting !== undefined) return waiting;
    if (error instanceof CanceledError || error instanceof SourceError)
      return ended({ kind: 'notUploaded', cause: error });
    // Only steps before the request can throw.
    return ended({ kind: 'notUploaded', cause: new UnexpectedError({ cause: error }) });
  }
}

/** Nothing was sent of a file that is in use or being written. */
function later(error: unknown, name: string): Uploaded | undefined {
  if (!(error instanceof SourceError) || !isPassing(error)) return undefined;
  return { kind: 'later', error: error.reason === 'changed' ? new SourceError('changing', name) : error };
}

/** The file as it was prepared, or as it is now if it has changed since. A large file may be being written by now. */
async function stillPrepared({ files, clock }: UploadPorts, upload: Upload): Promise<Prepared> {
  const { path, name, prepared, preparedMs } = upload;
  const isFresh = clock.monotonicMs() - preparedMs < FRESH_MS;
  if (prepared.kind === 'small' && (isFresh || (await files.isUnchanged(path, prepared)))) return prepared;
  const [again] = await files.prepare([{ path, name }]);
  return again ?? prepared;
}

async function bodyOf(files: UploadPorts['files'], { path, name }: Upload, prepared: ReadFile) {
  return prepared.kind === 'small' ? smallBody(name, prepared) : files.open(path, name);
}
