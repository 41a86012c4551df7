import { readFileSync } from 'node:fs';
import path from 'node:path';
import tls from 'node:tls';
import { projectFolder } from '../../suites/project';

/** Throwaway certificates, each self-signed with a key that is beside it. */
export type CertificateName = 'loopback' | 'elsewhere' | 'expired' | 'proxyName';

const folder = path.join(projectFolder, 'test', 'unit', 'service', 'certificates');
const read = (file: string) => readFileSync(path.join(folder, file), 'utf8');

/** Where a certificate is, for programs that are told whom to trust. */
export function certificatePath(name: CertificateName): string {
  return path.join(folder, `${name}.cert.pem`);
}

/** A TLS server that shows this certificate and speaks what it is offered first: HTTP/2 where a client takes it. */
export function tlsServer(name: CertificateName, options: tls.TlsOptions = {}): tls.Server {
  const certificate = { key: read(`${name}.key.pem`), cert: read(`${name}.cert.pem`) };
  return tls.createServer({ ...certificate, ALPNProtocols: ['h2', 'http/1.1'], ...options });
}

/** Trusts these certificates until it is disposed. */
export function trusting(...names: CertificateName[]): Disposable {
  // Node parses about 150 certificates for each call.
  if (names.length === 0) return { [Symbol.dispose]: () => {} };
  const before = tls.getCACertificates('default');
  tls.setDefaultCACertificates([...before, ...names.map((name) => read(`${name}.cert.pem`))]);
  return { [Symbol.dispose]: () => tls.setDefaultCACertificates(before) };
}
