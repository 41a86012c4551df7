import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { FileFilter, type FileRules } from '../../../src/files/fileRules';

const manifest = JSON.parse(readFileSync(path.join(__dirname, '../../../package.json'), 'utf8'));
const categories: { properties: object }[] = manifest.contributes.configuration;
const properties = Object.assign({}, ...categories.map((category) => category.properties));
const usual: FileRules = {
  include: properties['datasetImport.folders.include'].default,
  endings: properties['datasetImport.fileExtensions'].default,
  exclude: properties['datasetImport.folders.exclude'].default,
  useIgnoreFiles: true,
  sensitive: properties['datasetImport.sensitiveFiles'].default,
};

describe('The rules for files', () => {
  it('go by endings, in either case, where nothing is to be included by name', async () => {
    const filter = new FileFilter(usual);
    for (const file of ['a.txt', 'b/c.MD', '.d/e.json']) assert.ok(await takes(filter, file), file);
    for (const file of ['a', 'a.txt.exe', '.txt', 'x.txt/a', 'a.txt~']) assert.ok(!(await takes(filter, file)), file);
    assert.ok(await takes(new FileFilter({ ...usual, endings: ['.ABC'] }), 'x.abc'));
  });

  it('go by the globs to include instead of the endings, where there are some', async () => {
    const filter = new FileFilter({ ...usual, include: ['docs/**', '*.rtf'] });
    for (const file of ['docs/a', 'x/y.rtf']) assert.ok(await takes(filter, file), file);
    assert.ok(!(await takes(filter, 'a.txt')));
  });

  it('leave out what is excluded, though it is included', async () => {
    const filter = new FileFilter({ ...usual, exclude: ['*.draft.md', 'old/'] });
    assert.ok(await takes(filter, 'a.md'));
    for (const file of ['a.draft.md', 'old/a.md', 'x/old/b/a.md']) assert.ok(!(await takes(filter, file)), file);
    assert.equal(await filter.reasonAgainst('a.draft.md'), 'excluded');
    assert.equal(await filter.reasonAgainst('a.exe'), 'extension');
    const including = new FileFilter({ ...usual, include: ['*.md'] });
    assert.equal(await including.reasonAgainst('a.txt'), 'notIncluded');
    assert.ok(await filter.leavesOutFolder('x/old'));
    assert.ok(!(await filter.leavesOutFolder('x')));
  });

  it('leave out node_modules, wherever it is, unless somebody wants it', async () => {
    assert.ok(await new FileFilter(usual).leavesOutFolder('a/node_modules'));
    assert.ok(!(await new FileFilter({ ...usual, exclude: [] }).leavesOutFolder('a/node_modules')));
  });

  it('know by default what may hold secrets, by its name or by a folder above it', async () => {
    const filter = new FileFilter(usual);
    const secret = ['.env', '.ENV', '.env.local', 'prod.env', 'id_rsa', 'id_ed25519', 'server.pem', 'a.key', 'a.p12'];
    secret.push('a.pfx', 'a.ppk', 'a.jks', 'a.keystore', 'a.kdbx', '.npmrc', '.netrc', '_netrc', '.pgpass');
    secret.push('.git/config', '.ssh/config.txt', '.aws/credentials', '.docker/config.json', '.git-credentials');
    for (const file of secret) {
      assert.ok(await filter.isSensitive(`/${file}`), file);
      assert.ok(await filter.isSensitive(`/home/a\nb/${file}`), file);
    }
  });

  it('raise no false alarm by default', async () => {
    const filter = new FileFilter(usual);
    const plain = [
      '.env.example',
      '.env.sample',
      '.env.template',
      '.env.dist',
      'environment.md',
      'key.txt',
      'id_rsa.pub',
    ];
    plain.push('.github/a.yml', '.gitignore', 'pem.md', 'aws/credentials', 'config.json', 'keys/a.md', 'monkey');
    for (const file of plain) assert.ok(!(await filter.isSensitive(`/home/me/${file}`)), file);
  });

  it('judge ten thousand files in a moment', async () => {
    const filter = new FileFilter(usual);
    const files = Array.from(
      { length: 10_000 },
      (_, n) => `/home/somebody/projects/notes/part ${n % 200}/chapter/${n}.md`,
    );
    const begun = performance.now();
    for (const file of files) assert.ok((await takes(filter, file.slice(1))) && !(await filter.isSensitive(file)));
    assert.ok(performance.now() - begun < 2000);
  });
});

async function takes(filter: FileFilter, file: string): Promise<boolean> {
  return (await filter.reasonAgainst(file)) === undefined;
}
