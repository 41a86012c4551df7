import assert from 'node:assert/strict';
import { faultOf } from '../../../../src/tasks/store/storeFault';

describe('A task database failure', () => {
  const failures: Readonly<Record<string, readonly object[]>> = {
    // BUSY, plus the errors that occur on drives without lock support: IOERR_LOCK, IOERR_RDLOCK and IOERR_UNLOCK.
    locked: [{ errcode: 5 }, { errcode: 261 }, { errcode: 3850 }, { errcode: 2314 }, { errcode: 2058 }],
    // FULL, plus the errors that occur when a quota is exceeded: IOERR_WRITE and IOERR_FSYNC.
    full: [{ errcode: 13 }, { errcode: 778 }, { errcode: 1034 }, { code: 'ENOSPC' }, { code: 'EDQUOT' }],
    damaged: [{ errcode: 11 }, { errcode: 26 }, { errcode: 267 }],
    // IOERR_READ, READONLY_DIRECTORY
    unusable: [{ errcode: 266 }, { errcode: 1544 }, { code: 'EACCES' }],
    // CONSTRAINT_UNIQUE
    invalid: [{ errcode: 2067 }, { errcode: 1 }, {}],
  };
  for (const [reason, errors] of Object.entries(failures))
    it(`is classified as "${reason}" based on its error code`, () => {
      for (const error of errors) assert.equal(faultOf(Object.assign(new Error('reported'), error)).reason, reason);
    });
});
