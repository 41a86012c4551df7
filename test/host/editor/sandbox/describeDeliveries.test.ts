import assert from 'node:assert/strict';
import { describeDeliveries } from '../../../../src/editor/sandbox/describeDeliveries';

const url = 'http://127.0.0.1:9/hook';

describe('The webhook events of the sandbox as text', () => {
  it('are empty while none was sent', () => {
    assert.equal(describeDeliveries([]), '');
  });

  it('come one after another, each with its address, what was sent and what came back', () => {
    assert.equal(
      describeDeliveries([
        { url, body: '{"event":"A"}', outcome: { kind: 'answered', status: 204 } },
        { url, body: '{"event":"\u202e"}', outcome: { kind: 'failed', reason: 'connect ECONNREFUSED\r' } },
      ]),
      [
        `POST ${url}`,
        '{"event":"A"}',
        'Answered with HTTP 204',
        '',
        `POST ${url}`,
        '{"event":"\\u202e"}',
        'Failed: connect ECONNREFUSED\\r',
        '',
      ].join('\n'),
    );
  });
});
