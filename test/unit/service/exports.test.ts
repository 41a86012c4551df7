import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

const folder = path.join(__dirname, '../../../src/service');

describe('src/service', () => {
  for (const file of readdirSync(folder)) {
    const lines = readFileSync(path.join(folder, file), 'utf8').split('\n');

    it(`${file}: every exported name has a doc comment`, () => {
      const bare = lines.filter(
        (line, index) => /^export (?!type \{|\{)/.test(line) && !/\*\/$/.test(lines[index - 1] ?? ''),
      );
      assert.deepEqual(bare, []);
    });

    it(`${file}: imports neither vscode nor what is built on the service`, () => {
      const imported = lines.flatMap((line) => /(?:from|require\()\s*'([^']+)'/.exec(line)?.[1] ?? []);
      assert.deepEqual(
        imported.filter((name) => name === 'vscode' || name.startsWith('../')),
        [],
      );
    });
  }
});
