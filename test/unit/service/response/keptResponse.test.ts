import assert from 'node:assert/strict';
import fc from 'fast-check';
import { DEFAULT_CONTRACT } from '../../../../src/service/contract/contract';
import { isJsonObject, type Json, type JsonObject, parseJson } from '../../../../src/service/json/json';
import { pointerNames } from '../../../../src/service/json/jsonPointer';
import { typedTaskId } from '../../../../src/service/json/taskId';
import { type OwnTask, toOwnTask } from '../../../../src/service/places/whose';
import { isCut } from '../../../../src/service/response/cutEnvelope';
import { keptResponse } from '../../../../src/service/response/keptResponse';
import type { Outcome } from '../../../../src/service/response/outcome';
import { idsAt } from '../../../../src/service/response/severalIds';
import { type BegunTask, readTaskReport, type TaskReport } from '../../../../src/service/response/taskReport';
import { valueAt } from '../json/valueAt';

const MAX_BYTES = 64 * 1024;

function accepted(data: Json, pointer?: string): Outcome<BegunTask> {
  const from = pointer === undefined ? undefined : ({ pointer, how: 'mapped' } as const);
  const envelope = { code: '0', message: null, data };
  return {
    kind: 'accepted',
    response: { envelope, deviations: [] },
    value: { taskId: typedTaskId('T1', 'string'), from },
  };
}

/** What is kept of an accepted answer with this `data`: at most 64 KiB, and marked where it was cut. */
function kept(outcome: Outcome<BegunTask | TaskReport>, ownTask?: OwnTask): JsonObject {
  const text = keptResponse(outcome, ownTask) ?? assert.fail();
  assert.ok(Buffer.byteLength(text) <= MAX_BYTES, `${Buffer.byteLength(text)} bytes`);
  const envelope = parseJson(text);
  assert.ok(isJsonObject(envelope));
  return envelope;
}

const rows = (count: number, row: Json): Json => Array.from({ length: count }, () => row);
const object = (names: readonly string[], value: Json): Json => Object.fromEntries(names.map((name) => [name, value]));

/** Of each kind as much as there can be in a response. */
const large: Readonly<Record<string, Json>> = {
  'one text': 'x'.repeat(1_000_000),
  'one text of control characters': '\u0000'.repeat(170_000),
  'a list of numbers': rows(400_000, 0),
  'a list of texts': rows(1000, 'é'.repeat(400)),
  'a list of objects': rows(10_000, { name: 'T1', words: 'DONE', note: 'so far' }),
  'lists in lists': rows(40, rows(40, rows(40, 'text'))),
  'an object of many members': object(
    Array.from({ length: 90_000 }, (_, index) => `k${index}`),
    0,
  ),
  'an object with a long name': { ['n'.repeat(900_000)]: 1 },
  'a number of many digits': parseJson(`[${'7'.repeat(900_000)}]`),
  'as deep as it is read': parseJson(`{"a":["${'x'.repeat(300_000)}",${'['.repeat(900)}${']'.repeat(900)}]}`),
  'a tree that is wide and deep': Array.from({ length: 16 }).reduce<Json>((inner) => [inner, inner], 'leaf'),
};

