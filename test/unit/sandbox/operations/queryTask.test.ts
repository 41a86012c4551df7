import assert from 'node:assert/strict';
import { assertRefused, fileForm, importText, postFormInPieces, postJson, query } from '../exchange';
import { runSandbox } from '../runSandbox';

describe("The sandbox's query-task operation", () => {
  it("reports a task's stages as time passes", async () => {
    let time = 1000;
    await runSandbox({ now: () => time, stageMs: 100 }, async (sandbox) => {
      const taskId = await importText(sandbox, 'one\r\ntwo');
      const stages: unknown[] = [];
      for (const elapsed of [0, 99, 100, 150, 299, 300, 9999]) {
        time = 1000 + elapsed;
        const task = await query(sandbox, taskId);
        stages.push([elapsed, task?.status, task?.progress, task?.message]);
      }
      assert.deepEqual(stages, [
        [0, 'QUEUED', 0, null],
        [99, 'QUEUED', 0, null],
        [100, 'RUNNING', 0, null],
        [150, 'RUNNING', 25, null],
        [299, 'RUNNING', 99, null],
        [300, 'SUCCEEDED', 100, null],
        [9999, 'SUCCEEDED', 100, null],
      ]);
    });
  });

  it('reports success after three seconds by default, and names the task and its file', async () => {
    let time = 0;
    await runSandbox({ now: () => time }, async (sandbox) => {
      const taskId = await importText(sandbox, 'x');
      time = 2999;
      assert.equal((await query(sandbox, taskId))?.status, 'RUNNING');
      time = 3000;
      const task = { taskId, fileName: 'a.txt', status: 'SUCCEEDED', progress: 100, message: null };
      assert.deepEqual(await query(sandbox, taskId), task);
    });
  });

  it('fails a file with an invalid byte, and locates the byte even if a chunk ends in the middle of a character', async () => {
    const texts = [
      [Buffer.from([0xff]), 1, 1],
      [Buffer.from('a\n\nbc\xff', 'latin1'), 3, 3],
      [Buffer.concat([Buffer.from('😀€\n€'), Buffer.from([0xe2, 0x82])]), 2, 2],
      [Buffer.from([0x61, 0xe2, 0x28, 0xa1]), 1, 2],
      [Buffer.from([0x61, 0x80, 0x80, 0x80, 0x80, 0x80]), 1, 2],
    ] as const;
    await runSandbox({ stageMs: 0 }, async (sandbox) => {
      for (const [content, line, column] of texts) {
        const bytes = [...fileForm(content)].map((byte) => Buffer.from([byte]));
        for (const pieces of [bytes, [fileForm(content)]]) {
          const { envelope } = await postFormInPieces(sandbox, pieces);
          const task = await query(sandbox, String(envelope.data?.taskId));
          assert.equal(task?.status, 'FAILED');
          assert.match(task?.message ?? '', new RegExp(`^Line ${line}, column ${column} `));
        }
      }
    });
  });

  it('reports success for a file that contains the Unicode replacement character', () =>
    runSandbox({ stageMs: 0 }, async (sandbox) => {
      assert.equal((await query(sandbox, await importText(sandbox, 'a\uFFFDb')))?.status, 'SUCCEEDED');
    }));

  it("responds in VS Code's display language", async () => {
    const l10n = { t: (message: string, ...values: (string | number)[]) => [message, ...values].join('|') };
    await runSandbox({ stageMs: 0, l10n }, async (sandbox) => {
      const taskId = await importText(sandbox, Buffer.from('Zürich', 'latin1'));
      const message =
        'Line {0}, column {1} is not UTF-8. Reopen the file with its own encoding, then save it as UTF-8.|1|2';
      assert.equal((await query(sandbox, taskId))?.message, message);
    });
  });

  it('rejects an unknown task ID', () =>
    runSandbox({}, async (sandbox) => {
      const { status, envelope } = await postJson(sandbox, 'query-task', '{"taskId":"nobody\'s"}');
      assert.equal(status, 200);
      assert.deepEqual(envelope, { code: '1003', message: 'There is no task "nobody\'s".', data: null });
    }));

  for (const [what, json] of [
    ['is cut off', '{"taskId": "a'],
    ['is null', 'null'],
    ['has no taskId', '{"task_id": "a"}'],
    ['has a number as taskId', '{"taskId": 1234567890123456789}'],
    ['is nested far too deeply', '['.repeat(500_000)],
  ] as const) {
    it(`rejects a body that ${what}`, () =>
      runSandbox({}, async (sandbox) => {
        assertRefused(await postJson(sandbox, 'query-task', json), 400);
      }));
  }
});
