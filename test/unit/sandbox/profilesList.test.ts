import assert from 'node:assert/strict';
import fc from 'fast-check';
import { numericIds } from '../../../src/sandbox/profiles/numericIds';
import { type Sandbox, sandboxProfiles } from '../../../src/sandbox/sandbox';
import { exchange, formOf, formPart, head, type Reply } from './exchange';
import { runSandbox } from './runSandbox';

/** Sends all that any profile asks for. */
function importAnywhere(sandbox: Sandbox): Promise<Reply> {
  const form = formOf(
    formPart('file', 'x', 'a.txt'),
    formPart('document', 'x', 'a.txt'),
    formPart('datasetCode', 'A1'),
    formPart('fileName', 'a.txt'),
  );
  const headers = {
    'Access-Key': sandbox.accessKey,
    'X-Tenant': 'sandbox',
    'Content-Type': 'multipart/form-data; boundary=X',
    'Content-Length': form.length,
  };
  return exchange(sandbox, head('/openapi/open/v1/file-task', headers), form);
}

describe('the list of profiles', () => {
  it('begins with the standard one and names ten', () => {
    assert.deepEqual(sandboxProfiles, [
      'standard',
      'flaky',
      'numericIds',
      'listInData',
      'nestedStates',
      'requiredParts',
      'unrecognizable',
      'pairs',
      'gateway',
      'bareData',
    ]);
  });

  // What becomes of an import to the flaky one is told in faults.test.ts.
  for (const profile of sandboxProfiles.filter((id) => id !== 'flaky')) {
    it(`gives each task of ${profile} an id of its own`, () =>
      runSandbox({ profile }, async (sandbox) => {
        const bodies = [(await importAnywhere(sandbox)).body, (await importAnywhere(sandbox)).body];
        assert.match(bodies[0] ?? '', /^\{"code":"0","message":null,"data":[{[]/);
        assert.notEqual(bodies[0], bodies[1]);
      }));
  }
});

describe('the ids of the profile numericIds', () => {
  it('have 19 digits, fit a signed number of 64 bits and change when rounded, whatever UUID they are made of', () => {
    fc.assert(
      fc.property(fc.uuid(), (uuid) => {
        const id = numericIds.idFrom(uuid);
        assert.ok(typeof id === 'bigint');
        assert.match(`${id}`, /^\d{19}$/);
        assert.ok(id < 2n ** 63n);
        assert.notEqual(BigInt(Number(id)), id);
      }),
      { seed: 3, numRuns: 2000 },
    );
  });
});
