// What a MatchThread runs: calls the method of a FileMatcher that a message names, and responds with its result.
import { parentPort, workerData } from 'node:worker_threads';
import { FileMatcher } from './fileMatcher';
import type { MatchCall, MatchSetup } from './matchThread';

const { sensitive, currentSource, noSource } = workerData as MatchSetup;
const matcher = new FileMatcher(sensitive, (source) => {
  currentSource[0] = source;
});

parentPort?.on('message', ({ method, args }: MatchCall) => {
  const result = (matcher[method] as (...given: unknown[]) => unknown)(...args);
  currentSource[0] = noSource;
  parentPort?.postMessage(result);
});
