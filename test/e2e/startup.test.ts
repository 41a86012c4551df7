import assert from 'node:assert/strict';
import { globSync, readFileSync, renameSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { projectFolder, vsixFile } from '../suites/project';
import { useWorkbench } from './useWorkbench';

describe('The start of a window', () => {
  const open = useWorkbench(() => ({ workspace: join(projectFolder, 'test', 'workspace') }));

  it('loads at most 60 KB, of a package of at most 520 KB', () => {
    assert.ok(statSync(startFile()).size <= 60 * 1024, `extension.js has ${statSync(startFile()).size} bytes`);
    assert.ok(statSync(vsixFile).size <= 520 * 1024, `the VSIX has ${statSync(vsixFile).size} bytes`);
  });

  it('comes with a page that begins with its use, without what is about a clone', () => {
    const page = readFileSync(join(dirname(dirname(startFile())), 'readme.md'), 'utf8');
    assert.equal(/^## (.*)$/m.exec(page)?.[1], 'Use it');
    assert.doesNotMatch(page, /npm |clone/);
  });

  it('comes with the texts of both languages', () => {
    for (const file of ['package.nls.json', 'package.nls.zh-cn.json', join('l10n', 'bundle.l10n.zh-cn.json')]) {
      const texts = (folder: string) => JSON.parse(readFileSync(join(folder, file), 'utf8'));
      assert.deepEqual(texts(dirname(dirname(startFile()))), texts(projectFolder));
    }
  });

  it('copies the names of the vscode module once, not for each file that imports it', () => {
    for (const name of ['extension.js', 'parts.js']) {
      const code = readFileSync(join(dirname(startFile()), name), 'utf8');
      assert.equal(code.split('require("vscode")').length - 1, 1, name);
    }
  });

  it('needs nothing else, and a command tells where the rest cannot be loaded', async () => {
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
