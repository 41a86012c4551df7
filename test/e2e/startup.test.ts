import assert from 'node:assert/strict';
import { globSync, readFileSync, renameSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { projectFolder, vsixFile } from '../suites/project';
import { useWorkbench } from './useWorkbench';

describe('The installed package', () => {
  const open = useWorkbench();

  it('loads at most 60 KB at first, of at most 520 KB, and has the texts of both languages and a readme without what is about a clone', () => {
    const extension = dirname(dirname(startFile()));
    assert.ok(statSync(startFile()).size <= 60 * 1024, `extension.js has ${statSync(startFile()).size} bytes`);
    assert.ok(statSync(vsixFile).size <= 520 * 1024, `the VSIX has ${statSync(vsixFile).size} bytes`);
    for (const name of ['extension.js', 'parts.js']) {
      const code = readFileSync(join(dirname(startFile()), name), 'utf8');
      assert.equal(code.split('require("vscode")').length - 1, 1, `${name} copies the names of the vscode module`);
    }
    for (const file of ['package.nls.json', 'package.nls.zh-cn.json', join('l10n', 'bundle.l10n.zh-cn.json')]) {
      const texts = (folder: string) => JSON.parse(readFileSync(join(folder, file), 'utf8'));
      assert.deepEqual(texts(extension), texts(projectFolder));
    }
    const readme = readFileSync(join(extension, 'readme.md'), 'utf8');
    assert.equal(/^## (.*)$/m.exec(readme)?.[1], 'Use it');
    assert.doesNotMatch(readme, /npm |clone/);
  });

  it('explains in a message that a part of it cannot be loaded, which a reload can mend', async () => {
    const { workbench } = open();
    const rest = join(dirname(startFile()), 'parts.js');
    renameSync(rest, `${rest}.away`);
    await workbench.reload();
    await workbench.runCommand('Dataset Import: Show Log');
    const told = await workbench.notifications.waitFor('Dataset Import could not be loaded: Cannot find module');
    assert.equal(await told.severity(), 'error');
    await workbench.notifications.waitForCount(1);
    renameSync(`${rest}.away`, rest);
    await told.click('Reload Window');
    await workbench.ready();
    await workbench.openContainer('Dataset Import');
    await workbench.view('Datasets').waitForWelcome(/Add Dataset…/);
    await workbench.view('Tasks').waitForWelcome(/Add Dataset…/);
  });

  /** What VS Code loads of the installed extension. */
  function startFile(): string {
    const [file] = globSync(join(open().dataFolder, 'extensions', 'dataset-import.*', 'dist', 'extension.js'));
    assert.ok(file);
    return file;
  }
});
