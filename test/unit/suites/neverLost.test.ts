import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectFolder } from '../../suites/project';

describe('The list of faults in test/README.md', () => {
  it('names only existing test files, and at least one per fault', () => {
    const folder = join(projectFolder, 'test');
    const [, ...rows] = readFileSync(join(folder, 'README.md'), 'utf8').match(/^\| .* \|$/gm) ?? [];
    assert.ok(rows.length > 30, `${rows.length} rows`);
    for (const row of rows) {
      const files = [...row.matchAll(/`([^`]+\.test\.ts)`/g)].map(([, file = '']) => file);
      assert.notDeepEqual(files, [], row);
      for (const file of files) assert.ok(existsSync(join(folder, file)), file);
    }
  });
});
