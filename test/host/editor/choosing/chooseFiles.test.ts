import assert from 'node:assert/strict';
import { type QuickPickItem, QuickPickItemKind, Uri } from 'vscode';
import { chooseFiles, type FileChoice, type FileQuestion } from '../../../../src/editor/choosing/chooseFiles';
import { type ChosenFile, groupsOf, leftOutGroups } from '../../../../src/editor/choosing/fileGroups';
import { type Checklist, type Picks, picks } from '../../../../src/editor/platform/window';
import type { Standing } from '../../../../src/tasks/comparing/taskListMemory';
import { asTracked } from '../../../../src/tasks/rows/taskRow';
import { newTask } from '../../../../src/tasks/trackedTask';
import { fileSource } from '../../answeredTasks';

const NOW = 1_800_000_000_000;
const DAY = 86_400_000;

function chosen(name: string, standing: Standing, flags: { isSensitive?: boolean; outside?: string } = {}): ChosenFile {
  const uri = Uri.file(`/files/${name}`);
  const file = { uri, stored: uri, relativePath: `files/${name}`, isSensitive: false, ...flags };
  return {
    relativePath: file.relativePath,
    sizeBytes: 1024,
    standing,
    isSensitive: file.isSensitive,
    file,
    checked: { source: fileSource(name, 1024) },
    reviewed: undefined,
  };
}

function earlier(name: string, state: 'succeeded' | 'running' | 'queued' = 'succeeded') {
  const facts = { dataset: 'Manuals', origin: undefined, createdMs: NOW - 3 * DAY, taskId: undefined, taskCount: 1 };
  return { key: 1, ...facts, source: fileSource(name, 1024), state };
}

const rejected = asTracked(
  1,
  newTask({
    dataset: 'Manuals',
    createdMs: NOW - DAY,
    phase: { kind: 'rejected', refusal: { by: 'envelope', status: 200, code: '4711', message: 'not this one' } },
  }),
);
const unconfirmed = asTracked(
  2,
  newTask({
    dataset: 'Manuals',
    createdMs: NOW - DAY,
    phase: { kind: 'unconfirmed', failure: { name: 'CanceledError', detail: '' }, sentBytes: 1, totalBytes: 2 },
  }),
);
const NEW: Standing = { kind: 'new' };

function question(files: readonly ChosenFile[], facts: Partial<FileQuestion> = {}): FileQuestion {
  const groups = groupsOf(files, new Set(['new', 'changed']));
  return { dataset: 'Manuals', groups, leftOut: [], gone: 0, hasOthers: false, nowMs: NOW, ...facts };
}

type List = Checklist<QuickPickItem>;

/** Does with the list what a person does, who then leaves it so. */
async function answered(
  asked: FileQuestion,
  act: (list: List) => void,
  left: 'accepted' | 0 | 'escape' = 'accepted',
): Promise<FileChoice> {
  const checklist = async (list: List) => {
    act(list);
    return left === 'escape' ? undefined : left;
  };
  return chooseFiles({ checklist } as unknown as Picks, asked);
}

function written(list: List): string[] {
  return list.rows().map((row) => {
    const { label, description = '', kind } = row;
    return kind === QuickPickItemKind.Separator
      ? `-- ${label}`
      : `${list.isTicked(row) ? '[x]' : '[ ]'} ${label} (${description})`;
  });
}

function rowOf(list: List, name: string): QuickPickItem {
  return list.rows().find(({ label }) => label.trim() === name) ?? assert.fail(`no row ${name}`);
}

