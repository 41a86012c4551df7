import assert from 'node:assert/strict';
import { globSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { projectFolder, vsixFile } from '../suites/project';
import { useWorkbench } from './useWorkbench';

describe('The installed extension', () => {
  const open = useWorkbench();

  it('is at most 460 KB, loads at most 10 KB at startup, and includes its English and Chinese text and a README', () => {
    const extension = dirname(dirname(mainFile()));
    assert.ok(statSync(mainFile()).size <= 10 * 1024, `extension.js has ${statSync(mainFile()).size} bytes`);
    assert.ok(statSync(vsixFile).size <= 460 * 1024, `the VSIX has ${statSync(vsixFile).size} bytes`);
    for (const name of ['extension.js', 'engine.js']) {
      const code = readFileSync(join(dirname(mainFile()), name), 'utf8');
      assert.equal(code.split('require("vscode")').length - 1, 1, `${name} copies the vscode module`);
    }
    for (const file of ['package.nls.json', 'package.nls.zh-cn.json', join('l10n', 'bundle.l10n.zh-cn.json')]) {
      const texts = (folder: string) => JSON.parse(readFileSync(join(folder, file), 'utf8'));
      assert.deepEqual(texts(extension), texts(projectFolder));
    }
    const readme = readFileSync(join(extension, 'readme.md'), 'utf8');
    assert.equal(/^## (.*)$/m.exec(readme)?.[1], 'Start in 30 seconds');
    assert.doesNotMatch(readme, /npm |clone/);
  });

  /** The main file of the installed extension. */
  function mainFile(): string {
    const [file] = globSync(join(open().dataFolder, 'extensions', 'dataset-import.*', 'dist', 'extension.js'));
    assert.ok(file);
    return file;
  }
});
