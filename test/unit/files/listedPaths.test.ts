import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { ListError, listedPaths } from '../../../src/files/listedPaths';

describe('A list of files', () => {
  it('is one path a line, with any line breaks, and a byte order mark is no part of the first', async () => {
    assert.deepEqual(await paths('\ufeff/a/one.txt\r\n\r\ndocs/two words.md\n  \n读书会/三.txt'), [
      '/a/one.txt',
      'docs/two words.md',
      '读书会/三.txt',
    ]);
    assert.deepEqual(await paths('/a/one.txt\r/b.txt\r', 1), ['/a/one.txt', '/b.txt']);
  });

  it('is the column path of CSV, wherever it stands and whatever stands in the others', async () => {
    const list =
      '\ufeffdataset,path,outcome\r\nManuals,"/a/with, comma and ""quote"".txt",accepted\r\nManuals,,notSent\r\n';
    assert.deepEqual(await paths(list), ['/a/with, comma and "quote".txt']);
    assert.deepEqual(await paths('Path;Size\n/a/x;1\n/a/y\n'), ['/a/x', '/a/y']);
    assert.deepEqual(await paths('size\tpath\n1\t/a/tab,comma\n'), ['/a/tab,comma']);
    assert.deepEqual(await paths('path\n"/a/line\nbreak.txt"\n'), ['/a/line\nbreak.txt']);
  });

  it('has no apostrophe that only keeps a spreadsheet from calculating', async () => {
    assert.deepEqual(await paths("path\n'@types/node.txt\n'=1+1.txt\n'quoted'.txt\n/a;'=1.txt\n/a;b's.txt\n"), [
      '@types/node.txt',
      '=1+1.txt',
      "'quoted'.txt",
      '/a;=1.txt',
      "/a;b's.txt",
    ]);
  });

  it('is the member path of JSON Lines, and what has none is passed over', async () => {
    const list = '{"path":"/a/\\u4e09\\n.txt","size":1}\n\n{"taskIds":["1"]}\n{"path":7}\n{"path":"/b"}';
    assert.deepEqual(await paths(list), ['/a/三\n.txt', '/b']);
  });

  it('that is broken names the line', async () => {
    await assert.rejects(paths('{"path":"/a"}\n{"path":\n'), new ListError(2, 'broken'));
    await assert.rejects(paths('path,size\n/a,1\n"/b'), ({ name }: Error) => name === 'ListError');
  });

  for (const [kind, begin, rest] of [
    ['whose quotation mark is not closed', 'path,size\n/a,1\n"/b', ',2\n/c'],
    ['whose quotation mark is not closed, in the line of the columns too', 'path,"size', '\n/a,1'],
    ['of JSON whose line has no end', '{"path":"/a"}\n\n{"path":"/b', 'b'],
    ['of paths whose line has no end', '/a\n/b\n/c', 'c'],
  ] as const) {
    it(`${kind} is given up early, and the line is named in which the entry begins`, async () => {
      let read = 0;
      async function* endless() {
        yield Buffer.from(begin);
        for (const chunk = Buffer.from(rest.repeat(20_000)); ; read += chunk.byteLength) yield chunk;
      }
      const line = begin.split('\n').length;
      await assert.rejects(Readable.from(listedPaths(endless())).toArray(), new ListError(line, 'tooLong'));
      assert.ok(read < 3 * 1024 * 1024, `${read} bytes were read`);
    });
  }

  it('is read as it comes, cut anywhere', async () => {
    for (const list of ['path,x\n"/a/三,",1\n/b,2\n', '{"path":"/a/三,"}\n{"path":"/b"}\n', '/a/三,\n/b\n'])
      assert.deepEqual(await paths(list, 1), ['/a/三,', '/b']);
    assert.deepEqual(await paths(''), []);
  });

  it('that cannot be read to its end is an error, and no shorter list', async () => {
    for (const begin of ['path,x\n/a,1\n', '{"path":"/a"}\n', '/a\n']) {
      async function* broken() {
        yield Buffer.from(begin);
        throw new Error('the disk is gone');
      }
      await assert.rejects(Readable.from(listedPaths(broken())).toArray(), { message: 'the disk is gone' });
    }
  });

  it('need not be in memory as a whole, and is closed where it is left', async () => {
    for (const [first, line] of [
      ['', '/file'],
      ['path,x\n', '/file,1'],
      ['', '{"path":"/file"}'],
    ] as const) {
      let made = 0;
      const closed = Promise.withResolvers<void>();
      async function* endless() {
        try {
          yield Buffer.from(`${first}${line}\n`);
          for (; ; made++) yield Buffer.from(`${line}\n`);
        } finally {
          closed.resolve();
        }
      }
      let count = 0;
      for await (const path of listedPaths(endless())) {
        assert.equal(path, '/file');
        if (++count === 3) break;
      }
      await closed.promise;
      assert.ok(made < 100_000, `${made} lines were read for three`);
    }
  });

  async function paths(list: string, chunkBytes = 1024): Promise<string[]> {
    const bytes = Buffer.from(list);
    const chunks = Array.from({ length: Math.ceil(bytes.length / chunkBytes) }, (_, index) =>
      bytes.subarray(index * chunkBytes, (index + 1) * chunkBytes),
    );
    return await Readable.from(listedPaths(Readable.from(chunks))).toArray();
  }
});
