import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import { Http, type HttpSettings } from '../../../../src/service/http/http';
import { ImportService } from '../../../../src/service/importService';
import { typedTaskId } from '../../../../src/service/json/taskId';
import type { Target } from '../../../../src/service/request/requests';
import { assertKeyIsMasked } from '../assertKeyIsMasked';
import { type CertificateName, tlsServer, trusting } from '../certificates';
import { outcomeText } from '../operations';
import { RawServer, type Script } from '../rawServer';
import { ACCEPTED, acceptsAll, answering, response, tunnelingTo } from '../responses';
import { TemporaryFiles } from '../temporaryFiles';
import { CANARY, SETTINGS, target, unwatched, wire } from '../wire';

const hasty = { ...SETTINGS.timeOuts, connectMs: 100 };

/** Imports a file and returns the outcome as one line. Checks that the access key is masked. */
async function run(dataset: Target, settings: Partial<HttpSettings> = {}): Promise<string> {
  await using files = await TemporaryFiles.make();
  const outcome = await wire(settings).fileTask(dataset, await files.write('a.txt'), unwatched());
  assertKeyIsMasked(outcome);
  return outcomeText(outcome);
}

function secure({ port }: RawServer): Target {
  return target(new URL(`https://127.0.0.1:${port}`));
}

describe('A TLS connection', () => {
  for (const systemCertificates of [false, true]) {
    const trusted = systemCertificates ? "Node's and the system's certificates" : "Node's certificates";
    it(`uses HTTP/1.1 and verifies the service against ${trusted}`, async () => {
      using _trust = trusting('loopback');
      await using server = await RawServer.start(acceptsAll, tlsServer('loopback'));
      assert.equal(await run(secure(server), { systemCertificates }), 'accepted');
      assert.match(server.request.head, /^POST \/openapi\/open\/v1\/[a-z-]+ HTTP\/1\.1\r\n/);
      assert.ok(server.request.head.includes(`\r\nAccess-Key: ${CANARY}\r\n`));
    });
  }

  const untrusted: Record<string, { certificate: CertificateName; trusts: readonly CertificateName[]; cause: RegExp }> =
    {
      'is not trusted': { certificate: 'loopback', trusts: [], cause: /self-signed certificate/ },
      'is for a different host': { certificate: 'elsewhere', trusts: ['elsewhere'], cause: /does not match/ },
      'has expired': { certificate: 'expired', trusts: ['expired'], cause: /expired/ },
    };
  for (const [what, { certificate, trusts, cause }] of Object.entries(untrusted)) {
    it(`fails with a specific error message if the certificate ${what}`, async () => {
      using _trust = trusting(...trusts);
      await using server = await RawServer.start(acceptsAll, tlsServer(certificate));
      await using files = await TemporaryFiles.make();
      const outcome = await wire().fileTask(secure(server), await files.write('a.txt'), unwatched());
      assertKeyIsMasked(outcome);
      assert.equal(outcomeText(outcome), 'not uploaded: ConnectError tls');
      assert.ok(outcome.kind === 'notUploaded');
      assert.match(outcome.cause.message, cause);
      assert.equal(server.posts, 0);
    });
  }

  it("fails with a TLS error if the server doesn't speak TLS", async () => {
    await using server = await RawServer.start(async (peer) => {
      await peer.readBytes(1);
      peer.send('HTTP/1.1 400 Bad Request\r\n\r\n');
      await peer.readToEnd();
    });
    assert.equal(await run(secure(server)), 'not uploaded: ConnectError tls');
    assert.ok(!server.received.includes(CANARY));
  });

  it('times out if the server never responds to the handshake', async () => {
    await using server = await RawServer.start(async (peer) => peer.readToEnd());
    assert.equal(await run(secure(server), { timeOuts: hasty }), 'not uploaded: ConnectError timedOut');
  });

  it('is not retried if the server resets it during the handshake', async () => {
    await using server = await RawServer.start(async (peer) => {
      await peer.readBytes(1);
      peer.reset();
    });
    assert.equal(await run(secure(server)), 'not uploaded: ConnectError reset');
    assert.equal(server.peers.length, 1);
  });
});

/** Settings that send all requests through this proxy. */
function through({ url }: RawServer) {
  return { proxy: url.href, noProxy: '' };
}

