// Bundles the extension into dist/. Every window loads only extension.js when it starts. The other files are loaded when
// they are first used: engine.js by the first command or view, undici.js and form-data.js by the first request, sandbox.js
// by the sandbox, and the programs of the worker threads (*Program.js) by the first file and the first use of the task
// database.
import { globSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { context } from 'esbuild';

const production = process.argv.includes('--production');
const watch = process.argv.includes('--watch');

/** Each is a bundle of its own. They share no code that has state. */
const entryPoints = {
  extension: './src/extension.ts',
  engine: './src/editor/engine.ts',
  sandbox: './src/sandbox/sandbox.ts',
  ...Object.fromEntries(globSync('src/**/*Program.ts').map((path) => [basename(path, '.ts'), `./${path}`])),
  undici: 'undici',
  'form-data': 'form-data',
};

const loadedWhenUsed = {
  name: 'loaded-when-used',
  setup(build) {
    build.onResolve(
      { filter: /^(undici|form-data)$|\/(editor\/engine|sandbox\/sandbox|\w+Program)$/ },
      ({ path, kind }) =>
        kind === 'entry-point' ? undefined : { path: `./${path.split('/').at(-1)}.js`, external: true },
    );
  },
};

/**
 * One copy of the `vscode` module for all files of a bundle: esbuild copies all of its names for each file that imports
 * it, which took most of the time of an activation.
 */
const vscodeOnce = {
  name: 'vscode-once',
  setup(build) {
    build.onResolve({ filter: /^vscode$/ }, ({ path, namespace }) =>
      namespace === 'vscode-once' ? { path, external: true } : { path, namespace: 'vscode-once' },
    );
    build.onLoad({ filter: /^vscode$/, namespace: 'vscode-once' }, () => ({ contents: "export * from 'vscode'" }));
  },
};

/**
 * Replaces each file of dist in one step and then deletes what earlier builds left. Another build, a test or a window may
 * be using the folder meanwhile.
 */
const intoPlace = {
  name: 'into-place',
  setup(build) {
    build.onEnd(({ errors, outputFiles }) => {
      if (errors.length > 0) return;
      for (const { path, contents } of outputFiles) writeIntoPlace(path, contents);
      const current = new Set(outputFiles.map(({ path }) => basename(path)));
      const isLeftOver = (name) => /\.js(\.map)?$/.test(name) && !current.has(name);
      for (const name of readdirSync('dist').filter(isLeftOver)) rmSync(join('dist', name), { force: true });
    });
  },
};

function writeIntoPlace(path, contents) {
  const own = `${path}.${process.pid}`;
  writeFileSync(own, contents);
  renameSync(own, path);
}

mkdirSync('dist', { recursive: true });
if (production) {
  // The page of the installed extension: without what is about a clone.
  const page = readFileSync('README.md', 'utf8').replaceAll(/<!-- clone -->.*?<!-- \/clone -->\n\n/gs, '');
  // Where a picture is found by its relative path: nowhere without a repository.
  const { repository } = JSON.parse(readFileSync('package.json', 'utf8'));
  const raw = repository && `${repository.url.replace(/\.git$/, '')}/raw/HEAD/`;
  const readme = page.replaceAll(/!\[([^\]]*)\]\((media\/[^)]*)\)\n\n/g, raw ? `![$1](${raw}$2)\n\n` : '');
  writeIntoPlace('dist/README.md', readme);
}
const build = await context({
  entryPoints,
  outdir: 'dist',
  write: false,
  bundle: true,
  platform: 'node',
  format: 'cjs',
  target: 'node22.19',
  // Loads with `require`, which is faster than the loader of ES modules.
  supported: { 'dynamic-import': false },
  // undici's own switch against bundling a second HTTP parser, which is experimental and off.
  define: { esbuildDetection: 'true' },
  plugins: [vscodeOnce, loadedWhenUsed, intoPlace],
  minify: production,
  sourcemap: production ? false : 'linked',
  logLevel: 'info',
});
if (watch) await build.watch();
else {
  await build.rebuild();
  await build.dispose();
}
