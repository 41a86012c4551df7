import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { type BuildOptions, type BuildResult, build } from 'esbuild';
import { projectFolder } from '../../suites/project';

describe("The extension's bundles", () => {
  it("don't share code that defines classes or holds state, because each bundle would get its own copy of it", async () => {
    const [atStart, later] = await Promise.all(['src/extension.ts', 'src/editor/engine.ts'].map(filesOf));
    const shared = (atStart ?? []).filter((file) => later?.includes(file));
    assert.ok(shared.includes('src/editor/platform/settings.ts'), shared.join());
    const stateful = shared.filter((file) =>
      /^(?:export )?(?:class|let|const \w+ = new (?!Set\b|RegExp\b))/m.test(
        readFileSync(path.join(projectFolder, file), 'utf8'),
      ),
    );
    assert.deepEqual(stateful, []);
  });
});

describe('The task database', () => {
  it("is opened only on its worker thread, because only that thread's bundle contains SQLite", async () => {
    const bundles = readFileSync(path.join(projectFolder, 'esbuild.mjs'), 'utf8').matchAll(/'\.\/(src\/.*?\.ts)'/g);
    const programs = globSync('src/**/*Program.ts', { cwd: projectFolder });
    const entryPoints = [...[...bundles].flatMap(([, entryPoint]) => entryPoint ?? []), ...programs];
    const withSqlite = await Promise.all(
      entryPoints.map(async (entryPoint) => {
        const { outputFiles = [] } = await bundled(entryPoint, { external: ['*Program'] });
        return outputFiles.some(({ text }) => /node:sqlite|DatabaseSync\(/.test(text)) ? [entryPoint] : [];
      }),
    );
    assert.ok(entryPoints.includes('src/editor/engine.ts'), entryPoints.join());
    assert.deepEqual(
      withSqlite.flat().filter((file) => !/tore\/\w*[sS]toreProgram\.ts$/.test(file)),
      [],
    );
    assert.ok(withSqlite.flat().includes('src/tasks/store/importStoreProgram.ts'));
  });
});

/** The source files in an entry point's bundle. */
async function filesOf(entryPoint: string): Promise<string[]> {
  const { metafile } = await bundled(entryPoint, { external: ['*/editor/engine'] });
  return Object.values(metafile?.outputs ?? {}).flatMap(({ inputs }) => Object.keys(inputs));
}

function bundled(entryPoint: string, options: Pick<BuildOptions, 'external'>): Promise<BuildResult> {
  return build({
    entryPoints: [entryPoint],
    absWorkingDir: projectFolder,
    bundle: true,
    platform: 'node',
    format: 'cjs',
    packages: 'external',
    outdir: 'out',
    write: false,
    metafile: true,
    ...options,
  });
}
