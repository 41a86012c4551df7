import * as v from 'valibot';
import type { FileRules } from '../../files/fileRules';
import type { HttpSettings } from '../../service/http/http';
import type { Keeping } from '../../tasks/store/model';

/** A section of the settings, as VS Code has it. */
export interface SettingsSection {
  get(name: string): unknown;
  inspect(name: string): { readonly defaultValue?: unknown } | undefined;
}

/** What to import of files with unsaved changes. */
export type UnsavedFiles = 'ask' | 'save' | 'asOnDisk';

/** Which ends of imports and tasks have a message. */

/** Max time-out. A Node.js timer longer than 24 days would fire at once. */
const MAX_SECONDS = 86_400;

export function fileExtensions(section: SettingsSection): string[] {
  const extensions = section.get('fileExtensions');
  return Array.isArray(extensions) ? extensions.filter(isText) : [];
}

/**
 * `ofWindow` has what is the same for all folders. Ignore files of an untrusted workspace are not read: their patterns
 * could keep the extension host busy.
 */
export function fileRules(ofFolder: SettingsSection, ofWindow: SettingsSection, isTrusted: boolean): FileRules {
  return {
    include: globs(ofFolder, 'folders.include'),
    endings: fileExtensions(ofFolder),
    exclude: globs(ofFolder, 'folders.exclude'),
    useIgnoreFiles: isTrusted && ofFolder.get('folders.useIgnoreFiles') !== false,
    sensitive: globs(ofWindow, 'sensitiveFiles'),
  };
}

export function maxFileBytes(section: SettingsSection): number {
  const megabytes = read(section, 'maxFileSizeMB', numberIn(0, Number.MAX_VALUE));
  return megabytes === 0 ? Number.POSITIVE_INFINITY : megabytes * 1024 * 1024;
}

export function unsavedFiles(section: SettingsSection): UnsavedFiles {
  return read(section, 'unsavedFiles', v.picklist(['ask', 'save', 'asOnDisk']));
}

export function duplicates(section: SettingsSection): 'ask' | 'skip' | 'import' {
  return read(section, 'duplicates', v.picklist(['ask', 'skip', 'import']));
}

export function decorations(section: SettingsSection): 'all' | 'changes' | 'none' {
  return read(section, 'decorations', v.picklist(['all', 'changes', 'none']));
}

export function historyKept(section: SettingsSection): Keeping {
  const limit = (name: string) => read(section, name, numberIn(0, Number.MAX_SAFE_INTEGER));
  const [days, rows] = [limit('history.keepDays'), limit('history.keepTasks')];
  return { days: days || Number.POSITIVE_INFINITY, rows: Math.floor(rows) || Number.POSITIVE_INFINITY };
}

export function concurrentImports(section: SettingsSection): number {
  return read(section, 'concurrentImports', v.pipe(numberIn(1, 16), v.integer()));
}

/** Max time of a query. A slower one is repeated later, so that it does not delay others. */
const LONGEST_QUERY_MS = 30_000;

/** `http` is the section of VS Code's own. */
export function httpSettings(section: SettingsSection, http: SettingsSection): HttpSettings {
  const milliseconds = (name: string) => read(section, name, numberIn(0.001, MAX_SECONDS)) * 1000;
  const off = http.get('proxySupport') === 'off';
  const responseMs = milliseconds('timeouts.responseSeconds');
  return {
    timeOuts: {
      connectMs: milliseconds('timeouts.connectSeconds'),
      idleMs: milliseconds('timeouts.sendingSeconds'),
      responseMs,
      queryMs: Math.min(responseMs, LONGEST_QUERY_MS),
    },
    proxy: off ? '' : textOf(http.get('proxy')),
    // A single string is a list separated by commas, as in `no_proxy`.
    noProxy: textOf([http.get('noProxy')].flat().filter(isText).join(',')),
    proxyAuthorization: textOf(http.get('proxyAuthorization')),
    proxyStrictTls: http.get('proxyStrictSSL') !== false,
    systemCertificates: http.get('systemCertificates') !== false,
  };
}

function globs(section: SettingsSection, name: string): string[] {
  return read(section, name, v.array(v.unknown())).filter(isText);
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}

/** Undefined for an empty text and for other types, which settings.json may contain. */
function textOf(value: unknown): string | undefined {
  return isText(value) && value !== '' ? value : undefined;
}

function numberIn(least: number, most: number) {
  return v.pipe(v.number(), v.minValue(least), v.maxValue(most));
}

/**
 * The value of a setting, or its default in package.json where the value is invalid. The shell does without it, so that
 * a window loads no valibot at its start.
 */
function read<Value>(section: SettingsSection, name: string, schema: v.GenericSchema<unknown, Value>): Value {
  const { success, output } = v.safeParse(schema, section.get(name));
  return success ? output : v.parse(schema, section.inspect(name)?.defaultValue);
}
