import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { SharedMarks } from '../../../../src/tasks/store/sharedMarks';
import { TemporaryFiles } from '../../service/temporaryFiles';

/** What two windows know of the same marks. */
async function twoWindows(): Promise<{ files: TemporaryFiles; here: SharedMarks; there: SharedMarks }> {
  const files = await TemporaryFiles.make();
  const folder = files.at('marks').path;
  return { files, here: new SharedMarks(folder), there: new SharedMarks(folder) };
}

describe('A mark', () => {
  it('is seen by other windows at once, each under its own name, until it is taken away', async () => {
    const { files, here, there } = await twoWindows();
    await using _files = files;
    assert.equal(there.read('key of a'), undefined);
    here.write('key of a', 'one');
    here.write('key of b', 'two');
    assert.deepEqual([there.read('key of a'), there.read('key of b')], ['one', 'two']);
    here.write('key of a', 'three');
    assert.equal(there.read('key of a'), 'three');
    there.remove('key of a');
    assert.deepEqual([here.read('key of a'), here.read('key of b')], [undefined, 'two']);
    assert.equal(readdirSync(files.at('marks').path).length, 1);
  });

  it('is told of once where it was written since the last look', async () => {
    const { files, here, there } = await twoWindows();
    await using _files = files;
    assert.equal(there.haveChanged(), false);
    here.write('key of a', 'one');
    assert.deepEqual([there.haveChanged(), there.haveChanged()], [true, false]);
  });

  it('that was never written leaves no trace on the disk', async () => {
    const { files, here } = await twoWindows();
    await using _files = files;
    here.read('key of a');
    here.remove('key of a');
    assert.equal(here.haveChanged(), false);
    assert.deepEqual(readdirSync(files.at('.').path), []);
  });
});
