import assert from 'node:assert/strict';
import { type Tab, Uri, window } from 'vscode';
import { BatchPages, formatPage, type PageContent } from '../../../../src/editor/tasksView/batchPage';
import type { BatchPage } from '../../../../src/tasks/store/model';
import { extension } from '../../activated';
import { hostileTexts } from '../../hostileTexts';
import { closeEditors } from '../../settled';
import { until } from '../../until';
import { beforeEachOpenedStore, type Ending, opened, rejected, unconfirmed, uploaded } from './openedStore';

const BATCH = 1;

describe('The batch page', () => {
  beforeEachOpenedStore();

  async function content(why?: PageContent['why']): Promise<PageContent> {
    const page = await opened.store.batchPage(BATCH);
    const [destination] = await opened.store.destinations(null);
    assert.ok(page && destination);
    return { page, destination, why, rows: new Map((await opened.rows()).map((row) => [row.id, row])) };
  }

  async function pageOf(why?: PageContent['why'], facts: Partial<BatchPage> = {}): Promise<string> {
    const shown = await content(why);
    return formatPage({ ...shown, page: { ...shown.page, ...facts } }).text;
  }

  it("begins with a summary of the batch's progress", async () => {
    await opened.import({ 'a.md': undefined, 'b.md': uploaded('T2'), 'c.md': rejected('No.') });
    assert.match(await pageOf(), /role="status">Left to upload: 1 of 3\. Needing your attention: 1\.</);
    const paused = { reason: 'busy', untilMs: null };
    assert.match(await pageOf(paused), /Paused: the service is busy\. Needing your attention: 1\.</);
    await opened.store.cancel({});
    assert.match(await pageOf(), /Finished: 2 of 3\. Needing your attention: 1\.</);
    // Canceled files aren't among the most frequent reasons.
    assert.match(await pageOf(undefined, { reasons: [] }), /Needing your attention: 1\.</);
    const unclear = { counts: { running: 1, noId: 1, succeeded: 1 }, canceled: 0 };
    assert.match(await pageOf(undefined, unclear), /Finished: 1 of 3\. Needing your attention: 1\.</);
    await opened.reportRow(await opened.row('b.md'), 'succeeded', 'DONE');
    assert.match(await pageOf(paused), /Succeeded: 1 of 3\. Needing your attention: 1\.</);
    assert.match(await pageOf(undefined, { counts: { succeeded: 3 } }), /Succeeded: 3 of 3\.</);
    await opened.store.remove({ states: ['succeeded'] });
    const partial = /Succeeded: 0 of 2\. Needing your attention: 1\. Some imported files are not listed here\.</;
    assert.match(await pageOf(), partial);
  });

  it('shows the states in a bar and a legend that distinguish failed files from rejected files', async () => {
    await opened.import({ 'a.md': rejected('No.'), 'b.md': uploaded('T2') });
    await opened.reportRow(await opened.row('b.md'), 'failed', 'BAD', 'Torn');
    const page = await pageOf();
    assert.match(page, /aria-label="failed: 1, rejected: 1"/);
    const boxes = [...page.matchAll(/<rect class="(\w+)"[^>]*\/><rect class="striped"[^>]*url\(#(\w+)\)/g)];
    const looks = boxes.slice(0, 2).map(([, color, pattern]) => `${color} ${pattern}`);
    assert.deepEqual(looks, ['failed stripes', 'rejected dots']);
    const legend = [...page.matchAll(/<\/svg> (\w+: \d)<\/li>/g)].map(([, words]) => words);
    assert.deepEqual(legend, ['failed: 1', 'rejected: 1']);
  });

  it("groups problems by reason, links to the files, and shows a file's folder only if another file has the same name", async () => {
    const no = rejected('Title already exists');
    await opened.import({ 'one/FAQ.md': no, 'two/FAQ.md': no, 'Care.md': no, 'd.md': unconfirmed });
    const page = textOf((await pageOf()).split('<h2>Problems</h2>')[1]?.split('<h2>')[0] ?? '');
    assert.equal(
      page,
      'Rejected · code 42: Title already exists 3 Care.md FAQ.md one FAQ.md two Unconfirmed · connection closed 1 d.md',
    );
    const row = await opened.row('d.md');
    assert.match(await pageOf(), new RegExp(`data-command="showDetails" data-key="${row.id}">d\\.md<`));
  });

  it('lists tasks whose status check is rejected', async () => {
    await opened.import({ 'a.md': uploaded('T1'), 'b.md': uploaded('T2') });
    const [task = assert.fail()] = (await opened.row('a.md')).tasks;
    const cause = { name: 'Rejected', by: 'envelope', code: '7', message: 'Unknown task', rejected: true } as const;
    await opened.store.report({ ...task, revision: 0, facts: null, source: null, cause });
    assert.match(textOf(await pageOf()), /Problems Uploaded · status check rejected · code 7: Unknown task 1 a\.md/);
  });

  it('keeps the ID of each problem section when the counts change, so that an open section stays open', async () => {
    const sections = async () =>
      Object.fromEntries(
        [...(await pageOf()).matchAll(/<details id="(reason-[^"]*)"[^>]*><summary id="([^"]*)-summary">(\w+)/g)].map(
          ([, id, ofSummary, state]) => [state, [id, ofSummary]],
        ),
      );
    await opened.import({ 'a.md': rejected('No.'), 'b.md': rejected('No.'), 'c.md': unconfirmed });
    const before = await sections();
    assert.deepEqual(Object.keys(before), ['Rejected', 'Unconfirmed']);
    await opened.import({ 'd.md': unconfirmed, 'e.md': unconfirmed }, { batch: BATCH });
    assert.deepEqual(Object.entries(await sections()), Object.entries(before).toReversed());
  });

  it('lists 20 reasons, and 20 files per reason, and counts the rest', async () => {
    const names = Array.from({ length: 25 }, (_, index) => [`${index}.md`, rejected('No.')] as const);
    await opened.import(Object.fromEntries<Ending>(names));
    assert.match(textOf(await pageOf()), /Rejected · code 42: No\. 25 .* … and 5 more/);
    const reasons = (await opened.store.batchPage(BATCH))?.reasons.map((one) => ({ ...one, total: 28 })) ?? [];
    assert.match(textOf(await pageOf(undefined, { reasons })), /… and 5 more … and 3 more/);
  });

  it('shows the most helpful command as the primary button', async () => {
    const commandsOf = async (why?: PageContent['why']) =>
      [...(await pageOf(why)).matchAll(/<button id="\w+" data-command="(\w+)" class="(\w+)"/g)].map(
        ([, command, look]) => (look === 'primary' ? `${command}!` : command),
      );
    await opened.import({ 'a.md': undefined, 'b.md': rejected('No.') });
    const always = ['importChanges', 'exportTasks'];
    assert.deepEqual(await commandsOf(), ['cancelImport!', 'retryFailed', ...always]);
    const badKey = { reason: 'badKey', untilMs: null };
    assert.deepEqual(await commandsOf(badKey), ['setAccessKey!', 'tryNow', 'cancelImport', 'retryFailed', ...always]);
    assert.deepEqual(await commandsOf({ reason: 'noKey' }), [
      'setAccessKey!',
      'cancelImport',
      'retryFailed',
      ...always,
    ]);
    assert.deepEqual(await commandsOf({ reason: 'rejections', untilMs: null }), [
      'setAccessKey!',
      'editRequest',
      'continueAnyway',
      'cancelImport',
      'retryFailed',
      ...always,
    ]);
    await opened.store.cancel({});
    assert.deepEqual(await commandsOf(badKey), ['retryFailed!', ...always]);
  });

  it('shows the progress of the latest import as a chart and as a table', async () => {
    await opened.import({ 'a.md': uploaded('T1'), 'b.md': rejected('No.') });
    const page = await pageOf(undefined, { course: { fromMs: 0, toMs: 60_000, uploaded: [0, 1], finished: [0, 0] } });
    assert.match(page, /role="img" aria-label="Uploaded: 1 of 2, finished: 0, within 1 min 0 s"/);
    assert.match(page, /<path class="uploaded line" d="M0,140 L300\.0,140\.0 L600\.0,70\.0"\/>/);
    const rows = [
      ...(page.split('course-table-summary')[1]?.split('</table>')[0] ?? '').matchAll(/<td>(\d)<\/td><td>(\d)/g),
    ];
    const cells = rows.map(([, one, two]) => [one, two]);
    assert.deepEqual(cells, [...Array(5).fill(['0', '0']), ...Array(5).fill(['1', '0'])]);
  });

  it('lists all imports with their results, newest first, and counts the files that the latest import skipped', async () => {
    await opened.import({ 'a.md': rejected('No.'), 'b.md': uploaded('T2') });
    await opened.import({ 'a.md': uploaded('T1'), 'c.md': undefined }, { skipped: { '<too large>': 2 } });
    const [, imports = '', skipped = ''] =
      /<h2>Imports<\/h2>(.*)<h2>Skipped by the Last Import<\/h2>(.*)/s.exec(await pageOf()) ?? [];
    const rows = [...imports.matchAll(/<td>([^<]*)<\/td><td>(\d)<\/td><td>([^<]*)<\/td>/g)];
    const results = rows.map(([, duration = '', ...rest]) => [duration.replace(/\d+/, 'n'), ...rest]);
    assert.deepEqual(results, [
      ['not ended', '2', 'uploaded: 1 · queued: 1'],
      ['n s', '2', 'uploaded: 1 · rejected: 1'],
    ]);
    assert.equal(textOf(skipped), '<too large> 2');
  });

  it('shows no chart if another import of the same files started first', async () => {
    await opened.import({ 'a.md': rejected('No.'), 'b.md': uploaded('T2') });
    await opened.import({}, { batch: BATCH });
    const page = await pageOf();
    assert.deepEqual([page.includes('<svg class="course"'), page.includes('not ended')], [false, false]);
  });

  it('escapes all text that comes from files or the service', async () => {
    for (const hostile of [...hostileTexts, '<img src=x onerror=alert(1)>', '"><script>', "'`&"]) {
      await opened.import(
        { 'a.md': rejected(hostile), [hostile]: rejected(hostile) },
        { batch: { label: hostile, folder: null } },
      );
      const [{ batch = 0 } = {}] = await opened.rows();
      const page = await opened.store.batchPage(batch ?? 0);
      assert.ok(page);
      const { text } = formatPage({ ...(await content()), page });
      const tags = new Set([...text.matchAll(/<\/?([^\s/>]*)/g)].map(([, name]) => name));
      for (const name of ['img', 'script', 'a', '']) assert.ok(!tags.has(name), `${name} in ${text}`);
      await opened.store.remove({});
    }
  });

  it('shows its content once its script is ready, and is updated until its panel is closed', async () => {
    await opened.import({ 'a.md': rejected('No.'), 'b.md': undefined });
    const read: (number | undefined)[] = [];
    const batchPage = async (id: number) => {
      const page = await opened.store.batchPage(id);
      read.push(page?.counts.queued);
      return page;
    };
    const pages = pagesOf(Object.assign(Object.create(opened.store), { batchPage }));
    await pages.show(BATCH);
    await until('the page to be read', () => read.length === 1);
    const areActive = shownTabs().map(({ isActive }) => isActive);
    assert.deepEqual(areActive, [true]);
    await opened.store.cancel({});
    pages.update();
    await until('the page to be read again', () => read.length === 2);
    assert.deepEqual(read, [1, undefined]);
    await closeEditors();
    pages.update();
    assert.equal(read.length, 2);
    pages.dispose();
  });

  it('opens in only one tab if it is requested twice at the same time', async () => {
    await opened.import({ 'a.md': rejected('No.'), 'b.md': undefined });
    const pages = pagesOf(opened.store);
    await Promise.all([pages.show(BATCH), pages.show(BATCH)]);
    await until('a tab', () => shownTabs().length > 0);
    pages.dispose();
    await until('all tabs of the page to be closed', () => shownTabs().length === 0);
  });
});

function pagesOf(store: ConstructorParameters<typeof BatchPages>[0]['store']): BatchPages {
  return new BatchPages({
    store,
    media: Uri.joinPath(extension().extensionUri, 'media'),
    whyWaits: () => undefined,
    onError: (error) => assert.fail(String(error)),
  });
}

function shownTabs(): readonly Tab[] {
  return window.tabGroups.all.flatMap(({ tabs }) => tabs).filter(({ label }) => label === 'notes');
}

/** Strips the tags from part of the page and decodes escaped characters. */
function textOf(part: string): string {
  return part
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll(/&#(\d+);/g, (_, code) => String.fromCharCode(Number(code)))
    .replaceAll(/\s+/g, ' ')
    .trim();
}
