/** A VS Code that tests run in, from the npm registry: code-server brings VS Code's own server and workbench. */
export interface EditorVersion {
  readonly vscode: string;
  readonly codeServer: string;
  /** The Node its server is made for. */
  readonly node: string;
  /** Packages that it needs in a later version than it asks for: the one it asks for must be compiled. */
  readonly overrides?: Readonly<Record<string, string>>;
}

/** The oldest VS Code that package.json promises to work with (`engines.vscode`). */
export const oldestEditor: EditorVersion = {
  vscode: '1.105.1',
  codeServer: '4.105.1',
  node: '22.23.3',
  overrides: { argon2: '0.44.0' },
};

/** The newest one tested, and the one that `npm start` opens. */
export const newestEditor: EditorVersion = { vscode: '1.139.1', codeServer: '4.139.1', node: '24.21.0' };

/** Names the VS Code that the tests of a process run in, as {@link testedEditor} reads it. */
export const testedVariable = 'TEST_VSCODE';

/** The editor that the tests of this process run in: that of the environment's `TEST_VSCODE`, else the newest. */
export function testedEditor(): EditorVersion {
  const vscode = process.env[testedVariable];
  return vscode === undefined ? newestEditor : editorVersion(vscode);
}

/** The editor with this VS Code version; throws where there is none. */
export function editorVersion(vscode: string): EditorVersion {
  const editor = [oldestEditor, newestEditor].find((candidate) => candidate.vscode === vscode);
  if (!editor) throw new Error(`No editor is known for VS Code ${vscode}`);
  return editor;
}
