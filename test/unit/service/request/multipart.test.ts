import assert from 'node:assert/strict';
import { DEFAULT_CONTRACT } from '../../../../src/service/contract/contract';
import { multipartBody } from '../../../../src/service/request/multipart';
import { fc } from '../../seededFastCheck';
import { escaped, HOSTILE_NAMES } from '../hostileNames';
import { OPERATIONS, outcomeText } from '../operations';
import { RawServer } from '../rawServer';
import { readForm } from '../readForm';
import { acceptsAll } from '../responses';
import { TemporaryFiles } from '../temporaryFiles';
import { target, unwatched, wire } from '../wire';

const fileTask = OPERATIONS['file-task'];
const content = 'a,b\r\n';
const FORM = { fields: {}, filePart: 'file', mediaType: 'text/plain', fileNameEncoding: 'utf8' } as const;
let files: TemporaryFiles;
before(async () => {
  files = await TemporaryFiles.make();
});
after(() => files[Symbol.asyncDispose]());

describe("A form's file part", () => {
  for (const [what, name] of process.platform === 'win32' ? [] : Object.entries(HOSTILE_NAMES)) {
    it(`has the right filename parameter for a file name ${what}`, async () => {
      await using server = await RawServer.start(acceptsAll);
      const outcome = await fileTask(wire(), target(server.url), await files.write(name, content), unwatched());
      assert.equal(outcomeText(outcome), 'accepted');
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
    it(`has the media type ${mediaType} for a file named ${name}`, async () => {
      await using server = await RawServer.start(acceptsAll);
      await fileTask(wire(), target(server.url), await files.write(name, content), unwatched());
      assert.equal((await readForm(server.request))[0]?.mediaType, mediaType);
    });
  }
});

describe("A form's fields", () => {
  it('come before the file, with their placeholders filled in', async () => {
    await using server = await RawServer.start(acceptsAll);
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

  it('never make the body longer or shorter than its declared size, no matter what they contain', async () => {
    const text = fc.string({ unit: 'grapheme' });
    const names = fc.string({ unit: 'grapheme', minLength: 1 });
    await fc.assert(
      fc.asyncProperty(
        fc.dictionary(names, text),
        names,
        fc.uint8Array({ minLength: 1 }),
        fc.constantFrom('utf8', 'percent', 'both'),
        async (fields, name, bytes, fileNameEncoding) => {
          const chunks = async function* () {
            yield Buffer.from(bytes);
          };
          const file = { name, sizeBytes: bytes.length, chunks };
          const body = multipartBody({ ...FORM, fields, fileNameEncoding, file });
          let sizeBytes = 0;
          for await (const chunk of body.bytes()) sizeBytes += Buffer.byteLength(chunk);
          assert.equal(sizeBytes, body.sizeBytes);
        },
      ),
    );
  });
});

describe('The slices of a large body', () => {
  const KiB = 1024;
  const MiB = 1024 * KiB;

  /** The sizes of the file's slices. `tookMs` returns how long it takes to send the slice with the given index. */
  async function slices(sizeBytes: number, tookMs: (index: number) => number): Promise<number[]> {
    const chunks = async function* () {
      for (let at = 0; at < sizeBytes; at += MiB) yield Buffer.alloc(Math.min(MiB, sizeBytes - at));
    };
    let nowMs = 0;
    const form = { ...FORM, file: { name: 'a.txt', sizeBytes, chunks } };
    const sizes: number[] = [];
    for await (const { length } of multipartBody(form, () => nowMs).bytes()) {
      // The first slice is the multipart framing before the file.
      if (sizes.length > 0) nowMs += tookMs(sizes.length - 1);
      sizes.push(length);
    }
    return sizes.slice(1, -1);
  }

  it('are 64 KiB long on a slow connection', async () => {
    assert.deepEqual(await slices(20 * MiB + 5, () => 100), [...Array(320).fill(64 * KiB), 5]);
  });

  it('grow to 512 KiB after 16 MiB has been sent without a delay', async () => {
    const sizes = await slices(20 * MiB + 5, () => 99);
    assert.deepEqual(sizes, [...Array(256).fill(64 * KiB), ...Array(8).fill(512 * KiB), 5]);
  });

  it('shrink back to 64 KiB after a delay, until another 16 MiB has been sent without a delay', async () => {
    const sizes = await slices(35 * MiB, (index) => (index === 257 ? 100 : 1));
    assert.deepEqual(sizes.slice(0, 258), [...Array(256).fill(64 * KiB), ...Array(2).fill(512 * KiB)]);
    assert.deepEqual(sizes.slice(258), [...Array(256).fill(64 * KiB), ...Array(4).fill(512 * KiB)]);
  });
});
