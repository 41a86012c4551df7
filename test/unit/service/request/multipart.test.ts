import assert from 'node:assert/strict';
import { multipartBody } from '../../../../src/service/request/multipart';
import { escaped, HOSTILE_NAMES } from '../hostileNames';
import { outcomeText } from '../operations';
import { RawServer } from '../rawServer';
import { readForm } from '../readForm';
import { acceptsAll } from '../responses';
import { TemporaryFiles } from '../temporaryFiles';
import { target, unwatched, wire } from '../wire';

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
      const outcome = await wire().fileTask(target(server.url), await files.write(name, content), unwatched());
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
      await wire().fileTask(target(server.url), await files.write(name, content), unwatched());
      assert.equal((await readForm(server.request))[0]?.mediaType, mediaType);
    });
  }
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

  it('grow to 512 KiB once 16 MiB has been sent without a delay, and shrink back after a delay', async () => {
    const sizes = await slices(35 * MiB, (index) => (index === 257 ? 100 : 1));
    assert.deepEqual(sizes.slice(0, 258), [...Array(256).fill(64 * KiB), ...Array(2).fill(512 * KiB)]);
    assert.deepEqual(sizes.slice(258), [...Array(256).fill(64 * KiB), ...Array(4).fill(512 * KiB)]);
  });
});
