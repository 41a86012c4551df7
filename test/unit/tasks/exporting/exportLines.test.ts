import assert from 'node:assert/strict';
import { buffer, text } from 'node:stream/consumers';
import type { TaskId } from '../../../../src/service/json/taskId';
import { exportLines } from '../../../../src/tasks/exportLines';
import { asTracked } from '../../../../src/tasks/rows/taskRow';
import { type NewTask, newTask, type TrackedTask } from '../../../../src/tasks/trackedTask';

const createdMs = Date.UTC(2026, 10, 22, 8, 30);
const checkedMs = createdMs + 61_500;

describe('Exported tasks', () => {
  it('are a row each of a table, in whole digits and in UTC', async () => {
    const table = String(await buffer(exportLines(each(succeeded(), rejected()), 'csv')));
    assert.equal(
      table,
      [
        '\ufeffpath,sizeBytes,sha256,dataset,origin,outcome,reason,taskIds,state,status,progress,message,createdAt,checkedAt',
        '/w/docs/三.txt,12,ab12,Manuals,https://import.example.com,accepted,,9007199254740993123,succeeded,DONE,1,,2026-11-22T08:30:00.000Z,2026-11-22T08:31:01.500Z',
        '/w/b.txt,3,,Manuals,https://import.example.com,rejected,"code 4001: no, ""thanks""",,rejected,,,,2026-11-22T08:30:00.000Z,',
        '',
      ].join('\n'),
    );
  });

  it('are an object each of JSON Lines', async () => {
    const lines = (await text(exportLines(each(succeeded(), rejected()), 'jsonLines'))).split('\n');
    assert.equal(
      lines[0],
      '{"path":"/w/docs/三.txt","sizeBytes":12,"sha256":"ab12","dataset":"Manuals","origin":"https://import.example.com","outcome":"accepted","taskIds":["9007199254740993123"],"state":"succeeded","status":"DONE","progress":1,"createdAt":"2026-11-22T08:30:00.000Z","checkedAt":"2026-11-22T08:31:01.500Z"}',
    );
    assert.deepEqual([lines.length, lines[2]], [3, '']);
  });

  it('put an apostrophe before a path that a spreadsheet would calculate', async () => {
    for (const path of ['=cmd|x.txt', '@types/a.txt', '+1.txt', '-1.txt']) {
      const table = await text(exportLines(each(succeeded({ source: { ...source, path } })), 'csv'));
      assert.ok(table.includes(`\n'${path}`), table);
    }
  });

  it('cannot make a spreadsheet calculate by what stands after the separator of another country', async () => {
    const names = [
      'a;=1',
      'a;+1',
      'a; @SUM(1)',
      'a;"=1"',
      'a\t=1',
      'a\n=1',
      'a\r\n-1',
      ";'=1",
      'a;;\t=1',
      '\t=1',
      ' =1',
      '＝1',
    ];
    for (const path of names.flatMap((name) => [name, `/w/${name}`])) {
      const table = await text(exportLines(each(succeeded({ source: { ...source, path } })), 'csv'));
      // Where a comma separates nothing, a quote within a cell is text, and a line break in it begins a row.
      for (const cell of table.split(/[;\t\r\n]/)) assert.doesNotMatch(cell, /^["\s]*[=+\-@＝]/, JSON.stringify(table));
    }
  });

  it('have no path where they were made elsewhere or of a text without a file', async () => {
    const ofText = succeeded({ source: { ...source, from: 'text', path: 'Untitled-1', textFile: 'f' } });
    const lines = await text(exportLines(each(ofText, succeeded({ source: undefined })), 'jsonLines'));
    assert.doesNotMatch(lines, /"path"|"textFile"/);
  });

  it('are written as they are read', async () => {
    let read = 0;
    async function* endless() {
      for (;;) {
        read++;
        yield [succeeded()];
      }
    }
    for (const format of ['csv', 'jsonLines'] as const) {
      for await (const _ of exportLines(endless(), format)) break;
    }
    assert.ok(read < 1000, `${read} pages were read for two`);
  });

  const source = {
    from: 'disk',
    path: '/w/docs/三.txt',
    relativePath: 'docs/三.txt',
    name: '三.txt',
    sizeBytes: 12,
    sha256: 'ab12',
  } as const;
  const destination = { dataset: 'Manuals', origin: 'https://import.example.com', createdMs };

  function succeeded(parts: Partial<NewTask> = {}): TrackedTask {
    const report = { status: 'DONE', meaning: 'succeeded', progress: 1, message: undefined, from: {} } as const;
    const taskId = '9007199254740993123' as TaskId;
    const phase = { kind: 'accepted', report } as const;
    return asTracked(1, newTask({ ...destination, source, taskId, checkedMs, phase, ...parts }));
  }

  function rejected(): TrackedTask {
    const refusal = { by: 'envelope', status: 200, code: '4001', message: 'no, "thanks"' } as const;
    const { sha256: _, ...unread } = source;
    const other = { ...unread, path: '/w/b.txt', name: 'b.txt', sizeBytes: 3 };
    return asTracked(2, newTask({ ...destination, source: other, phase: { kind: 'rejected', refusal } }));
  }

  /** A page for each. */
  async function* each(...tasks: TrackedTask[]): AsyncGenerator<readonly TrackedTask[]> {
    for (const task of tasks) yield [task];
  }
});
