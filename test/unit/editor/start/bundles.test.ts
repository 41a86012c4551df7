import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { build } from 'esbuild';

const root = path.join(__dirname, '../../../..');

describe('What a window loads at its start and what it loads later', () => {
  it('share no class and no state, which there would be two of', async () => {
    const [atStart, later] = await Promise.all(['src/extension.ts', 'src/editor/parts.ts'].map(filesOf));
    const shared = (atStart ?? []).filter((file) => later?.includes(file));
    assert.ok(shared.includes('src/editor/platform/settings.ts'), shared.join());
    const stateful = shared.filter((file) =>
      /^(?:export )?(?:class|let|const \w+ = new (?!Set\b|RegExp\b))/m.test(
        readFileSync(path.join(root, file), 'utf8'),
      ),
    );
    assert.deepEqual(stateful, []);
  });
});

/** The files of ours that are bundled with an entry point, as esbuild.mjs does it. */
async function filesOf(entryPoint: string): Promise<string[]> {
  const { metafile } = await build({
    entryPoints: [entryPoint],
    absWorkingDir: root,
    bundle: true,
    platform: 'node',
    format: 'cjs',
    packages: 'external',
    external: ['*/editor/parts'],
    outdir: 'out',
    write: false,
    metafile: true,
  });
  return Object.values(metafile.outputs).flatMap(({ inputs }) => Object.keys(inputs));
}
