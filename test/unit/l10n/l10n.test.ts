import assert from 'node:assert/strict';
import { chineseFiles, readTexts } from '../../l10n/checkedIn';
import { lintChinese } from '../../l10n/chineseRules';
import { compareTexts, type Texts } from '../../l10n/compareTexts';
import { exportMessages, messageSources, messagesIn } from '../../l10n/sourceMessages';

const source = (text: string) => ({ path: 'src/some.ts', text: `import { l10n } from 'vscode';\n${text}` });

describe('The messages in the source code', () => {
  it('are all exported unchanged by @vscode/l10n-dev', async () => {
    const sources = messageSources();
    const written = new Set(sources.flatMap(messagesIn));
    const exported = new Set((await exportMessages(sources)).values());
    assert.notEqual(written.size, 0);
    assert.deepEqual([...exported].toSorted(), [...written].toSorted());
  });

  it('are found in every kind of string literal', () => {
    const text = String.raw`l10n.t('it\'s {0}…', name); l10n.t(${'`'}two
lines${'`'}); l10n.t({ message: "It", comment: [] }); l10n.t(
  'last',
);`;
    assert.deepEqual(messagesIn(source(text)), ["it's {0}…", 'two\nlines', 'It', 'last']);
  });

  it('must be literals that are passed directly to l10n.t', () => {
    for (const text of [
      "l10n.t(isOne ? 'file' : 'files')",
      'l10n.t(message)',
      'l10n.t(`${count} files`)',
      "l10n.t('a' + name)",
      'const { t } = l10n;',
      'names.map(l10n.t)',
    ])
      assert.throws(() => messagesIn(source(text)), /^Error: src\/some\.ts:2: the first argument/, text);
  });
});

describe('Comparing translations', () => {
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

  it('finds changed placeholders, icons, links, settings and code, but allows a different order', () => {
    assert.deepEqual(compareTexts(english, new Map([...english, ['{0} of {1}', '{1}: {0}']])), []);
    const change = (key: string, text: string) => compareTexts(english, new Map([...english, [key, text]])).join('\n');
    assert.match(change('{0} of {1}', '{1}: {1}'), /"\{0\} of \{1\}": placeholders must be "\{0\} \{1\}", not/);
    const [, , [, link] = ['', '']] = [...english];
    assert.match(change('link', link.replace('$(add)', '$(plus)')), /icons must be/);
    assert.match(change('link', link.replace('addDataset', 'addDatabase')), /links to commands must be/);
    assert.match(change('link', link.replace('some.setting', 'other')), /settings must be/);
    assert.match(change('link', link.replace('code', 'Code')), /what is in backticks must be/);
  });
});

describe('The rules for Chinese text', () => {
  const lint = (english: string, chinese: string) =>
    lintChinese(new Map([['key', english]]), new Map([['key', chinese]])).map((fault) => fault.split(': ').at(-1));

  it('accept a correct text', () => {
    for (const [english, chinese] of [
      ["Uploaded '{0}' to {1}.", '已将“{0}”上传到 {1}。'],
      ['Import Files…', '导入文件…'],
      ['code {0}: {1}', '代码 {0}: {1}'],
      ['Enter "present", such as `{0}` (or not)?', '输入 "present"，例如 `{0}` (或者不输入)?'],
      ['The setting `x` is used by VS Code.', '设置 `x` 由 VS Code 使用。'],
    ] as const)
      assert.deepEqual(lint(english, chinese), [], chinese);
  });

  it('find mistakes in punctuation and spacing', () => {
    for (const [chinese, fault] of [
      ['确定吗？', /half-width/],
      ['文件,数据', /full-width ，/],
      ['文件.', /full-width 。/],
      ["已上传 '{0}'", /“ ”/],
      ['已上传 "{0}"', /“ ”/],
      ['名为"文件"', /“ ”/],
      ['已上传 「{0}」', /“ ”/],
      ['文件...', /one …/],
      ['您的文件', /你/],
      ['文件{0}', /space before Latin/],
      ['{0}个文件', /space after Latin/],
      ['使用VS Code', /space before Latin/],
      ['使用`code` 设置', /space before Latin/],
      ['文件， 数据', /no space beside/],
      ['文件:{0}', /space after a colon/],
      ['文件 “{0}”', /no space between Chinese and quotes/],
    ] as const)
      assert.match(lint('', chinese).join(), fault, chinese);
  });

  it('find terms that are translated differently, and missing or extra periods', () => {
    assert.deepEqual(lint('Set Access Key', '设置密钥'), ['Access Key is 访问密钥 in Chinese']);
    assert.deepEqual(lint('{0} queued', '{0} 等待'), ['{0} queued is 已排队 in Chinese']);
    assert.deepEqual(lint('Import `tasks` from https://import.example.com', '导入 `tasks`'), []);
    assert.deepEqual(lint('Nothing was sent.', '未发送任何内容'), ['end with 。']);
    assert.deepEqual(lint('Show Log', '显示日志。'), ['end without 。']);
  });
});

describe('The Chinese translations', () => {
  const check = (english: Texts, file: string) => {
    const chinese = readTexts(file);
    assert.deepEqual([...compareTexts(english, chinese), ...lintChinese(english, chinese)], []);
  };

  it('for the source code are complete and follow the rules', async () => {
    check(await exportMessages(messageSources()), chineseFiles.code);
  });

  it('for the manifest are complete and follow the rules', () => {
    check(readTexts('package.nls.json'), chineseFiles.manifest);
  });
});
