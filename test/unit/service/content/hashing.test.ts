import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { buffer } from 'node:stream/consumers';
import { FileBody } from '../../../../src/service/content/fileBody';
import { hashed, sha256Of } from '../../../../src/service/content/hashing';
import { textBody } from '../../../../src/service/content/sourceBody';
import { TemporaryFiles } from '../temporaryFiles';

const LONG = `\uFEFF${'Grüße, '.repeat(400_000)}`;

describe('A body that is being hashed', () => {
  it('yields every byte and the correct SHA-256', async () => {
    await using files = await TemporaryFiles.make();
    const { path } = await files.write('a.txt', LONG);
    const body = hashed(await FileBody.open(path));
    assert.equal(body.sha256(), undefined);
    const read: Buffer[] = [];
    for await (const chunk of body.chunks()) read.push(Buffer.from(chunk));
    assert.ok(Buffer.concat(read).equals(readFileSync(path)));
    const sha256 = createHash('sha256').update(readFileSync(path)).digest('hex');
    assert.deepEqual([body.sha256(), await sha256Of(body)], [sha256, sha256]);
    await body.close();
  });

  it('has no hash if the most recent read stopped before the end of the body', async () => {
    const body = hashed(textBody('a.txt', Buffer.from(LONG)));
    await buffer(body.chunks());
    assert.notEqual(body.sha256(), undefined);
    for await (const _ of body.chunks()) break;
    assert.equal(body.sha256(), undefined);
  });

  it('has no hash if the file changes while it is being read', async () => {
    await using files = await TemporaryFiles.make();
    const { path } = await files.write('a.txt', LONG);
    const body = hashed(await FileBody.open(path));
    const reading = async () => {
      for await (const _ of body.chunks()) await files.write('a.txt', 'short');
    };
    await assert.rejects(reading(), { name: 'SourceError', reason: 'changed' });
    await body.close();
    assert.equal(body.sha256(), undefined);
  });
});
