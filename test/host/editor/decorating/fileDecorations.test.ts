import assert from 'node:assert/strict';
import {
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CancellationTokenSource, type FileDecoration, ThemeColor, Uri, window } from 'vscode';
import { FileDecorations } from '../../../../src/editor/decorating/fileDecorations';
import { formatDecoration } from '../../../../src/editor/decorating/formatDecoration';
import { importFile } from '../../../../src/editor/importing/importFile';
import { clicked } from '../../../../src/editor/targets';
import { refreshTask } from '../../../../src/editor/taskCommands/refreshTask';
import { type NewTask, newTask, type TaskState, type TrackedTask, taskState } from '../../../../src/tasks/trackedTask';
import type { Parts } from '../../activated';
import { type OwnParts, ownParts, passUntilTasks } from '../../ownParts';
import { closeEditors, closingMessages, untilEvent, untilTasks } from '../../settled';
import { startTinyService, type TinyService } from '../../tinyService';
import { setUserSetting } from '../../userSettings';
import { WorkspaceFiles } from '../../workspaceFiles';

const NAME = 'Decorated';
const HOUR_AGO = new Date(Date.now() - 3_600_000);
const TIME = /\d.+/.source;

describe('The decorations of files', () => {
  let parts: OwnParts;
  let files: WorkspaceFiles;
  let service: TinyService;
  let decorated: FileDecorations;
  let filed: () => string | Promise<string>;
  let status: string;
  let askedAbout: Uri[];

  before(async () => {
    parts = await ownParts();
    files = new WorkspaceFiles('decorated');
    service = await startTinyService({
      'file-task': () => filed(),
      'query-task': () => answer(status),
    });
    parts.setting.set([
      { name: NAME, baseUrl: service.baseUrl.href },
      { name: 'Other', baseUrl: 'https://other.example' },
    ]);
    await parts.keys.set(parts.datasets.find(NAME) ?? assert.fail(), 'ak-0123456789');
    await setUserSetting('datasetImport.decorations', 'all');
  });

  beforeEach(async () => {
    await parts.datasets.setDefault(parts.datasets.find(NAME) ?? assert.fail());
    let id = 0;
    filed = () => answer(`"taskId":"T${Date.now()}-${id++}"`);
    status = '"status":"DONE"';
    decorated = new FileDecorations(parts);
    askedAbout = [];
  });

  afterEach(async () => {
    decorated.dispose();
    await parts.list.remove(parts.list.held.map(({ key }) => key));
    await parts.contents.forget(NAME);
  });

  after(async () => {
    await setUserSetting('datasetImport.decorations', undefined);
    await parts.dispose();
    await service.close();
    await closeEditors();
    files.remove();
  });

  it('tell of a file in the dataset when it was uploaded, where, and in which state it is', async () => {
    const file = files.write('in.txt', 'in the dataset\n');
    assert.equal(await of(file), undefined);
    await imported(file, 'succeeded');
    assertIs(await of(file), '✓', new RegExp(`^Uploaded to Decorated on ${TIME}: succeeded$`));
    await parts.list.remove(parts.list.held.map(({ key }) => key));
    assertIs(await of(file), '✓', /: succeeded$/);
  });

  it('tell of a file that has changed since, by its size or by its content, and of one that has not', async () => {
    const [larger, other] = [files.write('larger.txt', 'size\n'), files.write('other.txt', 'text\n')];
    for (const file of [larger, other]) await imported(file, 'succeeded');
    writeFileSync(larger.fsPath, 'size and more\n');
    writeFileSync(other.fsPath, 'TEXT\n');
    const changed = new RegExp(`^Changed since it was uploaded to Decorated on ${TIME}$`);
    assertIs(await of(larger), '≠', changed);
    assertIs(await of(other), '≠', changed);
    writeFileSync(other.fsPath, 'text\n');
    assertIs(await of(other), '✓');
  });

  it('take a file with another time and the same content for the same, and note its time once it is old enough', async () => {
    const file = files.write('touched.txt', 'touched\n');
    await imported(file, 'succeeded');
    const now = new Date();
    utimesSync(file.fsPath, now, now);
    assertIs(await of(file), '✓');
    assert.notEqual(await notedMs(file), statSync(file.fsPath).mtimeMs);
    utimesSync(file.fsPath, HOUR_AGO, HOUR_AGO);
    assertIs(await of(file), '✓');
    assert.equal(await notedMs(file), statSync(file.fsPath).mtimeMs);
    const hashed = countingHashes();
    assertIs(await hashed.of(file), '✓');
    assert.equal(hashed.count(), 0);
  });

  it('say nothing of a large file that has another time, which is not read', async () => {
    const file = files.write('large.txt', Buffer.alloc(9 * 1024 * 1024, 'a line of text\n'));
    utimesSync(file.fsPath, HOUR_AGO, HOUR_AGO);
    await imported(file, 'succeeded');
    assertIs(await of(file), '✓');
    const before = new Date(Number(HOUR_AGO) - 60_000);
    utimesSync(file.fsPath, before, before);
    const hashed = countingHashes();
    assert.equal(await hashed.of(file), undefined);
    assert.equal(hashed.count(), 0);
    writeFileSync(file.fsPath, 'short\n');
    assertIs(await hashed.of(file), '≠');
    assert.equal(hashed.count(), 0);
  });

  it('say why a file was rejected, or failed there, in the color of errors, until it is changed', async () => {
    const [rejected, failed] = [files.write('rejected.txt', 'rejected\n'), files.write('failed.txt', 'failed\n')];
    filed = () => '{"code":"4103","message":"The title is\\nmissing.","data":null}';
    await imported(rejected, 'rejected');
    filed = () => answer('"taskId":"F1"');
    status = '"status":"FAILED","message":"No text."';
    await imported(failed, 'failed');
    const red = new ThemeColor('list.errorForeground');
    assertIs(await of(rejected), '!', /^Rejected by Decorated: code 4103: The title is\\nmissing\.$/, red);
    assertIs(await of(failed), '!', /^Failed at Decorated: No text\.$/, red);
    utimesSync(failed.fsPath, HOUR_AGO, HOUR_AGO);
    assertIs(await of(failed), '!');
    writeFileSync(failed.fsPath, 'FAILED\n');
    assertIs(await of(failed), '≠', /^Changed since its import to Decorated failed$/);
  });

  it('tell of a file that could not be uploaded, or that may have been, in the color of warnings', async () => {
    const phases = {
      'not sent.txt': { kind: 'notSent', failure: { name: 'UnexpectedError', detail: 'full' } },
      'maybe.txt': {
        kind: 'unconfirmed',
        failure: { name: 'UnexpectedError', detail: 'cut' },
        sentBytes: 1,
        totalBytes: 2,
      },
      'canceled.txt': { kind: 'notSent', failure: { name: 'CanceledError', detail: '' } },
    } as const;
    const [notSent, maybe, canceled] = Object.keys(phases).map((name) => files.write(name, 'text\n'));
    for (const [name, phase] of Object.entries(phases)) await track(name, { phase });
    const yellow = new ThemeColor('list.warningForeground');
    assertIs(await of(notSent), '!', /^Not uploaded to Decorated: .+full/, yellow);
    assertIs(await of(maybe), '?', /^The upload to Decorated is unconfirmed: .+cut/, yellow);
    assert.equal(await of(canceled), undefined);
  });

  it('tell of a file that waits, and that is being sent', async () => {
    const file = files.write('open.txt', 'open\n');
    const { promise, resolve } = Promise.withResolvers<string>();
    filed = () => promise;
    const importing = imported(file, 'succeeded');
    await untilTasks(parts.list, 1, (task) => isOf(task, file) && taskState(task) === 'sending');
    assertIs(await of(file), '↑', /^Being uploaded to Decorated$/);
    assertIs(formatDecoration({ kind: 'open', state: 'queued' }, NAME), '↑', /^Waiting to be uploaded to Decorated$/);
    resolve(answer('"taskId":"S1"'));
    await importing;
    assertIs(await of(file), '✓');
  });

  it('are of the default dataset alone, and never of the sandbox', async () => {
    const file = files.write('default.txt', 'default\n');
    await imported(file, 'succeeded');
    await parts.datasets.setDefault(parts.datasets.find('Other') ?? assert.fail());
    assert.equal(await of(file), undefined);
    const sandbox = { ...(parts.datasets.find(NAME) ?? assert.fail()), name: 'Sandbox' };
    parts.datasets.setSandbox(sandbox);
    await parts.datasets.setDefault(sandbox);
    await track('default.txt', { dataset: sandbox.name, origin: sandbox.baseUrl.origin });
    assert.equal(await of(file), undefined);
    parts.datasets.setSandbox(undefined);
    await parts.datasets.setDefault(parts.datasets.find(NAME) ?? assert.fail());
    assertIs(await of(file), '✓');
  });

  it('are only of files of the workspace on disk, by whatever folder they are reached, and not of Git', async () => {
    const file = files.write('reached.txt', 'reached\n');
    await imported(file, 'succeeded');
    const [folder, link] = [join(files.folder, 'linked'), join(files.folder, 'link.txt')];
    symlinkSync(files.folder, folder);
    symlinkSync(file.fsPath, link);
    assertIs(await of(Uri.file(join(folder, 'reached.txt'))), '✓');
    assert.equal(await of(Uri.file(link)), undefined);
    mkdirSync(join(files.folder, '.git'), { recursive: true });
    const ofGit = files.write('.git/config.txt', 'git\n');
    await track('.git/config.txt');
    assert.equal(await of(ofGit), undefined);
    const outside = realpathSync(mkdtempSync(join(tmpdir(), 'di-outside-')));
    await track(join(outside, 'a.txt'));
    assert.equal(await of(Uri.file(join(outside, 'a.txt'))), undefined);
    rmSync(outside, { recursive: true });
    assert.equal(await of(file.with({ scheme: 'git' })), undefined);
  });

  it('leave what is in the dataset as it is plain, where only changes are wanted', async () => {
    const [same, changed] = [files.write('same.txt', 'same\n'), files.write('changed.txt', 'changed\n')];
    for (const file of [same, changed]) await imported(file, 'succeeded');
    writeFileSync(changed.fsPath, 'changed since\n');
    await setUserSetting('datasetImport.decorations', 'changes');
    assert.equal(await of(same), undefined);
    assertIs(await of(changed), '≠');
    await setUserSetting('datasetImport.decorations', 'all');
  });

  describe('are told to be other', () => {
    it('of the file alone whose task there is new or removed from the list, and that was asked about', async () => {
      // Of files that are not there, VS Code tells no change on disk.
      const [one, other] = [at('one.txt'), at('two.txt')];
      for (const file of [one, other]) await of(file);
      const fired = firing();
      await track('one.txt');
      await track('never asked.txt');
      await track('two.txt', { dataset: 'Other', origin: 'https://other.example' });
      await fired.untilFile(one);
      await of(one);
      fired.all.length = 0;
      const [task] = parts.list.held.filter(({ source }) => source?.path === one.fsPath);
      await parts.list.remove([task?.key ?? 0]);
      await fired.untilFile(one);
      assert.deepEqual(new Set(fired.files), new Set([one.fsPath]));
    });

    it('of a file that is saved, or written by others', async () => {
      const [saved, written] = [at('saved.txt'), at('written.txt')];
      const fired = firing();
      for (const file of [saved, written]) {
        await of(file);
        writeFileSync(file.fsPath, 'new\n');
        await fired.untilFile(file);
      }
      fired.all.length = 0;
      const editor = await window.showTextDocument(saved);
      await editor.edit((edit) => edit.insert(editor.selection.active, 'x'));
      await editor.document.save();
      await fired.untilFile(saved);
      writeFileSync(written.fsPath, 'written by others\n');
      await fired.untilFile(written);
      await closeEditors();
    });

    it('all at once, where very many are, where another dataset is chosen or where files are forgotten', async () => {
      const all = Array.from({ length: 300 }, (_, index) => at(`many ${index}.txt`));
      await Promise.all(all.map((uri) => of(uri)));
      const fired = firing();
      await parts.list.add(all.map((uri) => taskOf(uri.fsPath)));
      await fired.until(() => fired.all.length > 0);
      assert.deepEqual(fired.files, []);
      await parts.datasets.setDefault(parts.datasets.find('Other') ?? assert.fail());
      await fired.until(() => fired.all.length > 1);
      fired.all.length = 0;
      await parts.contents.forget(NAME);
      parts.datasets.noteFilesChange();
      await fired.until(() => fired.all.length > 0);
      assert.deepEqual(fired.files, []);
    });
  });

  function of(uri: Uri = assert.fail()): Promise<FileDecoration | undefined> {
    askedAbout.push(uri);
    return asked(decorated, uri);
  }

  /** A file that need not be there. */
  function at(name: string): Uri {
    return Uri.file(join(files.folder, name));
  }

  /** Imports a file, and follows it to this state. */
  async function imported(file: Uri, state: TaskState): Promise<void> {
    const importing = closingMessages(importFile(parts, [file]));
    const [task] = await passUntilTasks(
      parts,
      1,
      (each) => isOf(each, file) && !['queued', 'sending'].includes(taskState(each)),
    );
    await importing;
    if (task?.taskId !== undefined) await refreshTask(parts, clicked({ taskKey: task.key }));
    await passUntilTasks(parts, 1, (each) => isOf(each, file) && taskState(each) === state);
  }

  /** Tracks an import of a file: a rejected one, unless `facts` say otherwise. */
  async function track(name: string, facts: Partial<NewTask> = {}): Promise<void> {
    await parts.list.add([taskOf(name.startsWith('/') ? name : join(files.folder, name), facts)]);
  }

  function taskOf(path: string, facts: Partial<NewTask> = {}) {
    const source = { from: 'disk', path, relativePath: path, name: path, sizeBytes: 5 } as const;
    const { origin } = service.baseUrl;
    const phase = { kind: 'rejected', refusal: { by: 'status', status: 413, excerpt: '' } } as const;
    return newTask({ dataset: NAME, origin, source, createdMs: Date.now(), phase, ...facts });
  }

  /** The time of a file by which it is known not to have changed. */
  async function notedMs(file: Uri): Promise<number | undefined> {
    const { origin } = service.baseUrl;
    const [known] = await parts.list.history.filesAt({ dataset: NAME, origin }, [file.fsPath]);
    return known?.content?.source.modifiedMs;
  }

  /** Decorations that count which files are read. */
  function countingHashes() {
    let count = 0;
    const files = {
      look: (paths: readonly string[]) => parts.files.look(paths),
      sha256: (path: string) => {
        count += 1;
        return parts.files.sha256(path);
      },
    };
    const sources = { files } as unknown as Parts['sources'];
    const counting = new FileDecorations({ ...parts, sources });
    return { of: (uri: Uri) => asked(counting, uri), count: () => count };
  }

  /** Which files VS Code is told of, an event after the other. As it does, asks again about all where all are other. */
  function firing() {
    const all: (readonly Uri[] | undefined)[] = [];
    const until = (isSo: () => boolean) => untilEvent(decorated.onDidChangeFileDecorations, isSo);
    decorated.onDidChangeFileDecorations((uris) => {
      all.push(uris);
      if (uris === undefined) for (const uri of askedAbout) void asked(decorated, uri);
    });
    const fired = {
      all,
      get files(): string[] {
        return all.flatMap((uris) => uris?.map(({ fsPath }) => fsPath) ?? []);
      },
      until,
      untilFile: ({ fsPath }: Uri) => until(() => fired.files.includes(fsPath)),
    };
    return fired;
  }
});

async function asked(decorations: FileDecorations, uri: Uri): Promise<FileDecoration | undefined> {
  return decorations.provideFileDecoration(uri, new CancellationTokenSource().token);
}

function isOf({ source }: TrackedTask, file: Uri): boolean {
  return source?.path === realpathSync(file.fsPath);
}

function answer(data: string): string {
  return `{"code":"0","message":null,"data":{${data}}}`;
}

function assertIs(
  decoration: FileDecoration | undefined,
  badge: string,
  tooltip = /./,
  color: ThemeColor | undefined = decoration?.color,
): void {
  assert.equal(decoration?.badge, badge);
  assert.match(decoration.tooltip ?? '', tooltip);
  assert.deepEqual(decoration.color, color);
  assert.equal(decoration.propagate, false);
}
