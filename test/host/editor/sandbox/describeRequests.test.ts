import assert from 'node:assert/strict';
import { describeRequests } from '../../../../src/editor/sandbox/describeRequests';
import type { SandboxRecord } from '../../../../src/sandbox/sandbox';

type Received = Extract<SandboxRecord, { kind: 'request' }>;

const query: Received = {
  number: 1,
  kind: 'request',
  receivedAt: Date.parse('2026-02-03T04:05:06'),
  method: 'POST',
  target: '/openapi/open/v1/query-task',
  httpVersion: '1.1',
  headers: [
    ['Access-Key', '********'],
    ['content-type', 'application/json'],
  ],
  body: { bytes: 14, start: '{"taskId":"a"}', cut: false },
  parts: [],
  response: {
    kind: 'sent',
    status: 200,
    headers: { 'Content-Type': 'application/json' },
    body: '{"code":"1003","message":"There is no task.","data":null}',
  },
};

const upload: Received = {
  ...query,
  number: 2,
  target: '/openapi/open/v1/file-task',
  headers: [['Content-Type', 'multipart/form-data; boundary=X']],
  body: { bytes: 123_456, start: '--X\r\nContent-Dis', cut: true },
  parts: [
    {
      name: 'file',
      fileName: 'a\u202etxt',
      mediaType: 'text/plain',
      bytes: 123_000,
      lines: 1,
      sha256: 'ab12',
      firstLines: '\ufeffone\r\ntwo\u0000',
      invalid: undefined,
    },
  ],
  response: { kind: 'clientWentAway' },
};

const delivery: SandboxRecord = {
  number: 3,
  kind: 'delivery',
  sentAt: Date.parse('2026-02-03T16:05:07'),
  url: 'http://127.0.0.1:9/hook',
  headers: { 'Content-Type': 'application/json' },
  body: '{"event":"\u202e"}',
  outcome: { kind: 'responded', status: 204 },
};

describe('The requests of the sandbox as text', () => {
  it('say so while none has come', () => {
    assert.equal(describeRequests([]), '# The sandbox has not received any requests yet.\n');
  });

  it('come with the newest first, numbered and timed, each with its line, headers, body or parts, and response', () => {
    assert.equal(
      describeRequests([query, upload]),
      [
        '# Last 2 of 2 requests, newest first',
        '',
        '### 2 · 4:05:06 AM',
        '',
        'POST /openapi/open/v1/file-task HTTP/1.1',
        'Content-Type: multipart/form-data; boundary=X',
        '',
        "# Form part 'file' with file 'a\\u202etxt'",
        '# text/plain · 123,000 bytes · 1 line · SHA-256 ab12',
        '  | \\ufeffone\\r',
        '  | two\\u0000',
        '',
        '# There is no response. The client disconnected before its request was complete.',
        '',
        '',
        '### 1 · 4:05:06 AM',
        '',
        'POST /openapi/open/v1/query-task HTTP/1.1',
        'Access-Key: ********',
        'content-type: application/json',
        '',
        '{"taskId":"a"}',
        '',
        'HTTP/1.1 200 OK',
        'Content-Type: application/json',
        '',
        '{"code":"1003","message":"There is no task.","data":null}',
        '',
        '',
      ].join('\n'),
    );
  });

  it('have the deliveries of webhook events among them, with what was sent and what came back', () => {
    const failed: SandboxRecord = { ...delivery, number: 4, outcome: { kind: 'failed', reason: 'ECONNREFUSED\r' } };
    const [, ...shown] = describeRequests([query, delivery, failed]).split(/^(?=###)/m);
    assert.deepEqual(
      shown.map((text) => text.split('\n')[0]),
      ['### 4 · 4:05:07 PM · Webhook delivery', '### 3 · 4:05:07 PM · Webhook delivery', '### 1 · 4:05:06 AM'],
    );
    const sent = ['POST http://127.0.0.1:9/hook HTTP/1.1', 'Content-Type: application/json', '', '{"event":"\\u202e"}'];
    const [ofFailed, ofDelivered] = shown.map((text) => text.split('\n').slice(2));
    assert.deepEqual(ofDelivered?.slice(0, 6), [...sent, '', 'HTTP/1.1 204 No Content']);
    assert.deepEqual(ofFailed?.slice(0, 6), [...sent, '', '# The delivery failed: ECONNREFUSED\\r']);
  });

  it('say how many there were before those that are kept', () => {
    const heading = (records: readonly SandboxRecord[]) => describeRequests(records).split('\n')[0];
    assert.equal(heading([{ ...query, number: 1234 }]), '# Last 1 of 1,234 requests, newest first');
    assert.equal(heading([query]), '# 1 request');
  });

  it('show the beginning of a body that was read as no form', () => {
    const text = describeRequests([{ ...query, body: { bytes: 123_456, start: '--X\r\nContent-Dis', cut: true } }]);
    assert.match(text, /json\n\n--X\\r\nContent-Dis\n# This is the beginning of 123,456 bytes\.\n\nHTTP/);
  });

  it('leave out the body where there was none', () => {
    const text = describeRequests([{ ...query, body: { bytes: 0, start: '', cut: false } }]);
    assert.match(text, /application\/json\n\nHTTP\/1\.1 200 OK\n/);
  });

  const written = { status: 200, headers: { 'Content-Type': 'application/json' }, body: '{"code"' };
  const asWritten = ['HTTP/1.1 200 OK', 'Content-Type: application/json', '', '{"code"'];
  for (const [what, response, lines] of [
    [
      'a response with headers of its own',
      { kind: 'sent', status: 429, headers: { 'Content-Type': 'application/json', 'Retry-After': '2' }, body: '{}' },
      ['HTTP/1.1 429 Too Many Requests', 'Content-Type: application/json', 'Retry-After: 2', '', '{}'],
    ],
    [
      'a response cut short',
      { kind: 'cutShort', ...written, wholeBytes: 1234 },
      [...asWritten, '# This is the beginning of 1,234 bytes. The rest was not sent.'],
    ],
    [
      'a lost response',
      { kind: 'lost', ...written },
      ['# The request was carried out. The connection was reset instead of sending this response.', ...asWritten],
    ],
    [
      'a reset connection',
      { kind: 'reset', readBytes: 61_728, wholeBytes: 123_456 },
      ['# There is no response. The connection was reset after reading 61,728 of 123,456 bytes of the body.'],
    ],
    [
      'a reset connection whose request did not say its length',
      { kind: 'reset', readBytes: 0, wholeBytes: undefined },
      ['# There is no response. The connection was reset after reading 0 bytes of the body.'],
    ],
  ] as const) {
    it(`end with ${what}`, () => {
      const text = describeRequests([{ ...query, body: { bytes: 0, start: '', cut: false }, response }]);
      assert.equal(text.slice(text.indexOf('\n\n', text.indexOf('POST'))), ['', '', ...lines, '', ''].join('\n'));
    });
  }
});
