import assert from 'node:assert/strict';
import { ThemeIcon, type TreeItem, TreeItemCollapsibleState } from 'vscode';
import { batchItem, notWaiting } from '../../../../src/editor/taskItems/batchItem';
import type { TaskId } from '../../../../src/service/json/taskId';
import type { TaskReport } from '../../../../src/service/response/taskReport';
import type { Destination } from '../../../../src/tasks/destination';
import type { BatchSummary } from '../../../../src/tasks/history/batchSummary';
import { type Batch, type Phase, taskState } from '../../../../src/tasks/trackedTask';
import { hostileTexts } from '../../generatedTasks';

const now = Date.UTC(2030, 0, 1, 12);
const batch: Batch = { id: 'b-1', label: 'docs' };
const queued: Phase = { kind: 'queued' };
const sending: Phase = { kind: 'sending', attemptId: 'A 1' };
const failure = { name: 'UnexpectedError', detail: '' } as const;
const notSent: Phase = { kind: 'notSent', failure };
const rejected: Phase = { kind: 'rejected', refusal: { by: 'status', status: 413, excerpt: 'Too large' } };
const unconfirmed: Phase = { kind: 'unconfirmed', failure, sentBytes: 1, totalBytes: 2 };
const waiting: Phase = { kind: 'accepted', report: undefined };

function reported(meaning: TaskReport['meaning']): Phase {
  const report = { status: meaning.toUpperCase(), meaning, progress: undefined, message: undefined, from: {} };
  return { kind: 'accepted', report };
}

describe("A batch's row", () => {
  it('is called as the batch is, and says how many have ended, how many are in which state, when and where to', () => {
    const { label, description, tooltip, accessibilityInformation } = row(queued, sending, waiting, waiting);
    assert.equal(label, 'docs');
    assert.equal(description, 'importing 3 of 4 · 2 running · 5 min ago · Manuals');
    assert.match(String(tooltip), /^docs\n4 files, 8\.0 KB\nimporting 3 of 4\n/);
    assert.match(accessibilityInformation?.label ?? '', /^docs, 4 files, 8\.0 KB, importing 3 of 4, 2 running, /);
  });

  it('names first what needs a look, and counts no more how many have ended once all have', () => {
    const { description } = row(reported('succeeded'), notSent, rejected, unconfirmed, reported('failed'));
    assert.match(
      String(description),
      /^1 failed · 1 rejected · 1 unconfirmed · 1 not uploaded · 1 succeeded · 5 min ago/,
    );
  });

  it('says first what keeps it from going on, for as long as there is something left to send', () => {
    const failure = { name: 'ConnectError', reason: 'refused', host: 'a.example', detail: '' } as const;
    let untilMs = 0;
    const pauseOf = ({ dataset }: Destination) =>
      dataset === 'Manuals'
        ? ({ reason: { kind: 'unreachable', end: { kind: 'notSent', failure } }, untilMs } as const)
        : undefined;
    const described = (...phases: Phase[]) =>
      batchItem(summaryOf(batch, ...phases), now, { ...notWaiting, pauseOf }).description;
    assert.match(
      String(described(queued, waiting)),
      /^cannot reach a\.example, retrying · importing 2 of 2 · 1 running/,
    );
    untilMs = Number.POSITIVE_INFINITY;
    assert.match(String(described(queued, waiting)), /^cannot reach a\.example · importing 2 of 2/);
    assert.match(String(described(notSent, waiting)), /^1 not uploaded/);
  });

  it('says of many files how far they are in percent and how long that takes, uploading first, then at the service', () => {
    const of = (count: number, phase: Phase) => Array.from({ length: count }, () => phase);
    const described = (timeLeftMs: number | undefined, states = notWaiting, ...phases: Phase[]) =>
      batchItem(summaryOf(batch, ...phases), now, states, timeLeftMs).description;
    const uploading = [...of(15, queued), ...of(5, waiting)];
    assert.match(
      String(described(90_000, notWaiting, ...uploading)),
      /^importing 6 of 20 · 25% · 2 min left · 5 running · /,
    );
    const running = [...of(5, waiting), ...of(14, reported('succeeded')), reported('failed')];
    assert.match(String(described(undefined, notWaiting, ...running)), /^75% · 1 failed · 5 running · 14 succeeded · /);
    const pause = { reason: { kind: 'store' }, untilMs: 0 } as const;
    assert.match(
      String(described(90_000, { ...notWaiting, pauseOf: () => pause }, ...uploading)),
      / · 25% · 5 running/,
    );
    const ended = of(20, reported('succeeded'));
    assert.match(String(described(undefined, notWaiting, ...ended)), /^20 succeeded · /);
  });

  it('tells by its icon how it stands with all of them', () => {
    const icons = [
      [queued, rejected],
      [rejected, waiting],
      [reported('failed'), reported('succeeded')],
      [unconfirmed, waiting],
      [notSent, waiting],
      [waiting, reported('succeeded')],
      [reported('running'), reported('unknown')],
      [reported('unknown'), reported('succeeded')],
      [reported('succeeded'), reported('succeeded')],
    ].map((phases) => {
      const { iconPath } = row(...phases);
      assert.ok(iconPath instanceof ThemeIcon && iconPath.color);
      return iconPath.id;
    });
    assert.deepEqual(icons, [
      'cloud-upload',
      'error',
      'error',
      'warning',
      'warning',
      'sync',
      'sync',
      'question',
      'pass',
    ]);
  });

  it('is open at first where it has few tasks', () => {
    const opened = [10, 11].map((count) => row(...Array.from({ length: count }, () => waiting)).collapsibleState);
    assert.deepEqual(opened, [TreeItemCollapsibleState.Expanded, TreeItemCollapsibleState.Collapsed]);
  });

  it('tells the menus what can be done with it', () => {
    const traits = [[queued, waiting], [sending, rejected], [waiting, notSent], [unconfirmed], [waiting]].map(
      (phases) => row(...phases).contextValue,
    );
    assert.deepEqual(traits, [
      'batch;details;open;',
      'batch;details;open;retry;',
      'batch;details;retry;',
      'batch;details;unconfirmed;',
      'batch;details;',
    ]);
  });

  it("shows a folder's name as it is: a plain label and plain details, without icons, links or Markdown", () => {
    for (const label of hostileTexts) {
      const item = batchItem(summaryOf({ ...batch, label }, queued), now);
      assert.equal(item.label, label);
      assert.equal(typeof item.tooltip, 'string');
      assert.ok(String(item.tooltip).startsWith(label));
      assert.equal(item.command, undefined);
    }
  });
});

describe('The first level of the view', () => {});

function row(...phases: Phase[]): TreeItem {
  return batchItem(summaryOf(batch, ...phases), now);
}

function summaryOf(its: Batch, ...phases: Phase[]): BatchSummary {
  const destination = { dataset: 'Manuals', origin: undefined };
  return {
    batch: its,
    first: { ...destination, createdMs: now - 5 * 60_000 },
    counts: phases.map((phase) => ({
      ...destination,
      state: taskState({ phase, taskId: '"t"' as TaskId }),
      count: 1,
    })),
    sizeBytes: 2048 * phases.length,
  };
}