describe('What is kept of an answer', () => {
  it('is all of it, to the digit, up to 64 KiB', () => {
    const data = parseJson('{"id":9007199254740993123,"n":1.0}');
    assert.equal(keptResponse(accepted(data)), '{"code":"0","message":null,"data":{"id":9007199254740993123,"n":1.0}}');
    const frame = Buffer.byteLength(keptResponse(accepted('')) ?? '');
    const full = keptResponse(accepted('x'.repeat(MAX_BYTES - frame)));
    assert.deepEqual([full?.length, full?.includes('…')], [MAX_BYTES, false]);
    assert.equal(isCut(kept(accepted('x'.repeat(MAX_BYTES - frame + 1)))), true);
  });

  for (const [what, data] of Object.entries(large)) {
    it(`is at most 64 KiB where the answer is ${what}, and says that parts are left out`, () => {
      const envelope = kept(accepted(data));
      assert.deepEqual([envelope['code'], envelope['message'], isCut(envelope)], ['0', null, true]);
      assert.match(String(envelope['…']), /^Parts of this response are left out: it has \d+ bytes\.$/);
    });

    it(`has what was read in it at its place, exactly, where the answer is ${what}`, () => {
      const id = parseJson('9007199254740993123');
      for (const pointer of ['/task/id', '/list/7777/id', '/list/1/inner/0/id', '/z~1z/~0']) {
        const place = pointerNames(pointer);
        const [outer = '', ...inner] = place;
        const list = (items: Json): Json =>
          Array.from({ length: 8000 }, (_, index) => (index === Number(inner[0]) ? items : { id: 'X' }));
        const nested = inner
          .slice(outer === 'list' ? 1 : 0)
          .reduceRight<Json>((value, name) => ({ [name]: value }), id);
        const envelope = kept(accepted({ data, [outer]: outer === 'list' ? list(nested) : nested }, pointer));
        assert.deepEqual(valueAt(envelope['data'] ?? null, pointer), id, pointer);
      }
    });
  }

  it('has each of several ids at its place, exactly', () => {
    const pointer = '/list/${each}/task/id';
    for (const [what, junk] of Object.entries(large)) {
      const ids = Array.from({ length: 6 }, (_, index) => `90071992547409931${index + 10}`);
      const list = ids.map((id) => ({ junk, task: { id: parseJson(id) } }));
      const envelope = kept(accepted({ list }, pointer));
      assert.deepEqual(idsAt(envelope['data'] ?? null, pointer).ids, ids, what);
    }
  });

  it('has a code and a message that can be read, also of a refusal, wherever they stand', () => {
    const code = 'E'.repeat(100_000);
    const junk = Object.fromEntries(Array.from({ length: 10_000 }, (_, index) => [`k${index}`, 'junk']));
    const envelope = { ...junk, code, message: 'no '.repeat(100_000), data: { why: 'x' } };
    const response = { envelope, deviations: [] };
    const refusal = { by: 'envelope', status: 400, code, message: null, response } as const;
    const cut = kept({ kind: 'rejected', refusal, badKey: false, tryLater: false });
    assert.deepEqual([cut['code'], cut['data']], [`${'E'.repeat(2000)}…`, { why: 'x' }]);
    assert.ok(String(cut['message']).startsWith('no no '));
  });

  it('is read as the answer was, wherever status, progress and message stood in it', () => {
    for (const junk of Object.values(large)) {
      const row = { junk, job: { state: 'INDEXING_2', done: 3, total: 12, reason: 'so far' } };
      for (const data of [row, [row], { junk, row: row.job }]) {
        const value = readTaskReport(data, DEFAULT_CONTRACT.queryTask);
        assert.equal(value.status, 'INDEXING_2');
        const response = { envelope: { code: '0', message: null, data }, deviations: [] };
        const again = readTaskReport(
          kept({ kind: 'accepted', response, value })['data'] ?? null,
          DEFAULT_CONTRACT.queryTask,
        );
        assert.deepEqual(
          [again.status, again.message, again.from.status],
          [value.status, value.message, value.from.status],
        );
      }
    }
  });

  it('is read as the answer was where our task stood far down in a list, in a map or in a text that holds JSON', () => {
    const ownTask = toOwnTask(typedTaskId('t-7000', 'string'), undefined);
    const rows = Array.from({ length: 8000 }, (_, index) => ({
      note: 'x'.repeat(20),
      state: `STATE_${index}`,
      meta: { more: { y: index } },
      taskId: `t-${index}`,
    }));
    const map = Object.fromEntries(rows.map(({ state, taskId }) => [taskId, { state, junk: 'x'.repeat(20) }]));
    const mapped = { ...DEFAULT_CONTRACT.queryTask, progress: '/records/${taskId}/meta/more/y' };
    for (const data of [rows, { records: rows }, { tasks: map }, { job: JSON.stringify({ records: rows }) }]) {
      for (const contract of [DEFAULT_CONTRACT.queryTask, mapped]) {
        const value = readTaskReport(data, contract, ownTask);
        const response = { envelope: { code: '0', message: null, data }, deviations: [] };
        const envelope = kept({ kind: 'accepted', response, value }, ownTask);
        assert.equal(value.status, 'STATE_7000');
        assert.deepEqual(readTaskReport(envelope['data'] ?? null, contract, ownTask), value);
      }
    }
  });

  it('is the same where it is short, and short where it is not, whatever the answer is', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.nat({ max: 5000 }), (value, times) => {
        const data = parseJson(JSON.stringify({ value, many: Array.from({ length: times }, () => value) }));
        const whole = JSON.stringify({ code: '0', message: null, data });
        const envelope = kept(accepted(data));
        assert.equal(isCut(envelope), Buffer.byteLength(whole) > MAX_BYTES);
      }),
      { numRuns: 50 },
    );
  });

  it('is nothing where no envelope came', () => {
    const refusal = { by: 'status', status: 404, excerpt: 'no' } as const;
    assert.equal(keptResponse({ kind: 'rejected', refusal, badKey: false, tryLater: false }), undefined);
  });
});
