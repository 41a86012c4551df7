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
const longId = '3385447386504440885';
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
    profile: 'numericIds',
    accepted: `{"id":${longId},"fileName":"a.txt"}`,
    query: `{"id":${longId}}`,
    queued: `{"id":${longId},"fileName":"a.txt","state":0,"progress":0,"message":null}`,
    running: `{"id":${longId},"fileName":"a.txt","state":1,"progress":0.37,"message":null}`,
    succeeded: `{"id":${longId},"fileName":"a.txt","state":2,"progress":1,"message":null}`,
    event: `{"event":"TASK_FINISHED","data":{"id":${longId},"fileName":"a.txt","state":2,"progress":1,"message":null}}`,
    failed: `{"id":${longId},"fileName":"a.txt","state":3,"progress":0.16,"message":${fault}}`,
    refused: [
      [`{"id":"${longId}"}`, '1003', `There is no task "${longId}".`],
      ['{"id":3385447386504441000}', '1003', 'There is no task 3385447386504441000.'],
      ['{"id":3385447386504440885.0}', '1003', 'There is no task 3385447386504441000.'],
      ['{"id":1}', '1003', 'There is no task 1.'],
      ['{"taskId":1}', '400', 'The body must be an object whose "id" is a number.'],
    ],
  },
  {
    profile: 'listInData',
    accepted: `{"tasks":[{"importId":${uuid},"fileName":"a.txt","taskStatus":"WAITING","rate":"0%","errorMsg":null}]}`,
    query: `{"importIds":[${uuid}]}`,
    queued: `{"tasks":[{"importId":${uuid},"fileName":"a.txt","taskStatus":"WAITING","rate":"0%","errorMsg":null}]}`,
    running: `{"tasks":[{"importId":${uuid},"fileName":"a.txt","taskStatus":"IMPORTING","rate":"37%","errorMsg":null}]}`,
    succeeded: `{"tasks":[{"importId":${uuid},"fileName":"a.txt","taskStatus":"FINISHED","rate":"100%","errorMsg":null}]}`,
    event: `{"event":"TASK_FINISHED","data":{"tasks":[{"importId":${uuid},"fileName":"a.txt","taskStatus":"FINISHED","rate":"100%","errorMsg":null}]}}`,
    failed: `{"tasks":[{"importId":${uuid},"fileName":"a.txt","taskStatus":"FAILED","rate":"16%","errorMsg":${fault}}]}`,
    refused: [
      ['{"importIds":["a"]}', '1003', 'There is no task "a".'],
      [`{"importIds":${uuid}}`, '400', 'The body must be an object whose "importIds" is a list of one string.'],
      ['{"importIds":[]}', '400', 'The body must be an object whose "importIds" is a list of one string.'],
      [`{"taskId":${uuid}}`, '400', 'The body must be an object whose "importIds" is a list of one string.'],
    ],
  },
  {
    profile: 'nestedStates',
    accepted: `{"importTask":{"id":${uuid},"fileName":"a.txt","phase":{"name":"RECEIVED_0","percent":0,"detail":null}}}`,
    query: `{"taskId":${uuid}}`,
    queued: `{"importTask":{"id":${uuid},"fileName":"a.txt","phase":{"name":"RECEIVED_0","percent":0,"detail":null}}}`,
    running: `{"importTask":{"id":${uuid},"fileName":"a.txt","phase":{"name":"INDEXING_2","percent":37,"detail":null}}}`,
    succeeded: `{"importTask":{"id":${uuid},"fileName":"a.txt","phase":{"name":"IN_DATASET","percent":100,"detail":null}}}`,
    event: `{"event":"TASK_FINISHED","data":{"importTask":{"id":${uuid},"fileName":"a.txt","phase":{"name":"IN_DATASET","percent":100,"detail":null}}}}`,
    failed: `{"importTask":{"id":${uuid},"fileName":"a.txt","phase":{"name":"BROKEN_9","percent":16,"detail":${fault}}}}`,
    refused: [wantsTaskId],
  },
  {
    profile: 'unrecognizable',
    accepted: '{"r":{"v":3,"x":{"ref":"x3f2b8c1e9d4a4b6f8a1c0e5d7f9b2c34","nm":"a.txt","st":"A","pc":0,"tx":null}}}',
    query: '{"q":{"ref":"x3f2b8c1e9d4a4b6f8a1c0e5d7f9b2c34"}}',
    queued: '{"r":{"v":3,"x":{"ref":"x3f2b8c1e9d4a4b6f8a1c0e5d7f9b2c34","nm":"a.txt","st":"A","pc":0,"tx":null}}}',
    running: '{"r":{"v":3,"x":{"ref":"x3f2b8c1e9d4a4b6f8a1c0e5d7f9b2c34","nm":"a.txt","st":"B","pc":37,"tx":null}}}',
    succeeded: '{"r":{"v":3,"x":{"ref":"x3f2b8c1e9d4a4b6f8a1c0e5d7f9b2c34","nm":"a.txt","st":"Z","pc":100,"tx":null}}}',
    event:
      '{"event":"TASK_FINISHED","data":{"r":{"v":3,"x":{"ref":"x3f2b8c1e9d4a4b6f8a1c0e5d7f9b2c34","nm":"a.txt","st":"Z","pc":100,"tx":null}}}}',
    failed: `{"r":{"v":3,"x":{"ref":"x3f2b8c1e9d4a4b6f8a1c0e5d7f9b2c34","nm":"a.txt","st":"E","pc":16,"tx":${fault}}}}`,
    refused: [
      ['{"q":{"ref":"a"}}', '1003', 'There is no task "a".'],
      ['{"ref":"a"}', '400', 'The body must be an object whose "q" is an object whose "ref" is a string.'],
    ],
  },
  {
    profile: 'pairs',
    accepted: `{"taskId":${uuid}}`,
    query: `{"taskId":${uuid}}`,
    queued: `{"taskId":${uuid},"status":"排队中","done":0,"total":8,"remark":null}`,
    running: `{"taskId":${uuid},"status":"处理中","done":2,"total":8,"remark":null}`,
    succeeded: `{"taskId":${uuid},"status":"已完成","done":8,"total":8,"remark":null}`,
    event: `{"event":"TASK_FINISHED","data":{"taskId":${uuid},"status":"已完成","done":8,"total":8,"remark":null}}`,
    failed: `{"taskId":${uuid},"status":"失败","done":0,"total":1,"remark":${fault}}`,
    refused: [wantsTaskId],
  },
  {
    profile: 'bareData',
    accepted: '[{"jobNo":"JOB-3F2B8C1E9D4A4B6F8A1C"}]',
    query: '{"jobNo":"JOB-3F2B8C1E9D4A4B6F8A1C"}',
    queued: '[{"jobNo":"JOB-3F2B8C1E9D4A4B6F8A1C","jobStatus":"SUBMITTED","percent":0,"errMsg":null}]',
    running: '[{"jobNo":"JOB-3F2B8C1E9D4A4B6F8A1C","jobStatus":"RUNNING","percent":37,"errMsg":null}]',
    succeeded: '[{"jobNo":"JOB-3F2B8C1E9D4A4B6F8A1C","jobStatus":"COMPLETED","percent":100,"errMsg":null}]',
    event:
      '{"event":"TASK_FINISHED","data":[{"jobNo":"JOB-3F2B8C1E9D4A4B6F8A1C","jobStatus":"COMPLETED","percent":100,"errMsg":null}]}',
    failed: `[{"jobNo":"JOB-3F2B8C1E9D4A4B6F8A1C","jobStatus":"FAILED","percent":16,"errMsg":${fault}}]`,
    refused: [['{"taskId":"a"}', '400', 'The body must be an object whose "jobNo" is a string.']],
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
