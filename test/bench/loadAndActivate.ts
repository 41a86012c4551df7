// A process of its own for one measurement, run by Node as it is: requires the bundled extension named by the argument,
// activates it, and prints {"loadMs": …, "activateMs": …}. `vscode` exists in an extension host alone; what stands in
// its place here does nothing and gives no settings, so that only the extension's own work is measured.
import { createRequire, Module } from 'node:module';
import { tmpdir } from 'node:os';
import { performance } from 'node:perf_hooks';

class Disposable {
  static from(): Disposable {
    return new Disposable();
  }
  dispose(): void {}
}

class EventEmitter extends Disposable {
  readonly event = () => new Disposable();
  fire(): void {}
}

const log = { ...new Disposable(), error() {}, warn() {}, info() {}, debug() {}, show() {} };
const configuration = { get: () => undefined, inspect: () => undefined };
const view = { visible: false, onDidChangeVisibility: () => new Disposable(), dispose() {} };
const vscode = {
  Disposable,
  EventEmitter,
  ExtensionMode: { Production: 1, Development: 2, Test: 3 },
  l10n: { t: (text: string) => text },
  commands: { registerCommand: () => new Disposable(), executeCommand: async () => undefined },
  window: {
    createOutputChannel: () => log,
    createTreeView: () => view,
    registerTreeDataProvider: () => new Disposable(),
  },
  workspace: {
    getConfiguration: () => configuration,
    onDidChangeConfiguration: () => new Disposable(),
    registerTextDocumentContentProvider: () => new Disposable(),
    textDocuments: [],
  },
};
const state = { get: () => undefined, update: async () => {} };
const context = {
  extensionMode: vscode.ExtensionMode.Production,
  globalState: state,
  workspaceState: state,
  globalStorageUri: { fsPath: tmpdir() },
  secrets: { get: async () => undefined, onDidChange: () => new Disposable() },
  subscriptions: [],
};

const loader = Module as unknown as { _load(request: string, ...rest: unknown[]): unknown };
const load = loader._load;
loader._load = (request, ...rest) => (request === 'vscode' ? vscode : load.call(loader, request, ...rest));

const require = createRequire(import.meta.url);
const file = process.argv[2] ?? '';
const before = performance.now();
const extension: { activate(context: unknown): unknown } = require(file);
const loaded = performance.now();
extension.activate(context);
const activated = performance.now();
console.log(JSON.stringify({ loadMs: loaded - before, activateMs: activated - loaded }));
// The extension looks now and then whether another window has left imports behind.
process.exit(0);
