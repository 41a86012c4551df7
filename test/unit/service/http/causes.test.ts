import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import type { HttpSettings } from '../../../../src/service/http/http';
import { assertKeyIsMasked } from '../assertKeyIsMasked';
import { certificatePath, tlsServer, trusting } from '../certificates';
import { keptResponse, onRequest } from '../keptConnections';
import { OPERATIONS, outcomeText } from '../operations';
import { type Peer, RawServer, type Script } from '../rawServer';
import { ACCEPTED, accepted, acceptsAll, answering, response } from '../responses';
import { TemporaryFiles } from '../temporaryFiles';
import { CANARY, SETTINGS, target, unwatched, wire } from '../wire';

const { 'file-task': fileTask, 'query-task': queryTask } = OPERATIONS;

/** Imports a file, and returns the outcome and its error message. */
async function importTo(
  url: URL,
  settings: Partial<HttpSettings> = {},
): Promise<{ readonly end: string; readonly message: string; readonly host: unknown }> {
  await using files = await TemporaryFiles.make();
  const outcome = await fileTask(wire(settings), target(url), await files.write('a.txt'), unwatched());
  assertKeyIsMasked(outcome);
  const cause = 'cause' in outcome ? outcome.cause : undefined;
  return {
    end: outcomeText(outcome),
    message: cause?.message ?? '',
    host: cause && 'host' in cause ? cause.host : undefined,
  };
}

describe('An import', () => {
  const broken: Record<string, string> = {
    'has both a Content-Length and a chunked body': `HTTP/1.1 200 OK\r\nContent-Length: ${ACCEPTED.length}\r\nTransfer-Encoding: chunked\r\n\r\n${ACCEPTED}`,
    'has a header without a colon': `HTTP/1.1 200 OK\r\nno colon here\r\n\r\n${ACCEPTED}`,
    'has two different Content-Length headers': `HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: ${ACCEPTED.length}\r\n\r\n${ACCEPTED}`,
    'is not HTTP and repeats the key': `SSH-2.0-OpenSSH_9.2 ${CANARY}\r\n`,
  };
  for (const [what, bytes] of Object.entries(broken)) {
    it(`is unconfirmed and reports the HTTP parser's error message if the response ${what}`, async () => {
      await using server = await RawServer.start(answering(bytes));
      const { end, message } = await importTo(server.url);
      assert.equal(end, 'unconfirmed: BadResponseError notHttp');
      assert.doesNotMatch(message, /Response does not match/);
      assert.equal(server.posts, 1);
    });
  }

  it('is unconfirmed if the response headers are too large', async () => {
    const headers = `X-Padding: ${'x'.repeat(100_000)}`;
    await using server = await RawServer.start(answering(response('200 OK', ACCEPTED, headers)));
    const { end } = await importTo(server.url);
    assert.equal(end, 'unconfirmed: BadResponseError largeHeaders');
  });

  for (const version of ['TLSv1.2', 'TLSv1.3'] as const) {
    it(`over ${version} is reported as not uploaded if the service requires a client certificate`, async () => {
      using _trust = trusting('loopback');
      const secure = tlsServer('loopback', {
        minVersion: version,
        maxVersion: version,
        requestCert: true,
        rejectUnauthorized: true,
        ca: readFileSync(certificatePath('loopback')),
      });
      await using server = await RawServer.start(acceptsAll, secure);
      const { end } = await importTo(new URL(`https://127.0.0.1:${server.port}`));
      assert.equal(end, `not uploaded: ConnectError ${version === 'TLSv1.3' ? 'clientCertificate' : 'tls'}`);
      assert.equal(server.posts, 0);
    });
  }
});

describe('An import to a high-latency service', () => {
  /** TLS handshake records are shorter than this, and records that carry the request are longer. */
  const MAX_HANDSHAKE_RECORD_BYTES = 500;

  /**
   * A relay to a TLS port. It withholds the service's TLS alert until the client has sent this many bytes. It forwards
   * only the handshake, because the alert could be lost if the service closed the connection before reading everything.
   */
  function relay(port: number, bytes: number): Script {
    return async ({ socket }) => {
      const service = connect(port, '127.0.0.1').on('error', () => {});
      const verdict: Buffer[] = [];
      let sent = Buffer.alloc(0);
      let sentBytes = 0;
      let hasGreeted = false;
      let isRequest = false;
      const pass = () => {
        if (sentBytes < bytes) return;
        for (const chunk of verdict.splice(0)) socket.write(chunk);
        if (service.closed) socket.end();
      };
      service.on('close', pass);
      service.on('data', (chunk: Buffer) => {
        if (hasGreeted) verdict.push(chunk);
        else socket.write(chunk);
        pass();
      });
      socket.on('data', (chunk: Buffer) => {
        hasGreeted = sentBytes > 0;
        sentBytes += chunk.length;
        if (!isRequest) sent = Buffer.concat([sent, chunk]);
        while (!isRequest && sent.length >= 5 && sent.length >= 5 + sent.readUInt16BE(3)) {
          const record = sent.subarray(0, 5 + sent.readUInt16BE(3));
          isRequest = hasGreeted && record.length > MAX_HANDSHAKE_RECORD_BYTES;
          if (!isRequest) service.write(record);
          sent = sent.subarray(record.length);
        }
        pass();
      });
      await once(socket, 'close');
      service.destroy();
    };
  }

  const demanding = { minVersion: 'TLSv1.3', requestCert: true, rejectUnauthorized: true } as const;

  for (const [what, size] of Object.entries({ 'part of a large file': 4_000_000, 'all of a small file': 30_000 })) {
    it(`that requires a client certificate is reported as not uploaded, even if ${what} was sent before the TLS alert arrived`, async () => {
      using _trust = trusting('loopback');
      await using server = await RawServer.start(acceptsAll, tlsServer('loopback', demanding));
      await using far = await RawServer.start(relay(server.port, 25_000));
      await using files = await TemporaryFiles.make();
      const file = await files.write('a.txt', 'x'.repeat(size));
      const url = new URL(`https://127.0.0.1:${far.port}`);
      let sentBytes = 0;
      const onSent = (sent: number) => (sentBytes = sent);
      const outcome = await fileTask(wire(), target(url), file, { ...unwatched(), onSent });
      assert.equal(outcomeText(outcome), 'not uploaded: ConnectError clientCertificate');
      assert.ok(sentBytes > 0);
      assert.equal(server.posts, 0);
    });
  }
});

