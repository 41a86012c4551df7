import assert from 'node:assert/strict';
import { fc } from '../seededFastCheck';
import { postFormInPieces } from './exchange';
import { runSandbox } from './runSandbox';

const pieces = [
  '--X\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\ntext\r\n',
  '--X',
  '--X--',
  '\r\n',
  '\r',
  '\n',
  '-',
  'Content-Disposition: form-data; name="file"; filename="a"',
  'Content-Disposition: form-data; name="file',
  'Content-Type: text/plain',
  'text',
  '\0\xff',
];

describe('A randomly malformed form', () => {
  it('always gets a response and never crashes the sandbox, no matter how it is split into packets', () => {
    return runSandbox({}, async (sandbox) => {
      const chunks = fc.array(fc.array(fc.constantFrom(...pieces), { maxLength: 8 }), { maxLength: 8 });
      await fc.assert(
        fc.asyncProperty(chunks, async (texts) => {
          const buffers = texts.map((text) => Buffer.from(text.join(''), 'latin1'));
          const { status, envelope } = await postFormInPieces(sandbox, buffers);
          assert.ok(status === 400 || status === 200);
          assert.ok(['0', '400', '1001'].includes(envelope.code), envelope.message ?? '');
        }),
        { seed: 11, numRuns: 500 },
      );
    });
  });
});
