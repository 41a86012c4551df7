import assert from 'node:assert/strict';
import { ConcurrencyLimiter } from '../../../../src/tasks/serving/concurrencyLimiter';
import { fc } from '../../seededFastCheck';

describe('The concurrency limit of a destination', () => {
  it('is all that the user allows at first, and at least one', () => {
    const limiter = new ConcurrencyLimiter();
    assert.deepEqual([limiter.limit(7), limiter.limit(1), limiter.limit(0)], [7, 1, 1]);
  });

  it('is halved when the service pushes back, and grows by one with each round that goes well', () => {
    const limiter = new ConcurrencyLimiter();
    limiter.throttled(8);
    const limits = [limiter.limit(8)];
    for (let well = 0; well < 4 + 5 + 6 + 7 + 8; well++) {
      limiter.succeeded(8);
      if (limiter.limit(8) !== limits.at(-1)) limits.push(limiter.limit(8));
    }
    assert.deepEqual(limits, [4, 5, 6, 7, 8]);
  });

  it('is all that is allowed again for another service', () => {
    const limiter = new ConcurrencyLimiter();
    limiter.throttled(4);
    limiter.reset();
    assert.equal(limiter.limit(4), 4);
  });

  it('is never above what is allowed nor below one, and comes back to what is allowed', () => {
    const event = fc.oneof(fc.constant('success' as const), fc.record({ running: fc.nat(20) }));
    fc.assert(
      fc.property(fc.array(event, { maxLength: 60 }), fc.integer({ min: 1, max: 16 }), (events, allowed) => {
        const limiter = new ConcurrencyLimiter();
        for (const each of events) {
          if (each === 'success') limiter.succeeded(allowed);
          else limiter.throttled(each.running);
          const limit = limiter.limit(allowed);
          assert.ok(Number.isInteger(limit) && limit >= 1 && limit <= allowed, `${limit} of ${allowed}`);
        }
        for (let round = 0; round < allowed * allowed; round++) limiter.succeeded(allowed);
        assert.equal(limiter.limit(allowed), allowed);
      }),
    );
  });
});
