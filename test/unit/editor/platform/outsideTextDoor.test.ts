import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { projectFolder } from '../../../suites/project';

const folder = path.join(projectFolder, 'src');

/** Functions that show or log text, the files that may call those functions, and what all other files must use instead. */
const guarded: readonly (readonly [calls: RegExp, files: readonly string[], instead: string])[] = [
  [
    /\b(?:show(?:Information|Warning|Error)Message|showQuickPick|showInputBox|withProgress|setStatusBarMessage)\b/,
    ['editor/platform/window.ts', 'editor/platform/messages.ts'],
    'window of editor/platform/window.ts',
  ],
  [
    /\bcreate(?:QuickPick|InputBox|WebviewPanel)\b|\bshowWorkspaceFolderPick\b/,
    ['editor/platform/window.ts'],
    'window of editor/platform/window.ts',
  ],
  [/\blog(?:\.|\[|\?\.)(?:trace|debug|info|warn|error|append|level)/, ['editor/platform/messages.ts'], 'Messages'],
  [/\bconsole\./, [], 'Messages'],
];

/** Matches files that import our `window`. */
const importsOurWindow = /^import \{.*\bwindow\b.*\} from '(?:\.|(?:\.\.\/)+platform)\/window';$/m;

describe('Untrusted text', () => {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((file) => file.replaceAll(path.sep, '/'))
    .filter((file) => file.endsWith('.ts') && !file.startsWith('sandbox/'));

  for (const [calls, allowed, instead] of guarded) {
    it(`is shown or logged only by ${instead}, not directly by ${calls.source}`, () => {
      const violations = files.flatMap((file) => {
        if (allowed.includes(file)) return [];
        const text = readFileSync(path.join(folder, file), 'utf8');
        const code = importsOurWindow.test(text) ? text.replaceAll(/(?<![.\w])window\s*\.\w+/g, '') : text;
        return code.split('\n').flatMap((line, index) => (calls.test(line) ? [`${file}:${index + 1}: ${line}`] : []));
      });
      assert.deepEqual(violations, []);
    });
  }

  it('is escaped in every tree row', () => {
    const trees = files.filter(
      (file) =>
        // A lazy tree only forwards the real tree's items.
        file !== 'editor/lazyTree.ts' && /\bgetTreeItem\(/.test(readFileSync(path.join(folder, file), 'utf8')),
    );
    assert.ok(trees.length > 0);
    for (const file of trees) assert.match(readFileSync(path.join(folder, file), 'utf8'), /\bvisibleItem\(/, file);
  });
});