describe('A proxy', () => {
  const service = 'https://service.invalid';
  const rejections: Record<string, Script> = {
    'responds to CONNECT with a 407': answering(response('407 Proxy Authentication Required', 'who are you?')),
    'refuses CONNECT with a 403': answering(response('403 Forbidden', 'no')),
    'closes the connection': async (peer) => {
      await peer.readRequest();
      peer.end();
    },
  };
  for (const [what, script] of Object.entries(rejections)) {
    it(`that ${what} is tried only once, and the import is reported as not uploaded`, async () => {
      await using proxy = await RawServer.start(script);
      const reason = what.includes('407') ? 'proxyLogin' : 'proxy';
      assert.equal(await run(target(new URL(service)), through(proxy)), `not uploaded: ConnectError ${reason}`);
      assert.match(proxy.request.head, /^CONNECT service\.invalid:443 HTTP\/1\.1\r\n/);
      assert.ok(!proxy.received.includes(CANARY));
      assert.equal(proxy.peers.length, 1);
    });
  }

  it('that never responds to CONNECT causes a timeout', async () => {
    await using proxy = await RawServer.start(async (peer) => peer.readToEnd());
    const settings = { ...through(proxy), timeOuts: hasty };
    assert.equal(await run(target(new URL(service)), settings), 'not uploaded: ConnectError timedOut');
  });

  it("that can't be reached is named in the error instead of the service", async () => {
    const hosts: unknown[] = [];
    for (const proxy of ['http://127.0.0.1:1/', 'http://proxy.invalid:3128']) {
      const dataset = target(new URL(service));
      const id = typedTaskId('T1', 'string');
      const outcome = await wire({ proxy, noProxy: '' }).queryTask(dataset, id, unwatched());
      hosts.push(outcome.kind === 'notUploaded' && outcome.cause.name === 'ConnectError' && outcome.cause.host);
    }
    assert.deepEqual(hosts, ['127.0.0.1:1', 'proxy.invalid:3128']);
  });

  it('that opens a tunnel never sees the access key', async () => {
    using _trust = trusting('loopback');
    await using server = await RawServer.start(acceptsAll, tlsServer('loopback'));
    await using proxy = await RawServer.start(tunnelingTo(server));
    const settings = { ...through(proxy), proxyAuthorization: 'Basic cHJveHk6cGFzcw==' };
    assert.equal(await run(target(new URL(service)), settings), 'accepted');
    assert.match(proxy.request.head, /\r\nproxy-authorization: Basic cHJveHk6cGFzcw==\r\n/i);
    assert.doesNotMatch(server.request.head, /proxy/i);
    assert.match(server.request.head, /^POST \/\S+ HTTP\/1\.1\r\n/);
    assert.ok(server.request.head.includes(`\r\nAccess-Key: ${CANARY}\r\n`));
    assert.ok(!proxy.received.includes(CANARY));
    assert.equal(server.posts, 1);
  });

  it("that opens a tunnel doesn't prevent the service's certificate from being verified", async () => {
    await using server = await RawServer.start(acceptsAll, tlsServer('loopback'));
    await using proxy = await RawServer.start(tunnelingTo(server));
    const settings = { ...through(proxy), proxyStrictTls: false };
    assert.equal(await run(target(new URL(service)), settings), 'not uploaded: ConnectError tls');
    assert.equal(server.posts, 0);
  });

  it('that uses HTTPS must have a trusted certificate unless verification is turned off', async () => {
    await using proxy = await RawServer.start(answering(response('403 Forbidden', '')), tlsServer('loopback'));
    const settings = { proxy: `https://localhost:${proxy.port}`, noProxy: '' };
    assert.equal(await run(target(new URL(service)), settings), 'not uploaded: ConnectError tls');
    assert.equal(proxy.peers.length, 0);
    const lax = { ...settings, proxyStrictTls: false };
    assert.equal(await run(target(new URL(service)), lax), 'not uploaded: ConnectError proxy');
    assert.match(proxy.request.head, /^CONNECT service\.invalid:443 /);
  });

  it('that responds to a plain HTTP request with a 407 causes the import to be reported as not uploaded', async () => {
    await using proxy = await RawServer.start(answering(response('407 Proxy Authentication Required', 'who?')));
    const end = await run(target(new URL('http://service.invalid')), through(proxy));
    assert.equal(end, 'not uploaded: ConnectError proxyLogin');
    assert.equal(proxy.posts, 1);
  });

  it('receives plain HTTP requests with absolute URLs', async () => {
    await using proxy = await RawServer.start(acceptsAll);
    assert.equal(await run(target(new URL('http://service.invalid')), through(proxy)), 'accepted');
    assert.match(proxy.request.head, /^POST http:\/\/service\.invalid\/openapi\/open\/v1\//);
    assert.match(proxy.request.head, /\r\nhost: service\.invalid\r\n/);
  });

  for (const isSecure of [true, false]) {
    const what = isSecure ? 'opens a tunnel to' : 'forwards requests to';
    it(`that ${what} a service can relay an unsolicited 100 Continue before the response`, async () => {
      using _trust = trusting('loopback');
      const said = answering(`HTTP/1.1 100 Continue\r\n\r\n${response('200 OK', ACCEPTED)}`);
      await using server = await RawServer.start(said, isSecure ? tlsServer('loopback') : undefined);
      await using proxy = await RawServer.start(async (peer) => {
        await peer.readRequest(0);
        if (isSecure) peer.send('HTTP/1.1 200 Connection established\r\n\r\n');
        await peer.tunnelTo(server.port, isSecure ? peer.received.length : 0);
      });
      const dataset = target(new URL(isSecure ? service : 'http://service.invalid'));
      assert.equal(await run(dataset, through(proxy)), 'accepted');
      assert.equal(server.posts, 1);
    });
  }

  it("isn't used for loopback addresses or for hosts in noProxy", async () => {
    await using proxy = await RawServer.start(acceptsAll);
    await using server = await RawServer.start(acceptsAll);
    const settings = { ...through(proxy), noProxy: '.invalid' };
    assert.equal(await run(target(server.url), settings), 'accepted');
    assert.equal(await run(target(new URL(service)), settings), 'not uploaded: ConnectError dns');
    assert.equal(proxy.peers.length, 0);
  });
});

describe('An invalid request', () => {
  const headers: Record<string, Readonly<Record<string, string>>> = {
    'a line break in a header': { 'X-Tenant': 'a\r\nX-Other: b' },
    "a character that isn't allowed in a header": { 'X-Tenant': 'Köln – Süd' },
    'a Proxy-Authorization header': { 'Proxy-Authorization': 'Basic eDp5' },
  };
  for (const [what, extra] of Object.entries(headers)) {
    it(`with ${what} is not sent, and the import is reported as not uploaded`, async () => {
      await using proxy = await RawServer.start(acceptsAll);
      const dataset = target(new URL('http://service.invalid'), { headers: extra });
      assert.match(await run(dataset, through(proxy)), /^not uploaded: ConnectError (?:other|proxy)$/);
      assert.equal(proxy.posts, 0);
    });
  }

  it("with a line break in the access key is not sent, and the error doesn't reveal the key", async () => {
    await using server = await RawServer.start(acceptsAll);
    const dataset = { ...target(server.url), accessKey: `${CANARY}\r\nX-Other: b` };
    assert.equal(await run(dataset), 'not uploaded: ConnectError other');
    assert.equal(server.posts, 0);
  });
});

describe('undici', () => {
  for (const slots of ['empty', 'preset']) {
    it(`is loaded on the first request, and leaves its global dispatcher slots unchanged if they are ${slots}`, async () => {
      await using server = await RawServer.start(acceptsAll);
      const program = [path.join(__dirname, 'reportGlobalDispatchers.js'), slots, server.url.href];
      const { stdout, stderr } = await promisify(execFile)(process.execPath, program);
      assert.equal(stderr, '');
      assert.deepEqual(JSON.parse(stdout), {
        loadedBefore: false,
        outcome: 'accepted',
        loadedAfter: true,
        slotsUnchanged: true,
      });
    });
  }
});

describe('An import', () => {
  it("is reported as not uploaded, with the cause, if the HTTP settings can't be read", async () => {
    await using files = await TemporaryFiles.make();
    const service = new ImportService(
      new Http(() => {
        throw new TypeError('noProxy.join is not a function');
      }),
    );
    const outcome = await service.fileTask(target(new URL('http://127.0.0.1:9')), await files.write('a'), unwatched());
    assert.equal(outcomeText(outcome), 'not uploaded: ConnectError other');
    assert.ok(outcome.kind === 'notUploaded');
    assert.match(outcome.cause.message, /noProxy\.join is not a function/);
  });
});
