import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { appendFile } from 'node:fs/promises';
import { FileBody } from '../../../../src/service/content/fileBody';
import { type SourceBody, textBody } from '../../../../src/service/content/sourceBody';
import { DEFAULT_CONTRACT } from '../../../../src/service/contract/contract';
import { fileFacts } from '../../../../src/service/request/requests';
import { TemporaryFiles } from '../temporaryFiles';

const contractWithFields = (...values: string[]) => ({
  ...DEFAULT_CONTRACT,
  fileTask: {
    ...DEFAULT_CONTRACT.fileTask,
    fields: Object.fromEntries(values.map((value, index) => [`f${index}`, value])),
  },
});

const unreadable: SourceBody = {
  ...textBody('notes.v2.txt', Buffer.alloc(7)),
  chunks: () => assert.fail('the file was read'),
};

describe('The values of file placeholders', () => {
  it('are determined without reading the file if no form field uses its hash', async () => {
    for (const fields of [[], ['${fileName} ${relativePath} ${size} ${taskName}'], ['sha256', '$sha256', '{sha256}']]) {
      assert.deepEqual(await fileFacts(contractWithFields(...fields), unreadable, 'notes/notes.v2.txt'), {
        fileName: 'notes.v2.txt',
        relativePath: 'notes/notes.v2.txt',
        extension: 'txt',
        mediaType: 'text/plain',
        size: 7,
        taskName: 'notes.v2',
      });
    }
  });

  it('include the SHA-256 if a form field uses it, even for a file that is read in multiple chunks', async () => {
    await using files = await TemporaryFiles.make();
    const text = randomBytes(1_300_000).toString('hex');
    for (const content of ['\uFEFFGrüße\r\n', text]) {
      const { path } = await files.write('a.txt', content);
      const file = await FileBody.open(path);
      const { sha256 } = await fileFacts(contractWithFields('x', 'hash ${sha256}'), file, 'a.txt');
      assert.equal(sha256, createHash('sha256').update(content).digest('hex'));
      await file.close();
    }
  });

  it('are unavailable if the file changes while it is being read', async () => {
    await using files = await TemporaryFiles.make();
    const { path } = await files.write('a.txt');
    const file = await FileBody.open(path);
    await appendFile(path, 'more');
    await assert.rejects(fileFacts(contractWithFields('${sha256}'), file, 'a.txt'), {
      name: 'SourceError',
      reason: 'changed',
    });
    await file.close();
  });
});
