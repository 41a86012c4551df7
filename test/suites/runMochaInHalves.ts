import { globSync, statSync } from 'node:fs';
import type { EditorVersion } from '../editor/editorVersions';
import type { Counts } from './countingSpec';
import { runMocha } from './runMocha';

/**
 * Runs the tests in the files that match the glob in two processes at once, for tests that mostly wait for an editor.
 * What the second one prints comes after what the first one does. Undefined where one of them died.
 */
export async function runMochaInHalves(
  glob: string,
  timeoutMs: number,
  editor: EditorVersion,
): Promise<Counts | undefined> {
  const [first, second] = halves(globSync(glob));
  const printed: Buffer[] = [];
  const running = [
    runMocha(first, timeoutMs, editor),
    runMocha(second, timeoutMs, editor, (chunk) => printed.push(chunk)),
  ];
  const [one, other] = await Promise.all(running).finally(() => process.stdout.write(Buffer.concat(printed)));
  return one && other && { passed: one.passed + other.passed, failures: [...one.failures, ...other.failures] };
}

/** By the sizes of the files, as a longer one takes longer. */
function halves(files: readonly string[]): readonly [first: string[], second: string[]] {
  const bytesOf = (file: string) => statSync(file).size;
  const both: readonly [string[], string[]] = [[], []];
  let [firstBytes, secondBytes] = [0, 0];
  for (const file of files.toSorted((one, other) => bytesOf(other) - bytesOf(one))) {
    if (firstBytes <= secondBytes) {
      both[0].push(file);
      firstBytes += bytesOf(file);
    } else {
      both[1].push(file);
      secondBytes += bytesOf(file);
    }
  }
  return both;
}
