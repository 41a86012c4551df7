import { readFileSync } from 'node:fs';
import path from 'node:path';
import tls from 'node:tls';
import { projectFolder } from '../../suites/project';

/** Throwaway self-signed certificates. Their keys are in the same folder. */
export type CertificateName = 'loopback' | 'elsewhere' | 'expired' | 'proxyName';

const folder = path.join(projectFolder, 'test', 'unit', 'service', 'certificates');
const read = (file: string) => readFileSync(path.join(folder, file), 'utf8');

/** The path to a certificate file. */
export function certificatePath(name: CertificateName): string {
  return path.join(folder, `${name}.cert.pem`);
}

/** A TLS server that uses this certificate and prefers HTTP/2. */
export function tlsServer(name: CertificateName, options: tls.TlsOptions = {}): tls.Server {
  const certificate = { key: read(`${name}.key.pem`), cert: read(`${name}.cert.pem`) };
  return tls.createServer({ ...certificate, ALPNProtocols: ['h2', 'http/1.1'], ...options });
}

/** Trusts these certificates until the returned object is disposed. */
export function trusting(...names: CertificateName[]): Disposable {
  // Node parses about 150 certificates on each call to `setDefaultCACertificates`, so skip the call if there is nothing
  // to trust.
  if (names.length === 0) return { [Symbol.dispose]: () => {} };
  const before = tls.getCACertificates('default');
  tls.setDefaultCACertificates([...before, ...names.map((name) => read(`${name}.cert.pem`))]);
  return { [Symbol.dispose]: () => tls.setDefaultCACertificates(before) };
}
