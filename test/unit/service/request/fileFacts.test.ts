import assert from 'node:assert/strict';
import { type SourceBody, textBody } from '../../../../src/service/content/sourceBody';
import { DEFAULT_CONTRACT } from '../../../../src/service/contract/contract';
import { fileFacts } from '../../../../src/service/request/requests';

describe('The values of file placeholders', () => {
  it('are determined without reading the file if no form field uses its hash', async () => {
    const unreadable: SourceBody = {
      ...textBody('notes.v2.txt', Buffer.alloc(7)),
      chunks: () => assert.fail('the file was read'),
    };
    const fields = { a: '${fileName} ${relativePath} ${size} ${taskName}', b: 'sha256', c: '$sha256', d: '{sha256}' };
    const contract = { ...DEFAULT_CONTRACT, fileTask: { ...DEFAULT_CONTRACT.fileTask, fields } };
    assert.deepEqual(await fileFacts(contract, unreadable, 'notes/notes.v2.txt'), {
      fileName: 'notes.v2.txt',
      relativePath: 'notes/notes.v2.txt',
      extension: 'txt',
      mediaType: 'text/plain',
      size: 7,
      taskName: 'notes.v2',
    });
  });
});
