import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { FileMatcher } from '../../../src/files/fileMatcher';
import type { FileRules } from '../../../src/files/fileRules';
import { projectFolder } from '../../suites/project';

const manifest = JSON.parse(readFileSync(path.join(projectFolder, 'package.json'), 'utf8'));
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
  it('go by endings, in either case, where nothing is to be included by name', () => {
    for (const file of ['a.txt', 'b/c.MD', '.d/e.json']) assert.ok(takes(usual, file), file);
    for (const file of ['a', 'a.txt.exe', '.txt', 'x.txt/a', 'a.txt~']) assert.ok(!takes(usual, file), file);
    assert.ok(takes({ ...usual, endings: ['.ABC'] }, 'x.abc'));
  });

  it('go by the globs to include instead of the endings, where there are some', () => {
    const rules = { ...usual, include: ['docs/**', '*.rtf'] };
    for (const file of ['docs/a', 'x/y.rtf']) assert.ok(takes(rules, file), file);
    assert.ok(!takes(rules, 'a.txt'));
  });

  it('leave out what is excluded, though it is included', () => {
    const rules = { ...usual, exclude: ['*.draft.md', 'old/'] };
    assert.ok(takes(rules, 'a.md'));
    for (const file of ['a.draft.md', 'old/a.md', 'x/old/b/a.md']) assert.ok(!takes(rules, file), file);
    assert.equal(reasonAgainst(rules, 'a.draft.md'), 'excluded');
    assert.equal(reasonAgainst(rules, 'a.exe'), 'extension');
    const including = { ...usual, include: ['*.md'] };
    assert.equal(reasonAgainst(including, 'a.txt'), 'notIncluded');
    assert.ok(leavesOutFolder(rules, 'x/old'));
    assert.ok(!leavesOutFolder(rules, 'x'));
  });

  it('leave out node_modules, wherever it is, unless somebody wants it', () => {
    assert.ok(leavesOutFolder(usual, 'a/node_modules'));
    assert.ok(!leavesOutFolder({ ...usual, exclude: [] }, 'a/node_modules'));
  });

  it('know by default what may hold secrets, by its name or by a folder above it', () => {
    const secret = ['.env', '.ENV', '.env.local', 'prod.env', 'id_rsa', 'id_ed25519', 'server.pem', 'a.key', 'a.p12'];
    secret.push('a.pfx', 'a.ppk', 'a.jks', 'a.keystore', 'a.kdbx', '.npmrc', '.netrc', '_netrc', '.pgpass');
    secret.push('.git/config', '.ssh/config.txt', '.aws/credentials', '.docker/config.json', '.git-credentials');
    for (const file of secret) {
      assert.ok(isSensitive(`/${file}`), file);
      assert.ok(isSensitive(`/home/a\nb/${file}`), file);
    }
  });

  it('raise no false alarm by default', () => {
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
    for (const file of plain) assert.ok(!isSensitive(`/home/me/${file}`), file);
  });
});

function reasonAgainst(rules: FileRules, path: string) {
  const matcher = new FileMatcher([]);
  matcher.addFolder('top', rules);
  return matcher.reasonAgainst('top', path);
}

function takes(rules: FileRules, file: string): boolean {
  return reasonAgainst(rules, file) === undefined;
}

function leavesOutFolder(rules: FileRules, folder: string): boolean {
  return reasonAgainst(rules, `${folder}/`) === 'excluded';
}

function isSensitive(file: string): boolean {
  return new FileMatcher(usual.sensitive).isSensitive(file);
}
