import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { reportBegins } from '../host/reportBegins';
import { outFolder } from '../suites/project';

/**
 * Keeps all that an editor says during a test run in `out/logs/`, and passes the tests' own report on to standard
 * output. The editor's own words come over the same channel: some before the report, and later ones as errors about
 * native modules it does without.
 */
export class HostLog {
  readonly file: string;
  private reporting = false;

  constructor(vscodeVersion: string) {
    const folder = join(outFolder, 'logs');
    mkdirSync(folder, { recursive: true });
    this.file = join(folder, `host-${vscodeVersion}.log`);
    writeFileSync(this.file, '');
  }

  add(level: string, text: string): void {
    appendFileSync(this.file, `[${level}] ${text}\n`);
    this.reporting ||= text.startsWith(reportBegins);
    if (this.reporting && level === 'info') process.stdout.write(`${text}\n`);
  }
}
