import assert from 'node:assert/strict';
import { globSync, readFileSync, renameSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { projectFolder, vsixFile } from '../suites/project';
import { useWorkbench } from './useWorkbench';

describe('The installed extension', () => {
  const open = useWorkbench();

  it('has at most 520 KB, loads at most 60 KB when a window starts, and has both languages and a README for users', () => {
    const extension = dirname(dirname(mainFile()));
    assert.ok(statSync(mainFile()).size <= 60 * 1024, `extension.js has ${statSync(mainFile()).size} bytes`);
    assert.ok(statSync(vsixFile).size <= 520 * 1024, `the VSIX has ${statSync(vsixFile).size} bytes`);
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

  it('shows a message with Reload Window if a part of it cannot be loaded', async () => {
    const { workbench } = open();
    const engine = join(dirname(mainFile()), 'engine.js');
    renameSync(engine, `${engine}.away`);
    await workbench.reload();
    await workbench.runCommand('Dataset Import: Show Log');
    const told = await workbench.notifications.waitFor('Dataset Import could not be loaded: Cannot find module');
    assert.equal(await told.severity(), 'error');
    await workbench.notifications.waitForCount(1);
    renameSync(`${engine}.away`, engine);
    await told.click('Reload Window');
    await workbench.ready();
    await workbench.openContainer('Dataset Import');
    await workbench.view('Datasets').waitForWelcome(/Add Dataset…/);
    await workbench.view('Tasks').waitForWelcome(/Add Dataset…/);
  });

  /** The main file of the installed extension. */
  function mainFile(): string {
    const [file] = globSync(join(open().dataFolder, 'extensions', 'dataset-import.*', 'dist', 'extension.js'));
    assert.ok(file);
    return file;
  }
});
