import assert from 'node:assert/strict';
import { formatBatchPage } from '../../../../src/editor/batchPage/formatBatchPage';
import type { BatchPage } from '../../../../src/tasks/history/batchPage';
import { asTracked } from '../../../../src/tasks/rows/taskRow';
import { newTask, type Phase, type TaskState } from '../../../../src/tasks/trackedTask';
import { fileSource } from '../../answeredTasks';
import { hostileTexts } from '../../generatedTasks';

const beganMs = Date.UTC(2030, 0, 1, 12);
const batch = { id: 'b', label: 'handbook', folder: '/w/handbook' };
const destination = { dataset: 'Manuals', origin: 'https://import.example.com' };

/** A page of which these states are counted. */
function pageOf(states: Partial<Record<TaskState, number>>, facts: Partial<BatchPage> = {}): BatchPage {
  const counts = Object.entries(states).map(([state, count]) => ({ ...destination, state: state as TaskState, count }));
  return {
    summary: { batch, first: { ...destination, createdMs: beganMs }, counts, sizeBytes: 2048 },
    ...{ reasons: { reasons: [], more: 0 }, course: undefined, skipped: [] },
    runs: [{ beganMs, endedMs: beganMs + 200_000, counts }],
    ...facts,
  };
}

/** A section as text: elements away, escapes as the signs that they stand for. */
function textOf(section: string): string {
  return section
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll(/&#(\d+);/g, (_, code) => String.fromCharCode(Number(code)))
    .replaceAll(/\s+/g, ' ')
    .trim();
}

function rejected(message: string, name: string, key: number) {
  const phase: Phase = { kind: 'rejected', refusal: { by: 'envelope', status: 200, code: '7', message } };
  return asTracked(key, newTask({ ...destination, source: fileSource(name, 1), createdMs: 1, batch, phase }));
}

describe('The page about a batch', () => {
  it('says in a sentence how it stands', () => {
    const verdicts = [
      { queued: 3, running: 1 },
      { running: 1, succeeded: 3 },
      { succeeded: 4 },
      { succeeded: 1 },
      { failed: 1 },
      { succeeded: 3, failed: 1 },
      { succeeded: 2, failed: 1, unconfirmed: 1 },
    ].map((states) => / class="verdict"[^>]*>([^<]*)/.exec(formatBatchPage(pageOf(states), undefined).head)?.[1]);
    assert.deepEqual(verdicts, [
      '1 of 4 files are uploaded.',
      '3 of 4 files have been processed.',
      'All 4 files succeeded.',
      'The file succeeded.',
      'The file needs your attention.',
      '3 of 4 files succeeded. 1 file needs your attention.',
      '2 of 4 files succeeded. 2 files need your attention.',
    ]);
  });

  it('says why it waits, for as long as there is something to upload, and offers to try now', () => {
    const pause = { reason: { kind: 'busy', end: rejected('', '', 1).phase }, untilMs: 1 } as never;
    const waiting = formatBatchPage(pageOf({ queued: 1, succeeded: 1 }), pause);
    assert.match(textOf(waiting.head), /1 of 2 files are uploaded\. The import waits: the service is busy/);
    assert.match(waiting.actions, /data-command="tryNow"/);
    const ended = formatBatchPage(pageOf({ succeeded: 1 }), pause);
    assert.doesNotMatch(ended.head + ended.actions, /busy|tryNow/);
  });

  it('offers what helps next, with how many files that is for', () => {
    const { actions } = formatBatchPage(pageOf({ rejected: 2, notSent: 1, failed: 2, unconfirmed: 1 }), undefined);
    const buttons = [...actions.matchAll(/data-command="(\w+)"[^>]*>([^<]*)/g)].map(([, command, title]) => [
      command,
      title,
    ]);
    assert.deepEqual(buttons, [
      ['retryFailed', 'Retry Failed (5)'],
      ['retryUnconfirmed', 'Retry Unconfirmed Imports…'],
      ['importChanges', 'Import Changes…'],
      ['exportTasks', 'Export Tasks…'],
    ]);
  });

  it('names each reason once, with its files as buttons, and how many more there are', () => {
    const tasks = [rejected('Row 1: no title', 'a.md', 11), rejected('Row 2: no title', 'b.md', 12)];
    const page = pageOf({ rejected: 30 }, { reasons: { reasons: [{ count: 30, tasks }], more: 2 } });
    const { reasons } = formatBatchPage(page, undefined);
    assert.match(textOf(reasons), /^Problems Code 7: Row … no title 30 a\.md b\.md … and 28 more 2 more reasons\./);
    assert.deepEqual(
      [...reasons.matchAll(/data-key="(\d+)"/g)].map(([, key]) => key),
      ['11', '12'],
    );
  });

  it('draws how many files were uploaded and had ended, and shows the same as a table', () => {
    const counts = Array.from({ length: 61 }, (_, index) => index);
    const course = {
      fromMs: beganMs,
      toMs: beganMs + 60_000,
      total: 60,
      uploaded: counts,
      ended: counts.map((n) => n / 2),
    };
    const { course: drawn } = formatBatchPage(pageOf({ succeeded: 60 }, { course }), undefined);
    assert.match(drawn, /aria-label="60 of 60 files uploaded, 30 ended, within 1 min 0 s"/);
    assert.match(drawn, /class="uploaded line" d="M0\.0,140\.0 L.* L600\.0,0\.0"/);
    assert.match(drawn, /class="ended line" d="M0\.0,140\.0 L.* L600\.0,70\.0"/);
    assert.equal(drawn.match(/<tr>/g)?.length, 12);
    assert.match(textOf(drawn), / 60 30$/);
  });

  it('lists each import with how long it took, and what the last one skipped', () => {
    const skipped = [{ reason: 'Unchanged', count: 1200 }];
    const { runs, facts } = formatBatchPage(pageOf({ succeeded: 2 }, { skipped }), undefined);
    assert.match(textOf(runs), /^Imports Started Duration Files Result .* 3 min 20 s 2 2 succeeded$/);
    assert.match(
      textOf(facts),
      /^Skipped by the Last Import Unchanged 1,200 Batch Dataset Manuals Folder \/w\/handbook Files 2 Size 2\.0 KB$/,
    );
  });

  it('shows texts from outside as they are, whatever they are', () => {
    for (const text of hostileTexts) {
      const page = pageOf(
        { rejected: 1 },
        {
          summary: { ...pageOf({ rejected: 1 }).summary, batch: { id: text, label: text, folder: text } },
          reasons: { reasons: [{ count: 1, tasks: [rejected(text, text, 1)] }], more: 0 },
          skipped: [{ reason: text, count: 1 }],
        },
      );
      const shown = Object.values(formatBatchPage(page, undefined)).join('');
      assert.doesNotMatch(
        shown,
        /<(?!\/?(?:h1|h2|p|svg|rect|ul|li|button|details|summary|span|table|thead|tbody|tr|th|td)\b)/,
      );
      for (const [tag] of shown.matchAll(/<[^>]*>/g)) assert.doesNotMatch(tag, /\s(?:on\w+|style|href|src)=/);
    }
  });
});
