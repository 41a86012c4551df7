import assert from 'node:assert/strict';
import { exportedText } from '../../../../src/tasks/exporting';
import {
  accepted,
  contentOf,
  fileOf,
  filesOf,
  MANUALS,
  rejected,
  reportTask,
  requestOf,
  taskIdOf,
  unconfirmed,
} from '../store/storeRequests';
import { a, beforeEachPair, beginOne, windows } from '../store/storeWindows';

const HEADER =
  '\ufeffname,path,sizeBytes,sha256,dataset,origin,outcome,reason,taskIds,state,status,progress,message,queuedAt,checkedAt';

describe('An export', () => {
  beforeEachPair();

  it('in CSV format keeps all digits of long task IDs and gives times in UTC', async () => {
    await importAll();
    const at = new Date(windows.clock.now()).toISOString();
    assert.deepEqual((await textOf('csv')).split('\n'), [
      HEADER,
      `三.txt,/notes/三.txt,12,ab12,Manuals,https://import.example,accepted,,9007199254740993123,succeeded,DONE,1,,${at},${at}`,
      `b.txt,/notes/b.txt,12,,Manuals,https://import.example,rejected,"4001: no, ""thanks""",,rejected,,,,${at},`,
      `c.txt,/notes/c.txt,12,,Manuals,https://import.example,unconfirmed,ConnectionLostError (reset),,unconfirmed,,,,${at},`,
      `,,,,Manuals,https://import.example,accepted,,T7,waiting,,,,${at},`,
      '',
    ]);
  });

  it('in JSON Lines format contains one JSON object per row, without empty fields', async () => {
    await importAll();
    const lines = (await textOf('jsonLines')).trimEnd().split('\n');
    const at = new Date(windows.clock.now()).toISOString();
    assert.equal(
      lines[0],
      `{"name":"三.txt","path":"/notes/三.txt","sizeBytes":12,"sha256":"ab12","dataset":"Manuals","origin":"https://import.example","outcome":"accepted","taskIds":["9007199254740993123"],"state":"succeeded","status":"DONE","progress":1,"queuedAt":"${at}","checkedAt":"${at}"}`,
    );
    assert.equal(lines.length, 4);
  });

  it('contains each matching row exactly once, even across multiple pages', async () => {
    await a.queue(requestOf('many', filesOf(...Array(1201).keys())));
    await a.queue(requestOf('single', [fileOf('other.txt', { path: '/other.txt' })]));
    const [row] = await a.rowsAfter({ filter: { batch: null }, after: 0, limit: 1 });
    assert.equal(row?.path, '/other.txt');
    const lines = (await textOf('jsonLines', { batch: 1 })).trimEnd().split('\n');
    const paths = new Set(lines.map((line) => JSON.parse(line).path));
    assert.deepEqual([lines.length, paths.size, paths.has('/other.txt')], [1201, 1201, false]);
  });

  it('contains no cell that a spreadsheet would evaluate as a formula, no matter which separator the spreadsheet uses', async () => {
    const starts = ['=cmd|x', '@types/a', '+1', '-1', '\t=1', ' =1', '＝1'];
    const later = ['a;=1', 'a;+1', 'a; @SUM(1)', 'a;"=1"', 'a\t=1', 'a\n=1', 'a\r\n-1', ";'=1", 'a;;\t=1'];
    for (const path of [...starts, ...later]) {
      const rowsAfter = async ({ after }: { after: number }) => (after > 0 ? [] : ([{ ...ROW, path }] as never));
      let table = '';
      for await (const part of exportedText({ rowsAfter }, {}, 'csv')) table += part;
      // A spreadsheet that uses a separator other than a comma may ignore our quotes and start a new row at a line
      // break inside a cell.
      for (const cell of table.split(/[;\t\r\n]/)) assert.doesNotMatch(cell, /^["\s]*[=+\-@＝]/, JSON.stringify(table));
    }
  });
});

const ROW = {
  ...MANUALS,
  id: 1,
  path: null,
  state: 'succeeded',
  tasks: [],
  import: { outcome: 'accepted', cause: null, queuedMs: 1, sizeBytes: 1, sha256: null, run: 'r' },
};

async function importAll(): Promise<void> {
  const [one, two, three] = [await beginOne(a, '三.txt'), await beginOne(a, 'b.txt'), await beginOne(a, 'c.txt')];
  await a.end(accepted(one.attempt, '9007199254740993123', { content: contentOf('ab12') }));
  await a.end(rejected(two.attempt, '4001', { cause: { name: 'Rejected', code: '4001', message: 'no, "thanks"' } }));
  await a.end(unconfirmed(three.attempt));
  const done = { meaning: 'succeeded', status: 'DONE', progress: 1 } as const;
  await reportTask(a, one.import, taskIdOf('9007199254740993123'), done);
  await a.track({ destination: MANUALS, id: taskIdOf('T7'), name: '' });
}

async function textOf(format: 'csv' | 'jsonLines', filter = {}): Promise<string> {
  let text = '';
  for await (const part of exportedText(a, filter, format)) text += part;
  return text;
}
