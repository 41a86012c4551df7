import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

const folder = path.join(__dirname, '../../../src/service');

describe('src/service', () => {
  for (const file of readdirSync(folder)) {
    const lines = readFileSync(path.join(folder, file), 'utf8').split('\n');

    it(`${file}: every exported name has a doc comment with the section of INTERFACE.md that it rests on`, () => {
      const unfounded = lines.filter((line, index) => {
        if (!/^export (?!type \{|\{)/.test(line)) return false;
        const begin = lines.slice(0, index).findLastIndex((before) => before.startsWith('/**'));
        const doc = lines
          .slice(begin, index)
          .join(' ')
          .replaceAll(/[\s*]+/g, ' ');
        return !/\*\/$/.test(lines[index - 1] ?? '') || !/INTERFACE\.md \d/.test(doc);
      });
      assert.deepEqual(unfounded, []);
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
