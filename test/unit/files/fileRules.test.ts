import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { compileRules, type FileRules, sensitiveTest } from '../../../src/files/fileRules';
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

describe('File rules', () => {
  it('select files by extension, ignoring case, if `include` has no globs', () => {
    for (const file of ['a.txt', 'b/c.MD', '.d/e.json']) assert.ok(selects(usual, file), file);
    for (const file of ['a', 'a.txt.exe', '.txt', 'x.txt/a', 'a.txt~']) assert.ok(!selects(usual, file), file);
    assert.ok(selects({ ...usual, endings: ['.ABC'] }, 'x.abc'));
  });

  it('select files by the globs in `include` instead of by extension', () => {
    const rules = { ...usual, include: ['docs/**', '*.rtf'] };
    for (const file of ['docs/a', 'x/y.rtf']) assert.ok(selects(rules, file), file);
    assert.ok(!selects(rules, 'a.txt'));
  });

  it('skip files that match `exclude`, even if their extension is included', () => {
    const rules = { ...usual, exclude: ['*.draft.md', 'old/'] };
    assert.ok(selects(rules, 'a.md'));
    for (const file of ['a.draft.md', 'old/a.md', 'x/old/b/a.md']) assert.ok(!selects(rules, file), file);
    assert.equal(reasonAgainst(rules, 'a.draft.md'), 'excluded');
    assert.equal(reasonAgainst(rules, 'a.exe'), 'extension');
    assert.equal(reasonAgainst({ ...usual, include: ['*.md'] }, 'a.txt'), 'notIncluded');
    assert.ok(skipsFolder(rules, 'x/old'));
    assert.ok(!skipsFolder(rules, 'x'));
  });

  it('skip every node_modules folder by default', () => {
    assert.ok(skipsFolder(usual, 'a/node_modules'));
    assert.ok(!skipsFolder({ ...usual, exclude: [] }, 'a/node_modules'));
  });

  it("recognize sensitive files by their own name or by a parent folder's name", () => {
    const secret = [
      '.env',
      '.ENV',
      '.env.local',
      'prod.env',
      'id_rsa',
      'id_rsa.txt',
      'id_ed25519',
      'server.pem',
      'a.key',
      'a.p12',
    ];
    secret.push('a.pfx', 'a.ppk', 'a.jks', 'a.keystore', 'a.kdbx', '.npmrc', '.netrc', '_netrc', '.pgpass');
    secret.push(
      'Passwords.txt',
      'credentials',
      'docs/secrets.yaml',
      'api-keys.csv',
      'client_secret_1.json',
      '密码.txt',
    );
    secret.push('.git/config', '.ssh/config.txt', '.aws/credentials', '.docker/config.json', '.git-credentials');
    for (const file of secret) {
      assert.ok(isSensitive(`/${file}`), file);
      assert.ok(isSensitive(`/home/a\nb/${file}`), file);
    }
  });

  it("don't treat harmless files with similar names as sensitive", () => {
    const plain = [
      '.env.example',
      '.env.sample',
      '.env.template',
      '.env.dist',
      'environment.md',
      'key.txt',
      'id_rsa.pub',
    ];
    plain.push('.github/a.yml', '.gitignore', 'pem.md', 'password-policy.md', 'config.json', 'keys/a.md', 'monkey');
    for (const file of plain) assert.ok(!isSensitive(`/home/me/${file}`), file);
  });
});

function reasonAgainst(rules: FileRules, path: string) {
  return compileRules(rules).reasonAgainst(path);
}

function selects(rules: FileRules, file: string): boolean {
  return reasonAgainst(rules, file) === undefined;
}

function skipsFolder(rules: FileRules, folder: string): boolean {
  return reasonAgainst(rules, `${folder}/`) === 'excluded';
}

function isSensitive(file: string): boolean {
  return sensitiveTest(usual)(file);
}
