import assert from 'node:assert/strict';
import type { SandboxProfileId, WebhookDelivery } from '../../../../src/sandbox/sandbox';
import { fileForm, postForm, postJson } from '../exchange';
import { runSandbox } from '../runSandbox';

const newUuid = () => '3f2b8c1e-9d4a-4b6f-8a1c-0e5d7f9b2c34';
const success = (data: string) => `{"code":"0","message":null,"data":${data}}`;

/** What a profile answers, letter by letter, to the import of eight lines and to the queries that follow. */
interface Speech {
  readonly profile: SandboxProfileId;
  readonly accepted: string;
  readonly query: string;
  readonly queued: string;
  readonly running: string;
  readonly succeeded: string;
  /** What a webhook gets after that. */
  readonly event: string;
  /** Of a text whose second byte of six is not UTF-8. */
  readonly failed: string;
  /** What this profile refuses as a query, with the answer. */
  readonly refused: readonly (readonly [json: string, code: string, message: string])[];
}

const uuid = '"3f2b8c1e-9d4a-4b6f-8a1c-0e5d7f9b2c34"';
const fault = '"The text is not UTF-8: see byte 1, counted from 0, which is 0xFC."';
const wantsTaskId = ['{"id":1}', '400', 'The body must be an object whose "taskId" is a string.'] as const;

const speeches: readonly Speech[] = [
  {
    profile: 'standard',
    accepted: `{"taskId":${uuid}}`,
    query: `{"taskId":${uuid}}`,
    queued: `{"taskId":${uuid},"fileName":"a.txt","status":"QUEUED","progress":0,"message":null}`,
    running: `{"taskId":${uuid},"fileName":"a.txt","status":"RUNNING","progress":37,"message":null}`,
    succeeded: `{"taskId":${uuid},"fileName":"a.txt","status":"SUCCEEDED","progress":100,"message":null,"lines":8,"bytes":16,"sha256":"fa39f85dc698e8c03824b0af3de7bc534da1cdf3905d1e8a585352854f5a7767"}`,
    event: `{"event":"TASK_FINISHED","taskId":${uuid},"fileName":"a.txt","status":"SUCCEEDED","progress":100,"message":null}`,
    failed: `{"taskId":${uuid},"fileName":"a.txt","status":"FAILED","progress":16,"message":${fault},"lines":1,"bytes":6,"sha256":"b3c484e2f4a012e7cd54c4ed6cfc4f5994aa9e5791fd4ae54cc67339cfb0078f"}`,
    refused: [wantsTaskId],
  },
  {
    profile: 'oddNames',
    accepted: '{"r":{"v":3,"x":{"ref":"3f2b8c1e-9d4a-4b6f-8a1c-0e5d7f9b2c34","nm":"a.txt","st":"A","pc":0,"tx":null}}}',
    query: '{"q":{"ref":"3f2b8c1e-9d4a-4b6f-8a1c-0e5d7f9b2c34"}}',
    queued: '{"r":{"v":3,"x":{"ref":"3f2b8c1e-9d4a-4b6f-8a1c-0e5d7f9b2c34","nm":"a.txt","st":"A","pc":0,"tx":null}}}',
    running: '{"r":{"v":3,"x":{"ref":"3f2b8c1e-9d4a-4b6f-8a1c-0e5d7f9b2c34","nm":"a.txt","st":"B","pc":37,"tx":null}}}',
    succeeded:
      '{"r":{"v":3,"x":{"ref":"3f2b8c1e-9d4a-4b6f-8a1c-0e5d7f9b2c34","nm":"a.txt","st":"Z","pc":100,"tx":null}}}',
    event:
      '{"event":"TASK_FINISHED","data":{"r":{"v":3,"x":{"ref":"3f2b8c1e-9d4a-4b6f-8a1c-0e5d7f9b2c34","nm":"a.txt","st":"Z","pc":100,"tx":null}}}}',
    failed: `{"r":{"v":3,"x":{"ref":"3f2b8c1e-9d4a-4b6f-8a1c-0e5d7f9b2c34","nm":"a.txt","st":"E","pc":16,"tx":${fault}}}}`,
    refused: [
      ['{"q":{"ref":"a"}}', '1003', 'There is no task "a".'],
      ['{"ref":"a"}', '400', 'The body must be an object whose "q" is an object whose "ref" is a string.'],
    ],
  },
];

for (const { profile, accepted, query, queued, running, succeeded, event, failed, refused } of speeches) {
  describe(`the sandbox's profile ${profile}`, () => {
    it('takes a text from file-task to its success, in these very words', async () => {
      let time = 0;
      await runSandbox({ profile, newUuid, now: () => time, stageMs: 100 }, async (sandbox) => {
        assert.equal((await postForm(sandbox, fileForm('1\n2\n3\n4\n5\n6\n7\n8\n'))).body, success(accepted));
        const responses = [];
        for (time of [0, 174, 300]) responses.push((await postJson(sandbox, 'query-task', query)).body);
        assert.deepEqual(responses, [queued, running, succeeded].map(success));
      });
    });

    it('lets a text that is not UTF-8 fail, in these very words', async () => {
      let time = 0;
      await runSandbox({ profile, newUuid, now: () => time, stageMs: 100 }, async (sandbox) => {
        await postForm(sandbox, fileForm(Buffer.from('Zürich', 'latin1')));
        time = 300;
        assert.equal((await postJson(sandbox, 'query-task', query)).body, success(failed));
      });
    });

    it('sends a webhook event in the same words', async () => {
      const delivered = Promise.withResolvers<WebhookDelivery>();
      await runSandbox({ profile, newUuid, stageMs: 0, onDelivery: delivered.resolve }, async (sandbox) => {
        await postJson(sandbox, 'set-webhook', JSON.stringify({ url: sandbox.baseUrl }));
        await postForm(sandbox, fileForm('1\n2\n3\n4\n5\n6\n7\n8\n'));
        assert.equal((await delivered.promise).body, event);
      });
    });

    for (const [json, code, message] of refused) {
      it(`refuses ${json} as a query`, () =>
        runSandbox({ profile, newUuid }, async (sandbox) => {
          await postForm(sandbox, fileForm('x'));
          const { status, envelope } = await postJson(sandbox, 'query-task', json);
          assert.equal(status, code === '400' ? 400 : 200);
          assert.deepEqual(envelope, { code, message, data: null });
        }));
    }
  });
}