describe('The question before an import of several files', () => {
  it('ticks what is new or has changed, and says of each other file why it is not ticked', async () => {
    const files = [
      chosen('new.txt', NEW),
      chosen('changed.txt', { kind: 'changed' }),
      chosen('failed.txt', { kind: 'failed', task: rejected, earlier: undefined }),
      chosen('maybe.txt', { kind: 'failed', task: unconfirmed, earlier: undefined }),
      chosen('.env.txt', NEW, { isSensitive: true }),
      chosen('link.txt', NEW, { outside: '/elsewhere/diary.txt' }),
      chosen('copy.txt', { kind: 'copied', earlier: earlier('original.txt') }),
      chosen('moved.txt', { kind: 'moved', earlier: earlier('before.txt') }),
      chosen('same.txt', { kind: 'unchanged', earlier: earlier('same.txt') }),
    ];
    await answered(question(files), (list) => {
      assert.equal(list.title(), 'Import 2 of 9 files (2.0 KB) to Manuals');
      assert.deepEqual(written(list), [
        '[x] New (1 file, 1.0 KB)',
        '[x] \u2003files/new.txt (1.0 KB)',
        '[x] Changed (1 file, 1.0 KB)',
        '[x] \u2003files/changed.txt (1.0 KB)',
        '[ ] Failed last time (1 file, 1.0 KB)',
        '[ ] \u2003files/failed.txt (1.0 KB · rejected · code 4711: not this one · yesterday)',
        '[ ] Unconfirmed (1 file, 1.0 KB)',
        '[ ] \u2003files/maybe.txt (1.0 KB · unconfirmed · Canceled. · yesterday)',
        '[ ] May contain secrets (1 file, 1.0 KB)',
        '[ ] \u2003files/.env.txt (1.0 KB)',
        '[ ] Stored outside the workspace (1 file, 1.0 KB)',
        '[ ] \u2003files/link.txt (1.0 KB · stored in /elsewhere/diary.txt)',
        '[ ] Uploaded before (1 file, 1.0 KB)',
        '[ ] \u2003files/copy.txt (1.0 KB · as files/original.txt · 3 days ago)',
        '[ ] Moved (1 file, 1.0 KB)',
        '[ ] \u2003files/moved.txt (1.0 KB · uploaded as files/before.txt)',
        '[ ] Unchanged (1 file, 1.0 KB)',
        '[ ] \u2003files/same.txt (1.0 KB · succeeded · 3 days ago)',
      ]);
    });
  });

  it('is answered with the files that are ticked, by the group or one by one', async () => {
    const files = ['a.txt', 'b.txt'].map((name) => chosen(name, NEW));
    const same = chosen('same.txt', { kind: 'unchanged', earlier: earlier('same.txt') });
    const answer = await answered(question([...files, same]), (list) => {
      list.tick(rowOf(list, 'files/a.txt'), false);
      assert.ok(!list.isTicked(rowOf(list, 'New')));
      assert.equal(list.title(), 'Import 1 of 3 files (1.0 KB) to Manuals');
      list.tick(rowOf(list, 'Unchanged'), true);
      assert.ok(list.isTicked(rowOf(list, 'files/same.txt')));
      assert.ok(list.canAccept());
    });
    assert.deepEqual(answer, [files[1], same]);
  });

  it('cannot be accepted where nothing is ticked', async () => {
    await answered(question([chosen('a.txt', NEW), chosen('b.txt', NEW)]), (list) => {
      list.tick(rowOf(list, 'New'), false);
      assert.ok(!list.canAccept());
      assert.equal(list.title(), 'Import 0 of 2 files (0 bytes) to Manuals');
    });
  });

  it('lists the files of a large group where its button is pressed, a thousand at a time', async () => {
    const files = Array.from({ length: 2500 }, (_, index) => chosen(`${index}.txt`, NEW));
    const answer = await answered(question(files), (list) => {
      assert.deepEqual(written(list), ['[x] New (2,500 files, 2.4 MB)']);
      list.press(rowOf(list, 'New'));
      assert.equal(list.rows().length, 1002);
      list.press(rowOf(list, '… and 1,500 more'));
      list.press(rowOf(list, '… and 500 more'));
      assert.equal(list.rows().length, 2501);
      list.tick(rowOf(list, 'files/2400.txt'), false);
      list.press(rowOf(list, 'New'));
      assert.equal(list.rows().length, 1);
    });
    assert.equal(Array.isArray(answer) && answer.length, 2499);
  });

  it('says by reason what is not imported, which cannot be ticked', async () => {
    const open = chosen('open.txt', { kind: 'open', task: rejected });
    const named = ['a.log', 'b.log'].map((name) => ({ name, why: 'ignored by .gitignore' }));
    const leftOut = leftOutGroups([open], ["'empty.txt' is empty."], { items: named, more: 3 });
    await answered(question([chosen('a.txt', NEW)], { leftOut, gone: 2 }), (list) => {
      for (const { label } of leftOut) list.press(rowOf(list, label));
      assert.deepEqual(written(list).slice(2), [
        '-- Not imported',
        '[ ] Being imported (1)',
        '[ ] \u2003files/open.txt ()',
        '[ ] Cannot be imported (1)',
        "[ ] \u2003'empty.txt' is empty. ()",
        '[ ] Ignored by .gitignore (2)',
        '[ ] \u2003a.log ()',
        '[ ] \u2003b.log ()',
        '[ ] Other reasons (3)',
        '[ ] Gone (2 files stay in the dataset, as the service cannot remove them)',
      ]);
      for (const row of list.rows().slice(2)) list.tick(row, true);
      assert.equal(list.title(), 'Import 1 file (1.0 KB) to Manuals');
    });
  });

  it('lets another dataset be chosen, where there is one', async () => {
    const alone = question([chosen('a.txt', NEW)]);
    await answered(alone, ({ buttons }) => assert.deepEqual(buttons, []));
    const answer = await answered({ ...alone, hasOthers: true }, ({ buttons }) => assert.equal(buttons.length, 1), 0);
    assert.equal(answer, 'otherDataset');
    assert.equal(await answered(alone, () => {}, 'escape'), undefined);
  });

  it('is one list in VS Code, which closes without an answer', async () => {
    const answer = chooseFiles(picks, question([chosen('a.txt', NEW), chosen('b.txt', NEW)]));
    const { commands } = await import('vscode');
    await commands.executeCommand('workbench.action.closeQuickOpen');
    assert.equal(await answer, undefined);
  });
});
