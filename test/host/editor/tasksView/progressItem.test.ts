import assert from 'node:assert/strict';
import { MarkdownString } from 'vscode';
import { ProgressItem, type UploadProgress } from '../../../../src/editor/tasksView/progressItem';
import { showBadge } from '../../../../src/editor/tasksView/tasksView';
import type { DestinationRow } from '../../../../src/tasks/store/model';
import { OpenedStore, rejected, uploaded } from './openedStore';

describe('The progress in the status bar', () => {
  const item = new ProgressItem();
  const destination = { id: 1, dataset: 'Manuals' } as DestinationRow;
  const of = (ended: number, total: number, why?: UploadProgress['busy'][number]['why']): UploadProgress => ({
    ended,
    total,
    busy: [{ destination, why }],
  });

  after(() => item.dispose());

  it('comes from the task store, so every window shows the same counts', async () => {
    await using opened = new OpenedStore();
    await opened.import({ 'a.md': uploaded('T1'), 'b.md': rejected('No.'), 'c.md': undefined });
    item.update({ ...(await opened.store.progress(null)), busy: [] }, 0);
    assert.equal(item.item.text, '$(cloud-upload) Uploading: 2 of 3');
    assert.deepEqual(item.item.accessibilityInformation, { label: 'Dataset Import: Uploading: 2 of 3' });
  });

  it('shows why uploads are paused and when they will be retried', () => {
    const pause = { reason: 'busy', untilMs: 62_000 };
    item.update(of(12, 40, pause), 50_000);
    assert.equal(item.item.text, '$(clock) Uploading: 12 of 40 · paused: the service is busy, retrying in 12 s');
    const links = () => (item.item.tooltip instanceof MarkdownString ? item.item.tooltip.value : '');
    assert.match(links(), /^\[Try Now\]\(command:datasetImport\.tryNow\?.*\[Cancel Import\]/);
    const some: UploadProgress = { ...of(12, 40), busy: [...of(0, 0, pause).busy, ...of(0, 0).busy] };
    item.update(some, 50_000);
    assert.equal(item.item.text, '$(cloud-upload) Uploading: 12 of 40');
    assert.doesNotMatch(links(), /Try Now/);
    assert.match(links(), /\[Cancel Import\]\(command:datasetImport\.cancelImport\?/);
  });

  it('offers Set Access Key first if the access key is missing or rejected, or if repeated rejections have paused uploads', () => {
    const clicked = () => (typeof item.item.command === 'object' ? item.item.command : undefined);
    for (const [why, labels] of [
      [{ reason: 'badKey', untilMs: null }, ['Set Access Key…', 'Try Now', 'Cancel Import', 'Show Tasks']],
      [{ reason: 'noKey' }, ['Set Access Key…', 'Cancel Import', 'Show Tasks']],
      [
        { reason: 'rejections', untilMs: null },
        ['Set Access Key…', 'Edit Request…', 'Continue Anyway', 'Cancel Import', 'Show Tasks'],
      ],
    ] as const) {
      item.update(of(3, 40, why), 0);
      const { value } = item.item.tooltip as MarkdownString;
      const links = [...value.matchAll(/\[(.*?)\]\(/g)].map(([, label]) => label);
      assert.deepEqual(links, labels);
      const target = [{ group: '', filter: { destinations: [1] } }];
      assert.deepEqual([clicked()?.command, clicked()?.arguments], ['datasetImport.setAccessKey', target]);
    }
    item.update(of(3, 40), 0);
    assert.equal(item.item.command, 'datasetImport.tasks.focus');
  });
});

describe("The Tasks view's badge", () => {
  it('counts rows that need attention, except rows from a stopped sandbox', async () => {
    await using opened = new OpenedStore();
    const view: Parameters<typeof showBadge>[0] = {};
    const show = async (isStopped: (destination: DestinationRow) => boolean) => {
      const { problems } = await opened.store.counts(null);
      showBadge(view, problems, await opened.store.destinations(null), isStopped);
      return view.badge;
    };
    await opened.import({ 'a.md': rejected('No.'), 'b.md': uploaded(), 'c.md': uploaded('T') });
    await opened.import(
      { 's.md': rejected('No.') },
      { destination: { dataset: 'Sandbox', origin: 'http://127.0.0.1:1' } },
    );
    assert.deepEqual(await show(() => false), { value: 3, tooltip: 'Needing your attention: 3' });
    assert.deepEqual(await show(({ dataset }) => dataset === 'Sandbox'), {
      value: 2,
      tooltip: 'Needing your attention: 2',
    });
    await opened.store.remove({});
    assert.equal(await show(() => false), undefined);
  });
});