describe('An invalid certificate', () => {
  it("causes a TLS error, not a proxy error, even if the certificate's host name contains 'proxy'", async () => {
    using _trust = trusting('proxyName');
    await using server = await RawServer.start(acceptsAll, tlsServer('proxyName'));
    const { end, message } = await importTo(new URL(`https://localhost:${server.port}`));
    assert.equal(end, 'not uploaded: ConnectError tls');
    assert.match(message, /proxy\.example/);
  });
});

/**
 * A SOCKS5 proxy that forwards to this port, or rejects the connection with this reply code. It records the requested
 * host.
 */
function socks(port: number, { reply = 0, method = 0 } = {}): { readonly script: Script; readonly asked: string[] } {
  const asked: string[] = [];
  const script = async (peer: Peer) => {
    await peer.readBytes(2);
    await peer.readBytes(2 + (peer.received[1] ?? 0));
    const greeting = peer.received.length;
    assert.equal(peer.received[0], 5);
    peer.send(Uint8Array.of(5, method));
    if (method !== 0) return peer.readToEnd();
    await peer.readBytes(greeting + 5);
    const isName = peer.received[greeting + 3] === 3;
    const length = isName ? (peer.received[greeting + 4] ?? 0) + 1 : 4;
    await peer.readBytes(greeting + 4 + length + 2);
    const address = peer.received.subarray(greeting + 4, greeting + 4 + length);
    asked.push(isName ? address.subarray(1).toString() : address.join('.'));
    peer.send(Uint8Array.of(5, reply, 0, 1, 0, 0, 0, 0, 0, 0));
    if (reply === 0) await peer.tunnelTo(port);
    else await peer.readToEnd();
  };
  return { script, asked };
}

/** Settings that send all requests through this proxy. */
function through({ port }: RawServer, scheme = 'socks5') {
  return { proxy: `${scheme}://127.0.0.1:${port}`, noProxy: '' };
}

describe('A SOCKS5 proxy', () => {
  for (const scheme of ['socks5', 'socks5h', 'socks']) {
    for (const isSecure of [false, true]) {
      it(`configured as ${scheme}:// forwards ${isSecure ? 'https' : 'http'} requests and resolves the host name itself`, async () => {
        using _trust = trusting('loopback');
        await using server = await RawServer.start(acceptsAll, isSecure ? tlsServer('loopback') : undefined);
        const { script, asked } = socks(server.port);
        await using proxy = await RawServer.start(script);
        const url = new URL(isSecure ? 'https://service.invalid' : 'http://service.invalid');
        assert.equal((await importTo(url, through(proxy, scheme))).end, 'accepted');
        assert.deepEqual(asked, ['service.invalid']);
        assert.equal(server.posts, 1);
      });
    }
  }

  it('receives multiple requests over one connection', async () => {
    let requests = 0;
    await using server = await RawServer.start(onRequest((socket) => socket.write(keptResponse(accepted(++requests)))));
    const { script } = socks(server.port);
    await using proxy = await RawServer.start(script);
    const service = wire(through(proxy), { maxIdleMs: 60_000 });
    const dataset = target(new URL('http://service.invalid'));
    await using files = await TemporaryFiles.make();
    const file = await files.write('a.txt');
    for (const operation of [queryTask, fileTask, queryTask]) {
      assert.equal(outcomeText(await operation(service, dataset, file, unwatched())), 'accepted');
    }
    assert.deepEqual([requests, proxy.peers.length], [3, 1]);
  });

  it('that never replies causes a timeout, and receives no part of the request', async () => {
    await using proxy = await RawServer.start((peer) => peer.readToEnd());
    const settings = { ...through(proxy), timeOuts: { ...SETTINGS.timeOuts, connectMs: 100 } };
    const { end } = await importTo(new URL('https://service.invalid'), settings);
    assert.equal(end, 'not uploaded: ConnectError timedOut');
    assert.deepEqual(proxy.received.subarray(0, 1), Buffer.of(5));
    assert.equal(proxy.posts, 0);
  });

  const failures = {
    "can't reach the service": { answers: { reply: 5 }, reason: 'proxy' },
    'requires a login': { answers: { method: 255 }, reason: 'proxyLogin' },
  };
  for (const [what, { answers, reason }] of Object.entries(failures)) {
    it(`is named in the error if it ${what}`, async () => {
      await using proxy = await RawServer.start(socks(1, answers).script);
      const { end, host } = await importTo(new URL('https://service.invalid'), through(proxy));
      assert.deepEqual([end, host], [`not uploaded: ConnectError ${reason}`, `127.0.0.1:${proxy.port}`]);
    });
  }
});

describe('A SOCKS4 proxy', () => {
  it('is reported as unsupported', async () => {
    const settings = { proxy: 'socks4://proxy.example:1080', noProxy: '' };
    const { end, host } = await importTo(new URL('https://service.invalid'), settings);
    assert.deepEqual([end, host], ['not uploaded: ConnectError proxyScheme', 'proxy.example:1080']);
  });
});
