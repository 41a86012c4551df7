import assert from 'node:assert/strict';
import fc from 'fast-check';
import { DEFAULT_CONTRACT } from '../../../../src/service/contract/contract';
import { multipartBody } from '../../../../src/service/request/multipart';
import { escaped, HOSTILE_NAMES } from '../hostileNames';
import { OPERATIONS, told } from '../operations';
import { RawServer } from '../rawServer';
import { readForm } from '../readForm';
import { taking } from '../responses';
import { TemporaryFiles } from '../temporaryFiles';
import { target, unwatched, wire } from '../wire';

const fileTask = OPERATIONS['file-task'];
const content = 'a,b\r\n';
let files: TemporaryFiles;
before(async () => {
  files = await TemporaryFiles.make();
});
after(() => files[Symbol.asyncDispose]());

describe("A file's name", () => {
  for (const [what, name] of process.platform === 'win32' ? [] : Object.entries(HOSTILE_NAMES)) {
    it(`${what} makes one file part with that very name`, async () => {
      await using server = await RawServer.start(taking);
      const outcome = await fileTask(wire(), target(server.url), await files.write(name, content), unwatched());
      assert.equal(told(outcome), 'accepted');
      const parts = await readForm(server.request);
      const mediaType = name.endsWith('.md') ? 'text/markdown' : 'text/plain';
      assert.deepEqual(parts, [{ name: 'file', content: Buffer.from(content), fileName: escaped(name), mediaType }]);
      assert.ok(server.request.body.includes(`; filename="${escaped(name)}"\r\n`));
    });
  }

  const endings = {
    'a.csv': 'text/csv',
    'a.tsv': 'text/tab-separated-values',
    'a.md': 'text/markdown',
    'a.JSON': 'application/json',
    'a.jsonl': 'application/x-ndjson',
    'a.html': 'text/html',
    'a.xml': 'application/xml',
    'a.yml': 'application/yaml',
    'a.log': 'text/plain',
    '.csv': 'text/csv',
  };
  for (const [name, mediaType] of Object.entries(endings)) {
    it(`${name} is sent as ${mediaType}`, async () => {
      await using server = await RawServer.start(taking);
      await fileTask(wire(), target(server.url), await files.write(name, content), unwatched());
      assert.equal((await readForm(server.request))[0]?.mediaType, mediaType);
    });
  }
});

describe('The fields of a form', () => {
  it('come before the file, with their placeholders filled', async () => {
    await using server = await RawServer.start(taking);
    const fields = {
      datasetCode: 'A1',
      path: '${relativePath}',
      note: '${fileName} has ${size} bytes, ${unknown}, ${constructor}',
      'with "quotes"\r\n': '',
    };
    const contract = { fileTask: { ...DEFAULT_CONTRACT.fileTask, filePart: 'upload', fields } };
    await fileTask(wire(), target(server.url, contract), await files.write('a.csv', content), unwatched());
    assert.deepEqual(await readForm(server.request), [
      { name: 'datasetCode', content: Buffer.from('A1') },
      { name: 'path', content: Buffer.from('notes/a.csv') },
      { name: 'note', content: Buffer.from('a.csv has 5 bytes, ${unknown}, ${constructor}') },
      { name: 'with %22quotes%22%0D%0A', content: Buffer.from('') },
      { name: 'upload', content: Buffer.from(content), fileName: 'a.csv', mediaType: 'text/csv' },
    ]);
  });

  it('give a body as long as is said beforehand, whatever they hold', async () => {
    const text = fc.string({ unit: 'grapheme' });
    const names = fc.string({ unit: 'grapheme', minLength: 1 });
    await fc.assert(
      fc.asyncProperty(
        fc.dictionary(names, text),
        names,
        fc.uint8Array({ minLength: 1 }),
        async (fields, name, bytes) => {
          const chunks = async function* () {
            yield Buffer.from(bytes);
          };
          const file = { name, sizeBytes: bytes.length, chunks };
          const body = multipartBody({ fields, filePart: 'file', mediaType: 'text/plain', file });
          let sizeBytes = 0;
          for await (const chunk of body.bytes()) sizeBytes += Buffer.byteLength(chunk);
          assert.equal(sizeBytes, body.sizeBytes);
        },
      ),
    );
  });
});
