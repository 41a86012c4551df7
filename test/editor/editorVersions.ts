/**
 * A VS Code version for tests. It comes from the npm registry, where the code-server package contains VS Code's own
 * server and workbench.
 */
export interface EditorVersion {
  readonly vscode: string;
  readonly codeServer: string;
  /** The Node version that the editor's server needs. */
  readonly node: string;
  /**
   * Newer package versions to install in place of the ones that code-server requires, because those would have to be
   * compiled.
   */
  readonly overrides?: Readonly<Record<string, string>>;
}

/** The oldest supported VS Code (`engines.vscode` in package.json). */
export const oldestEditor: EditorVersion = {
  vscode: '1.105.1',
  codeServer: '4.105.1',
  node: '22.23.3',
  overrides: { argon2: '0.44.0' },
};

/** The newest VS Code version that we test. `npm start` opens it. */
export const newestEditor: EditorVersion = { vscode: '1.139.1', codeServer: '4.139.1', node: '24.21.0' };

/** The environment variable for {@link testedEditor}. */
export const testedVariable = 'TEST_VSCODE';

/** The editor that the tests in this process run in: the version in `TEST_VSCODE`, or the newest by default. */
export function testedEditor(): EditorVersion {
  const vscode = process.env[testedVariable];
  return vscode === undefined ? newestEditor : editorVersion(vscode);
}

/** @throws Error if we don't test this VS Code version */
export function editorVersion(vscode: string): EditorVersion {
  const editor = [oldestEditor, newestEditor].find((candidate) => candidate.vscode === vscode);
  if (!editor) throw new Error(`No editor is known for VS Code ${vscode}`);
  return editor;
}
