import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path, { delimiter, join } from 'node:path';
import { promisify } from 'node:util';

/** A file system call, or a printed line. */
type Event =
  | { readonly kind: 'write'; readonly file: string; readonly offset: number; readonly bytes: Buffer }
  | { readonly kind: 'truncate'; readonly file: string; readonly size: number }
  | { readonly kind: 'sync'; readonly file: string }
  | { readonly kind: 'unlink'; readonly file: string }
  | { readonly kind: 'printed'; readonly line: string };

/** Possible disk contents after a power loss, and the last line that the program printed. */
export interface Wreck {
  readonly files: ReadonlyMap<string, Buffer>;
  readonly printed: string;
}

/** Runs a program under strace. Returns its output and its system calls for files whose paths start with `prefix`. */
export async function trace(command: readonly string[], prefix: string): Promise<Event[]> {
  await ensureStrace();
  const log = `${prefix}.trace`;
  const calls = 'trace=pwrite64,write,ftruncate,fsync,fdatasync,unlink';
  const args = ['-f', '-y', '-xx', '-s', '200000', '-o', log, '-e', calls, ...command];
  await promisify(execFile)('strace', args, { maxBuffer: 2 ** 24 });
  const events = readFileSync(log, 'latin1')
    .split('\n')
    .flatMap((line) => eventOf(line, prefix));
  rmSync(log);
  return events;
}

function eventOf(line: string, prefix: string): Event[] {
  const [, call, rest = ''] = /^\d+\s+(\w+)\((.*)$/.exec(line) ?? [];
  if (call === 'unlink') {
    const file = bytesOf(rest).toString();
    return file.startsWith(prefix) ? [{ kind: 'unlink', file }] : [];
  }
  const [, fd, name = ''] = /^(\d+)<((?:\\x[0-9a-f]{2}|[^>])*)>/.exec(rest) ?? [];
  const file = name.startsWith('\\x') ? bytesOf(`"${name}"`).toString() : name;
  if (call === 'write' && fd === '1') return [{ kind: 'printed', line: bytesOf(rest).toString().trim() }];
  if (!file.startsWith(prefix)) return [];
  const last = Number(/, (\d+)\)\s*=/.exec(rest)?.[1]);
  switch (call) {
    case 'pwrite64':
      return [{ kind: 'write', file, offset: last, bytes: bytesOf(rest) }];
    case 'ftruncate':
      return [{ kind: 'truncate', file, size: last }];
    case 'fsync':
    case 'fdatasync':
      return [{ kind: 'sync', file }];
    default:
      return [];
  }
}

function bytesOf(text: string): Buffer {
  const [, hex = ''] = /"((?:\\x[0-9a-f]{2})*)"/.exec(text) ?? [];
  return Buffer.from(hex.replaceAll('\\x', ''), 'hex');
}

/**
 * Yields possible states of the disk after a power loss right before an fsync, or right before or after a printed line.
 * Each state contains all synced writes, plus none, some or all of each file's later writes.
 */
export function* wrecks(events: readonly Event[], random: () => number): Generator<Wreck> {
  const synced = new Map<string, Buffer>();
  const since = new Map<string, Event[]>();
  let printed = '';
  for (const event of events) {
    if (event.kind === 'sync' || event.kind === 'printed') yield* wrecksNow(synced, since, printed, random);
    if (event.kind === 'printed') {
      printed = event.line;
      yield* wrecksNow(synced, since, printed, random);
    } else if (event.kind === 'sync') {
      const pending = since.get(event.file) ?? [];
      if (pending.length > 0) apply(synced, event.file, pending);
      since.delete(event.file);
    } else since.set(event.file, [...(since.get(event.file) ?? []), event]);
  }
}

function* wrecksNow(
  synced: ReadonlyMap<string, Buffer>,
  since: ReadonlyMap<string, readonly Event[]>,
  printed: string,
  random: () => number,
): Generator<Wreck> {
  const choices: ((event: Event) => boolean)[] = [() => false, () => true, () => random() < 0.5];
  for (const file of [undefined, ...since.keys()])
    for (const choose of choices) {
      const files = new Map(synced);
      for (const [name, pending] of since) {
        const survives = file === undefined || file === name ? choose : () => false;
        apply(files, name, pending.filter(survives));
      }
      yield { files, printed };
    }
}

function apply(files: Map<string, Buffer>, file: string, events: readonly Event[]): void {
  let content = files.get(file);
  for (const event of events) {
    if (event.kind === 'unlink') content = undefined;
    const before = content ?? Buffer.alloc(0);
    if (event.kind === 'truncate') content = Buffer.concat([before, Buffer.alloc(event.size)]).subarray(0, event.size);
    if (event.kind !== 'write') continue;
    const size = Math.max(before.length, event.offset + event.bytes.length);
    content = Buffer.concat([before, Buffer.alloc(size - before.length)]);
    event.bytes.copy(content, event.offset);
  }
  if (content === undefined) files.delete(file);
  else files.set(file, content);
}

/** Replaces the contents of a folder with the files that a simulated power loss leaves behind. */
export function writeWreck({ files }: Wreck, folder: string): void {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  for (const [file, content] of files) writeFileSync(join(folder, path.basename(file)), content);
}

async function ensureStrace(): Promise<void> {
  if ((process.env['PATH'] ?? '').split(delimiter).some((folder) => existsSync(join(folder, 'strace')))) return;
  console.log('Installing strace for a test: apt-get install strace.');
  await promisify(execFile)('apt-get', ['update']);
  await promisify(execFile)('apt-get', ['install', '-y', 'strace']);
}
