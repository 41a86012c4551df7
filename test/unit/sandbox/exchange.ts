import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import type { Sandbox } from '../../../src/sandbox/sandbox';

/** The data in a response. Every field is optional, because each operation returns different fields. */
export interface ReplyData {
  readonly taskId?: string;
  readonly fileName?: string;
  readonly status?: string;
  readonly progress?: number;
  readonly message?: string | null;
}

/** A parsed response. */
export interface Reply {
  readonly status: number;
  readonly head: string;
  readonly envelope: { code: string; message: string | null; data: ReplyData | null };
}

/** Checks that a request was refused with this HTTP status, and with the same code in the envelope. */
export function assertRefused({ status, envelope }: Reply, expected: number): void {
  assert.deepEqual([status, envelope.code, envelope.data], [expected, String(expected), null]);
}

/** Opens a connection to the sandbox. */
export async function open(sandbox: Sandbox): Promise<Socket> {
  const socket = connect({ host: '127.0.0.1', port: Number(new URL(sandbox.baseUrl).port) });
  await once(socket, 'connect');
  return socket;
}

/** Sends these bytes and reads until the sandbox closes the connection. */
export async function exchange(sandbox: Sandbox, ...bytes: (string | Buffer)[]): Promise<Reply> {
  const socket = await open(sandbox);
  for (const piece of bytes) socket.write(piece);
  return readReply(socket);
}

/** Reads a response until the connection is closed. */
export async function readReply(socket: Socket): Promise<Reply> {
  const chunks: Buffer[] = [];
  for await (const chunk of socket as AsyncIterable<Buffer>) chunks.push(chunk);
  const [head = '', body = ''] = Buffer.concat(chunks).toString().split('\r\n\r\n');
  return { status: Number(head.split(' ')[1]), head, envelope: JSON.parse(body) };
}

/** The head of a POST request that includes `Connection: close`. */
export function head(path: string, headers: Record<string, string | number>): string {
  const lines = Object.entries({ Host: '127.0.0.1', ...headers, Connection: 'close' });
  return `POST ${path} HTTP/1.1\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n`;
}

/** Posts JSON text with the sandbox's key. */
export function postJson(sandbox: Sandbox, operation: string, json: string): Promise<Reply> {
  const path = `/openapi/open/v1/${operation}`;
  const headers = { 'Access-Key': sandbox.accessKey, 'Content-Type': 'application/json' };
  return exchange(sandbox, head(path, { ...headers, 'Content-Length': Buffer.byteLength(json) }), json);
}

/** The head of an upload request with the boundary `X`. */
export function uploadHead(sandbox: Sandbox, bytes: number): string {
  const headers = { 'Access-Key': sandbox.accessKey, 'Content-Type': 'multipart/form-data; boundary=X' };
  return head('/openapi/open/v1/file-task', { ...headers, 'Content-Length': bytes });
}

/** Posts a multipart body with the boundary `X`, in HTTP chunks that the sandbox reads one by one. */
export function postFormInPieces(sandbox: Sandbox, pieces: readonly Buffer[]): Promise<Reply> {
  const headers = { 'Access-Key': sandbox.accessKey, 'Content-Type': 'multipart/form-data; boundary=X' };
  const framed = (piece: Buffer) => [`${piece.length.toString(16)}\r\n`, piece, '\r\n'];
  const chunked = head('/openapi/open/v1/file-task', { ...headers, 'Transfer-Encoding': 'chunked' });
  return exchange(sandbox, chunked, ...pieces.flatMap(framed), '0\r\n\r\n');
}

/** Posts a multipart body with the boundary `X` and the sandbox's key. */
export function postForm(sandbox: Sandbox, body: string | Buffer): Promise<Reply> {
  return exchange(sandbox, uploadHead(sandbox, Buffer.byteLength(body)), body);
}

/** A form part: either a text field or a file. */
export function formPart(name: string, content: string | Buffer, fileName?: string): Buffer {
  const file = fileName === undefined ? '' : `; filename="${fileName}"\r\nContent-Type: text/plain`;
  const before = `--X\r\nContent-Disposition: form-data; name="${name}"${file}\r\n\r\n`;
  return Buffer.concat([Buffer.from(before), Buffer.from(content), Buffer.from('\r\n')]);
}

/** A form with these parts. */
export function formOf(...parts: Buffer[]): Buffer {
  return Buffer.concat([...parts, Buffer.from('--X--\r\n')]);
}

/** A form with one file, `a.txt`, that contains these bytes. */
export function fileForm(content: string | Buffer): Buffer {
  return formOf(formPart('file', content, 'a.txt'));
}

/** Imports these bytes and returns the task ID. */
export async function importText(sandbox: Sandbox, content: string | Buffer): Promise<string> {
  const { envelope } = await postForm(sandbox, fileForm(content));
  return String(envelope.data?.taskId);
}

/** The data that query-task returns for a task. */
export async function query(sandbox: Sandbox, taskId: string): Promise<ReplyData | null> {
  return (await postJson(sandbox, 'query-task', JSON.stringify({ taskId }))).envelope.data;
}
