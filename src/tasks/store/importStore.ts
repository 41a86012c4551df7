import { WorkerCalls } from '../workerCalls';
import type { ImportStoreCalls, StoreSetup } from './importStoreProgram';
import { type FaultReason, StoreFault } from './storeFault';

/** An unusable database file that was renamed. `aside` is its new path. */
export interface SetAside {
  readonly aside: string;
  readonly reason: 'damaged' | 'foreign';
}

/** The store as the extension host sees it: each call is a message to the worker that owns the file. */
export interface ImportStore extends ImportStoreCalls {
  /** Ends the worker. */
  close(): Promise<void>;
}

/** Opens the store. Nothing is read or created before the first call. */
export function openImportStore(
  setup: StoreSetup,
  { program, onSetAside }: { readonly program: string; onSetAside(aside: SetAside): void },
): ImportStore {
  const onNotice = (notice: unknown) => onSetAside(notice as SetAside);
  const worker = new WorkerCalls({ program, data: setup, asError, onNotice });
  return new Proxy({} as ImportStore, {
    get: (_target, name) => {
      if (name === 'close') return () => worker.end();
      // If the store had a `then` method, `await` would treat it as a promise.
      return name === 'then' ? undefined : (argument: unknown) => worker.call(String(name), argument);
    },
  });
}

function asError(error: unknown): StoreFault {
  const { reason = 'ended', message } = error as { readonly reason?: FaultReason; readonly message: string };
  return new StoreFault(reason, message);
}
