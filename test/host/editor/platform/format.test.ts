import assert from 'node:assert/strict';
import { formatBaseUrl } from '../../../../src/editor/datasets/formatFaults';
import { formatAge, formatSize } from '../../../../src/editor/platform/format';
import { formatFailure, formatRejection } from '../../../../src/editor/platform/formatFailures';
import { formatError } from '../../../../src/editor/platform/messages';
import { formatCause } from '../../../../src/editor/wording/causes';
import type { BaseUrlFault } from '../../../../src/service/contract/baseUrl';
import { type FaultReason, StoreFault } from '../../../../src/tasks/store/storeFault';
import { FAILURES } from '../../failures';

const sentence = /^[A-Z'i].*[.?]$/su;
const slips = /undefined|null|NaN|\[object|\{\d\}/;

describe('An error message', () => {
  it('is different for every kind of failure, with or without text from the service', () => {
    for (const cause of FAILURES) {
      for (const text of [formatFailure(cause), formatFailure({ ...cause, excerpt: '' })]) {
        assert.match(text, sentence);
        assert.doesNotMatch(text, slips);
      }
    }
    assert.equal(new Set(FAILURES.map((cause) => formatFailure(cause))).size, FAILURES.length);
  });

  it('suggests that a file may be too large only if the connection was closed before the whole file was sent', () => {
    const isTooLarge = (sentBytes: number) =>
      FAILURES.filter((cause) => formatCause(cause, { sentBytes, sizeBytes: 9 }).includes('too large for the service'));
    const reasons = isTooLarge(8).map(({ name, reason }) => [name, reason]);
    assert.deepEqual(reasons, [['ConnectionLostError', 'reset']]);
    assert.deepEqual(isTooLarge(9), []);
  });

  it('mentions the remote machine only if localhost refuses the connection in a remote window', () => {
    const text = (host: string, remoteName?: string, reason: 'refused' | 'dns' = 'refused') =>
      formatFailure({ name: 'ConnectError', reason, host, detail: '' }, remoteName);
    for (const host of ['localhost:8080', 'localhost', '127.0.0.1:3000', '[::1]:8080'])
      assert.match(text(host, 'ssh-remote'), /localhost is the remote machine/);
    for (const host of ['import.example.com', 'localhost.example.com:80', '10.0.0.1:8080', '[::2]:80'])
      assert.doesNotMatch(text(host, 'ssh-remote'), /remote machine/);
    assert.doesNotMatch(text('localhost', ''), /remote machine/);
  });

  it('about an unreachable service mentions that the system proxy is not used, unless the connection was refused', () => {
    const text = (reason: string) => formatFailure({ name: 'ConnectError', reason, host: 'import.example.com' });
    for (const reason of ['dns', 'timedOut', 'unreachable'])
      assert.match(text(reason), /The system's proxy is not used/);
    assert.doesNotMatch(text('refused'), /proxy/);
  });

  it('does not claim that a response has no code if its code is the number 0', () => {
    const text = formatFailure({ name: 'BadResponseError', reason: 'notEnvelope', status: 200, excerpt: '{"code":0}' });
    assert.equal(text, `The response (HTTP 200) has no valid code: '{"code":0}'.`);
  });

  it('truncates text from a service if it is too long for a row or a message', () => {
    const code = '7'.repeat(1_000_000);
    const message = `${'x'.repeat(299)}${'🐈'.repeat(500_000)}`;
    const text = formatRejection({ by: 'envelope', status: 200, code, message });
    assert.equal(text, `code ${'7'.repeat(300)}…: ${'x'.repeat(299)}…`);
  });

  it('explains why a base URL is invalid', () => {
    const faults = { notUrl: 0, scheme: 0, userInfo: 0, query: 0 };
    for (const fault of Object.keys(faults satisfies Record<BaseUrlFault, number>)) {
      assert.match(formatBaseUrl(fault as BaseUrlFault), sentence);
    }
  });

  it('explains each task database error and offers to show the log', () => {
    const sentences: Readonly<Record<FaultReason, RegExp>> = {
      locked: /locked by another process, or its network drive cannot lock files/,
      full: /disk is full, its quota is used up/,
      damaged: /damaged/,
      foreign: /damaged/,
      newer: /newer version .* Reload the window/,
      older: /was updated\. Reload all other windows/,
      ended: /Try again in a moment/,
      unusable: /cannot be read or written: EACCES/,
      invalid: /unexpected error occurred: EACCES/,
    };
    for (const [reason, sentence] of Object.entries(sentences)) {
      const { message, actions } = formatError(new StoreFault(reason as FaultReason, 'EACCES'), () => {});
      assert.match(message, sentence);
      assert.equal(actions.length, 1);
    }
  });
});

describe('A formatted size', () => {
  it('uses units that are powers of 1024', () => {
    assert.equal(formatSize(0), '0 bytes');
    const sizes = [1, 1023, 1024, 10 * 1024, 5.25 * 1024 ** 3, 1024 ** 5];
    assert.deepEqual(sizes.map(formatSize), ['1 byte', '1,023 bytes', '1.0 KB', '10 KB', '5.3 GB', '1,024 TB']);
  });
});

describe('A formatted age', () => {
  it('uses the largest possible unit, and is never negative', () => {
    const minutes = [-1, 0, 0.98, 1, 59, 60, 23 * 60, 24 * 60, 72 * 60];
    assert.deepEqual(
      minutes.map((age) => formatAge(1e12, 1e12 + age * 60_000)),
      ['just now', 'just now', 'just now', '1 min ago', '59 min ago', '1 h ago', '23 h ago', 'yesterday', '3 days ago'],
    );
  });
});
