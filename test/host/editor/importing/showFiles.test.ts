import assert from 'node:assert/strict';
import { type QuickPickItem, QuickPickItemKind } from 'vscode';
import { showFiles } from '../../../../src/editor/importing/showFiles';
import type { Picks, Table } from '../../../../src/editor/platform/window';
import { fileSource } from '../../answeredTasks';

describe('The list of the files of an import', () => {
  it('names what is imported with its size, then what is left out with the reason, and closes by any row', async () => {
    const checked = [{ source: fileSource('a.txt', 2048) }];
    const table = await shown(checked, [{ name: 'docs/b.bin', why: 'ignored by .gitignore' }]);
    assert.deepEqual(written(table), [
      '-- Files to import: 1',
      'files/a.txt (2.0 KB)',
      '-- Skipped: 1',
      'docs/b.bin (ignored by .gitignore)',
    ]);
    const [, first] = table.rows();
    assert.ok(first && table.isActive(first) && table.choose(first));
  });

  it('has one part where nothing is left out', async () => {
    const checked = ['a.txt', 'b.txt'].map((name) => ({ source: fileSource(name, 1) }));
    const table = await shown(checked, []);
    assert.deepEqual(written(table), ['-- Files to import: 2', 'files/a.txt (1 byte)', 'files/b.txt (1 byte)']);
  });

  async function shown(...[checked, leftOut]: [Parameters<typeof showFiles>[2], Parameters<typeof showFiles>[3]]) {
    const tables: Table<QuickPickItem>[] = [];
    const table = async (one: Table<never>) => void tables.push(one as unknown as Table<QuickPickItem>);
    await showFiles({ table } as unknown as Picks, 'Import?', checked, leftOut);
    return tables[0] ?? assert.fail();
  }

  function written({ rows }: Table<QuickPickItem>): string[] {
    return rows().map(({ label, description, kind }) =>
      kind === QuickPickItemKind.Separator ? `-- ${label}` : `${label} (${description})`,
    );
  }
});
