import assert from 'node:assert/strict';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Uri } from 'vscode';
import { collectFiles } from '../../../../src/editor/collecting/collectFiles';
import { formatLeftOut, leftOutOf } from '../../../../src/editor/collecting/leftOut';
import { fileRules } from '../../../../src/editor/platform/settings';
import { WorkspaceFiles } from '../../workspaceFiles';

describe('What an import leaves out', () => {
  let files: WorkspaceFiles;

  beforeEach(() => {
    files = new WorkspaceFiles('left');
  });
  afterEach(() => files.remove());

  it('is listed with the reason for each file and folder, and named in a sentence', async () => {
    for (const name of ['a.txt', 'b.bin', 'c.log.txt', '.gitignore', 'node_modules/d.txt', 'real/e.txt']) {
      mkdirSync(join(files.folder, name, '..'), { recursive: true });
      writeFileSync(join(files.folder, name), name === '.gitignore' ? '*.log.txt\n' : 'text');
    }
    symlinkSync('real', join(files.folder, 'linked'));
    symlinkSync('nowhere', join(files.folder, 'broken.txt'));
    const collected = await collectFiles([Uri.file(files.folder)], fileRules, new AbortController().signal);
    const { items, more, files: count } = leftOutOf(collected);
    assert.deepEqual(
      items.map(({ name, why }) => `${name}: ${why}`),
      [
        'left/.gitignore: it has no file extension',
        'left/b.bin: .bin is not a listed file extension',
        'left/broken.txt: broken link',
        'left/c.log.txt: ignored by .gitignore',
        'left/linked: link to a folder',
        "left/node_modules: in the setting 'datasetImport.folders.exclude'",
      ],
    );
    assert.deepEqual(formatLeftOut(collected), [
      'Skipped: .gitignore (it has no file extension), b.bin (.bin is not a listed file extension), broken.txt (broken link), c.log.txt (ignored by .gitignore), linked (link to a folder), and 1 more.',
    ]);
    assert.deepEqual([more, count], [0, 4]);
  });
});
