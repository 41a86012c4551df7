import assert from 'node:assert/strict';
import { lintChinese } from '../../l10n/chineseRules';
import { chineseFiles, compareTexts, readTexts } from '../../l10n/compareTexts';
import { exportMessages, messageSources } from '../../l10n/sourceMessages';

describe('The messages in the source code', () => {
  it('are literals passed directly to l10n.t, as @vscode/l10n-dev requires', () => {
    const literal = /'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|`(?:[^`\\$]|\\.)*`/.source;
    const other = new RegExp(
      `l10n\\.t(?!\\(\\s*(?:(?:${literal})\\s*[,)]|\\{\\s*message: (?:${literal}),)).{0,40}`,
      'g',
    );
    const code = messageSources().join('\n');
    assert.match("l10n.t('a' + name) l10n.t(message)", other);
    assert.deepEqual(code.match(other) ?? [], []);
  });
});

describe('The translation check', () => {
  const english = new Map([
    ['Hello', 'Hello'],
    ['{0} of {1}', '{0} of {1}'],
    ['link', '$(add) [Add](command:datasetImport.addDataset), see `#some.setting#` and `code`.'],
  ]);

  it('finds missing, empty and unused translations', () => {
    assert.deepEqual(compareTexts(english, new Map([...english].slice(1))), ['"Hello" is not translated']);
    assert.deepEqual(compareTexts(english, new Map([...english, ['Hello', ' ']])), ['"Hello" is empty']);
    assert.deepEqual(compareTexts(english, new Map([...english, ['Bye', 'Bye']])), ['"Bye" is no longer used']);
  });

  it('finds changed placeholders, icons, links, settings and code, but allows placeholders in a different order', () => {
    assert.deepEqual(compareTexts(english, new Map([...english, ['{0} of {1}', '{1}: {0}']])), []);
    const change = (key: string, text: string) => compareTexts(english, new Map([...english, [key, text]])).join('\n');
    assert.match(change('{0} of {1}', '{1}: {1}'), /"\{0\} of \{1\}": placeholders must be "\{0\} \{1\}", not/);
    const [, , [, link] = ['', '']] = [...english];
    assert.match(change('link', link.replace('$(add)', '$(plus)')), /icons must be/);
    assert.match(change('link', link.replace('addDataset', 'addDatabase')), /links to commands must be/);
    assert.match(change('link', link.replace('some.setting', 'other')), /settings must be/);
    assert.match(change('link', link.replace('code', 'Code')), /text in backticks must be/);
  });
});

describe('The Chinese translations', () => {
  for (const [what, file, read] of [
    ['source code', chineseFiles.code, exportMessages],
    ['manifest', chineseFiles.manifest, async () => readTexts('package.nls.json')],
  ] as const)
    it(`for the ${what} are complete and follow the style rules`, async () => {
      const [english, chinese] = [await read(), readTexts(file)];
      assert.deepEqual([...compareTexts(english, chinese), ...lintChinese(english, chinese)], []);
    });
});
