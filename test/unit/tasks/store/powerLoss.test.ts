import assert from 'node:assert/strict';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { TemporaryFiles } from '../../service/temporaryFiles';
import { seeded } from '../seeded';
import { trace, wrecks, writeWreck } from './powerLoss';

// Only Linux has strace. SQLite does its writes and fsyncs in the same order on other systems.
if (process.platform === 'linux')
  describe('After a power loss, the task store', () => {
    it('still has every write that it confirmed, no matter which later writes reached the disk', async () => {
      await using files = await TemporaryFiles.make();
      const store = files.at('imports.sqlite').path;
      const program = path.join(__dirname, 'markedImports.js');
      const command = [process.execPath, '--no-warnings', program, store];
      const events = await trace(command, store);
      const folder = files.at('wreck').path;
      let checked = 0;
      for (const wreck of wrecks(events, seeded(1))) {
        if (!wreck.printed.startsWith('promised ')) continue;
        writeWreck(wreck, folder);
        const db = new DatabaseSync(path.join(folder, 'imports.sqlite'));
        assert.deepEqual(
          db
            .prepare('PRAGMA integrity_check')
            .all()
            .map((row) => row['integrity_check']),
          ['ok'],
        );
        const stored = db.prepare('SELECT attempt, outcome FROM imports').all();
        db.close();
        const outcomes = new Map(stored.map(({ attempt, outcome }) => [attempt, outcome]));
        // The program may have stored an import as accepted but not printed that yet.
        for (const [attempt, outcome] of Object.entries(JSON.parse(wreck.printed.slice('promised '.length))))
          assert.ok(outcomes.get(attempt) === outcome || outcomes.get(attempt) === 'accepted', `${attempt} is lost`);
        assert.equal(stored.length, 12);
        checked++;
      }
      assert.ok(checked > 100, `only ${checked} states of the disk were checked`);
    });
  });
