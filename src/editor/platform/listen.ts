import type { EventEmitter } from 'node:events';
import type { Disposable } from 'vscode';

/** Listens to a Node.js event until the returned object is disposed. */
export function listen<Events extends Record<keyof Events, unknown[]>, Name extends keyof Events & string>(
  emitter: EventEmitter<Events>,
  name: Name,
  listener: (...args: Events[Name]) => void,
): Disposable {
  const untyped = emitter as NodeJS.EventEmitter;
  const call = listener as (...args: unknown[]) => void;
  untyped.on(name, call);
  return { dispose: () => untyped.off(name, call) };
}
