import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { projectFolder } from '../../../suites/project';

const folder = path.join(projectFolder, 'src');

/** Functions that show or log text, and the files that are allowed to call them. */
const guarded: readonly (readonly [title: string, calls: RegExp, files: readonly string[]])[] = [
  [
    'is shown in messages, Quick Picks, input boxes and progress only by our own window functions',
    /\b(?:show(?:Information|Warning|Error)Message|showQuickPick|showInputBox|withProgress|setStatusBarMessage)\b/,
    ['editor/platform/window.ts', 'editor/platform/messages.ts'],
  ],
  [
    'is shown in custom inputs and webviews only by our own window functions',
    /\bcreate(?:QuickPick|InputBox|WebviewPanel)\b|\bshowWorkspaceFolderPick\b/,
    ['editor/platform/window.ts'],
  ],
  [
    'is logged only by the Messages class',
    /\blog(?:\.|\[|\?\.)(?:trace|debug|info|warn|error|append|level)/,
    ['editor/platform/messages.ts'],
  ],
  ['is never printed to the console', /\bconsole\./, []],
];

/** Matches files that import our `window`. */
const importsOurWindow = /^import \{.*\bwindow\b.*\} from '(?:\.|(?:\.\.\/)+platform)\/window';$/m;

describe('Untrusted text', () => {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((file) => file.replaceAll(path.sep, '/'))
    .filter((file) => file.endsWith('.ts') && !file.startsWith('sandbox/'));

  for (const [title, calls, allowed] of guarded) {
    it(title, () => {
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
