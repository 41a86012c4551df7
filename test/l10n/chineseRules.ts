import { quoted, type Texts } from './compareTexts';

const HAN = '\\p{Script=Han}';

/** Patterns that match mistakes in Chinese text, and how to correct each mistake. */
const FORBIDDEN: readonly (readonly [pattern: RegExp, instead: string])[] = [
  [/[：（）？；！]/u, 'use half-width colons, brackets and marks'],
  [new RegExp(`${HAN},|,${HAN}`, 'u'), 'use a full-width ，'],
  [new RegExp(`${HAN}\\.(?!\\w)`, 'u'), 'use a full-width 。'],
  [/[‘’「」『』]|'/u, 'quote with “ ”'],
  [new RegExp(`"${HAN}|${HAN}"|"\\{\\d+\\}"`, 'u'), 'quote with “ ”'],
  [/\.\.\.|……/, 'use one …'],
  [/您/, 'use 你'],
  [
    new RegExp(`${HAN}(?:[\\w\`$]|\\{\\d)`, 'u'),
    'put a space before Latin letters, digits, backticks and placeholders',
  ],
  [new RegExp(`(?:[\\w\`]|\\d\\})${HAN}`, 'u'), 'put a space after Latin letters, digits, backticks and placeholders'],
  [/[，。、] | [，。、]/u, 'put no space beside ， 。 、'],
  [new RegExp(`${HAN}:(?![ \\n]|$)`, 'u'), 'put a space after a colon'],
  [new RegExp(`${HAN} [“(]|[”)] ${HAN}`, 'u'), 'put no space between Chinese and quotes or brackets'],
  [/ {2}/, 'one space is enough'],
];

/** Words with a fixed translation. */
const TERMS: readonly (readonly [english: RegExp, chinese: RegExp])[] = [
  [/\baccess keys?\b/i, /访问密钥/],
  [/\bimport(?:s|ed|ing)?\b/i, /导入/],
  [/\btasks?\b/i, /任务/],
  [/\bdatasets?\b/i, /数据集/],
  [/\bretry(?:ing)?\b/i, /重试/],
  [/\bworkspaces?\b/i, /工作区/],
  [/\bcommand palette\b/i, /命令面板/],
  [/\bstatus bar\b/i, /状态栏/],
  [/\bExplorer\b/, /资源管理器/],
  [/\bwalkthroughs?\b/i, /演练/],
  [/\bextension hosts?\b/i, /扩展宿主/],
  [/\brestricted mode\b/i, /受限模式/],
  [/\bfailed to\b/i, /无法/],
  [/\bfailed\b/i, /失败|无法|未能/],
  [/^(?:\{0\} )?queued\b/i, /已(?:再次)?排队/],
  [/^(?:\{0\} )?running$/i, /正在运行/],
];

/** Names, URLs and code, which aren't translated. */
const NAMES = /Dataset Import|datasetImport[\w.]*|https?:\S+|import\.example\.com|command:\S+|`[^`]*`|\/\S+/g;

/** Describes where the text deviates from the style of VS Code's own Chinese translation, one deviation per line. */
export function lintChinese(english: Texts, chinese: Texts): string[] {
  return [...chinese].flatMap(([key, text]) => {
    const original = (english.get(key) ?? '').replaceAll(NAMES, '');
    const prose = text.replaceAll(/`[^`]*`/g, '`').replaceAll('``', '`');
    return [
      ...FORBIDDEN.filter(([pattern]) => pattern.test(pattern.source.includes('`') ? text : prose)).map(
        ([, instead]) => instead,
      ),
      ...TERMS.filter(([word, term]) => word.test(original) && !term.test(text)).map(
        ([word, term]) => `${word.exec(original)?.[0]} is ${term.source} in Chinese`,
      ),
      ...(/[.]$/.test(original) && !/[。.)}\w`”]$/.test(text) ? ['end with 。'] : []),
      ...(/[\w…]$/.test(original) && /。$/.test(text) ? ['end without 。'] : []),
    ].map((fault) => `${quoted(key)} is ${quoted(text)}: ${fault}`);
  });
}
