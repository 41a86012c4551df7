import assert from 'node:assert/strict';
import fc from 'fast-check';
import { DEFAULT_CONTRACT } from '../../../src/service/contract';
import { multipartBody } from '../../../src/service/multipart';
import { taking } from './answers';
import { OPERATIONS, told } from './operations';
import { RawServer } from './rawServer';
import { readForm } from './readForm';
import { TemporaryFiles } from './temporaryFiles';
import { target, unwatched, wire } from './wire';

const fileTask = OPERATIONS['file-task'];
const content = 'a,b\r\n';
let files: TemporaryFiles;
before(async () => {
  files = await TemporaryFiles.make();
});
after(() => files[Symbol.asyncDispose]());

/**
 * The escapes of the HTML standard's multipart/form-data: quotes, CR and LF; and of what parsers stumble over besides,
 * as it stands in the names below.
 */
function escaped(name: string): string {
  const standard = name.replaceAll('"', '%22').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
  return standard.replaceAll('\u0007', '%07').replaceAll('\t', '%09').replace(/\\$/, '%5C');
}

describe("A file's name", () => {
  const names: Record<string, string> = {
    'with quotes': 'a "quoted" name.txt',
    'with a line feed': 'a\nb.txt',
    'with a carriage return and a header': 'a\r\nX-Other: b\r\n\r\n.txt',
    'that would end its part': 'x"; filename="y.txt',
    'that looks like a way up': '..\\..\\etc\\passwd',
    'of two dots and more': '...txt',
    'with a backslash': 'a\\b.txt',
    'with a backslash before a quote': 'a\\"b.txt',
    'with a backslash at its end': 'a.txt\\',
    'with a bell and a tab': 'a\u0007b\tc.txt',
    'with U+2028': 'a\u2028b.txt',
    'of 255 bytes': `${'n'.repeat(251)}.txt`,
    'of 255 bytes of Chinese': `${'数'.repeat(83)}据.md`,
    'in Chinese': '数据 集导入.txt',
    'with emoji': '👩‍👩‍👧.txt',
    'with combining accents': 'Gru\u0308ße.txt',
    'with a right-to-left override': 'gepj.\u202Etxt',
    'with a leading dash': '-rf.txt',
    'with percent signs': '100%22%0A.txt',
    'with a semicolon and an equals sign': 'a;b=c.txt',
    'with an apostrophe and angle brackets': "<a> 'b'.txt",
    'with spaces around it': ' a.txt ',
    'whose ending every object has': 'a.constructor',
    'whose ending is __proto__': 'a.__proto__',
    'without an ending': 'LICENSE',
  };
  for (const [what, name] of process.platform === 'win32' ? [] : Object.entries(names)) {
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
