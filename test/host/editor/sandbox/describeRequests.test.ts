import assert from 'node:assert/strict';
import { describeRequests } from '../../../../src/editor/sandbox/describeRequests';
import type { ReceivedRequest } from '../../../../src/sandbox/sandbox';

const query: ReceivedRequest = {
  receivedAt: Date.UTC(2026, 1, 3, 4, 5, 6, 7),
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

const upload: ReceivedRequest = {
  ...query,
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

describe('The requests of the sandbox as text', () => {
  it('are empty while none has come', () => {
    assert.equal(describeRequests([]), '');
  });

  it('come one after another, each with its line, headers, body, parts and answer', () => {
    assert.equal(
      describeRequests([query, upload]),
      [
        '### 1, 2026-02-03T04:05:06.007Z',
        '',
        'POST /openapi/open/v1/query-task HTTP/1.1',
        'Access-Key: ********',
        'content-type: application/json',
        '',
        '{"taskId":"a"}',
        '',
        'Answer: HTTP 200',
        'Content-Type: application/json',
        '',
        '{"code":"1003","message":"There is no task.","data":null}',
        '',
        '### 2, 2026-02-03T04:05:06.007Z',
        '',
        'POST /openapi/open/v1/file-task HTTP/1.1',
        'Content-Type: multipart/form-data; boundary=X',
        '',
        '--X\\r',
        'Content-Dis',
        '[this is the beginning of 123,456 bytes]',
        '',
        'Part "file": file name "a\\u202etxt", text/plain, 123,000 bytes, 1 line, SHA-256 ab12',
        '  | \\ufeffone\\r',
        '  | two\\u0000',
        '',
        'No answer: the client went away before its request was complete.',
        '',
      ].join('\n'),
    );
  });

  it('leave out the body where there was none', () => {
    const text = describeRequests([{ ...query, body: { bytes: 0, start: '', cut: false } }]);
    assert.match(text, /application\/json\n\nAnswer: HTTP 200\n/);
  });

  const written = { status: 200, headers: { 'Content-Type': 'application/json' }, body: '{"code"' };
  for (const [what, response, lines] of [
    [
      'an answer with headers of its own',
      { kind: 'sent', status: 429, headers: { 'Content-Type': 'application/json', 'Retry-After': '2' }, body: '{}' },
      ['Answer: HTTP 429', 'Content-Type: application/json', 'Retry-After: 2', '', '{}'],
    ],
    [
      'a slow answer',
      { kind: 'sentSlowly', ...written },
      ['Answer, sent a few bytes at a time: HTTP 200', 'Content-Type: application/json', '', '{"code"'],
    ],
    [
      'an answer cut short',
      { kind: 'cutShort', ...written, wholeBytes: 1234 },
      [
        'Answer, cut short: HTTP 200',
        'Content-Type: application/json',
        '',
        '{"code"',
        '[this is the beginning of 1,234 bytes; the rest was not sent]',
      ],
    ],
    [
      'a lost answer',
      { kind: 'lost', ...written },
      [
        'Answer, lost: the request was carried out, and the connection reset instead of HTTP 200',
        'Content-Type: application/json',
        '',
        '{"code"',
      ],
    ],
    [
      'a reset connection',
      { kind: 'reset', readBytes: 61_728, wholeBytes: 123_456 },
      ['No answer: the connection was reset after reading 61,728 of 123,456 bytes of the body.'],
    ],
    [
      'a reset connection whose request did not say its length',
      { kind: 'reset', readBytes: 0, wholeBytes: undefined },
      ['No answer: the connection was reset after reading 0 bytes of the body.'],
    ],
  ] as const) {
    it(`end with ${what}`, () => {
      const text = describeRequests([{ ...query, body: { bytes: 0, start: '', cut: false }, response }]);
      assert.equal(text.slice(text.indexOf('\n\n', text.indexOf('POST'))), ['', '', ...lines, ''].join('\n'));
    });
  }
});
