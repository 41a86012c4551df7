// Bundles the extension. Libraries that only some sessions need become files of their own beside
// dist/extension.js, loaded by the first request (undici, form-data), the sandbox, or a thread (hashProgram).
import { rmSync } from 'node:fs';
import { context } from 'esbuild';

const production = process.argv.includes('--production');
const watch = process.argv.includes('--watch');

/** Bundled apart from the extension and required when first used. */
const lazy = {
  undici: 'undici',
  'form-data': 'form-data',
  sandbox: './src/sandbox/sandbox.ts',
  hashProgram: './src/service/content/hashProgram.ts',
};

const shared = {
  bundle: true,
  platform: 'node',
  format: 'cjs',
  target: 'node22.19',
  outdir: 'dist',
  minify: production,
  sourcemap: production ? false : 'linked',
  logLevel: 'info',
};

const loadedWhenUsed = {
  name: 'loaded-when-used',
  setup(build) {
    build.onResolve({ filter: /^(undici|form-data)$|\/sandbox\/sandbox$|\/hashProgram$/ }, ({ path, kind }) =>
      kind === 'entry-point' ? undefined : { path: `./${path.split('/').at(-1)}.js`, external: true },
    );
  },
};

rmSync('dist', { recursive: true, force: true });
const builds = await Promise.all([
  context({ ...shared, entryPoints: ['src/extension.ts'], external: ['vscode'], plugins: [loadedWhenUsed] }),
  context({ ...shared, entryPoints: lazy }),
]);
await Promise.all(builds.map((build) => (watch ? build.watch() : build.rebuild())));
if (!watch) await Promise.all(builds.map((build) => build.dispose()));
