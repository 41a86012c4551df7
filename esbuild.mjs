// Bundles the extension into dist/. Every window loads only extension.js when it starts. The other files are loaded on
// first use: engine.js for a command or view, undici.js and form-data.js for a request, sandbox.js for the sandbox, and
// *Program.js for the worker threads that read files and access the task database.
import { globSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { context } from 'esbuild';

const production = process.argv.includes('--production');
const watch = process.argv.includes('--watch');

/** Each entry point is a separate bundle, so the code that they share must be stateless. */
const entryPoints = {
  extension: './src/extension.ts',
  engine: './src/editor/engine.ts',
  sandbox: './src/sandbox/sandbox.ts',
  ...Object.fromEntries(globSync('src/**/*Program.ts').map((path) => [basename(path, '.ts'), `./${path}`])),
  undici: 'undici',
  'form-data': 'form-data',
};

const loadedLazily = {
  name: 'loaded-lazily',
  setup(build) {
    build.onResolve(
      { filter: /^(undici|form-data)$|\/(editor\/engine|sandbox\/sandbox|\w+Program)$/ },
      ({ path, kind }) =>
        kind === 'entry-point' ? undefined : { path: `./${path.split('/').at(-1)}.js`, external: true },
    );
  },
};

/**
 * Imports `vscode` once per bundle. Otherwise, esbuild would copy all of its exports for every file that imports it.
 * That used to take most of the activation time.
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
 * Replaces each file in dist atomically, because another build, a test or a VS Code window may be using the folder.
 * Then deletes files left over from earlier builds.
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
  const temporary = `${path}.${process.pid}`;
  writeFileSync(temporary, contents);
  renameSync(temporary, path);
}

mkdirSync('dist', { recursive: true });
if (production) {
  // The installed extension's README omits the sections about working in a clone.
  const page = readFileSync('README.md', 'utf8').replaceAll(/<!-- clone -->.*?<!-- \/clone -->\n\n/gs, '');
  // Relative image paths work only if the package has a repository URL. If it doesn't, omit the images.
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
  // `require` is faster than the ES module loader.
  supported: { 'dynamic-import': false },
  // This constant makes undici omit its experimental second HTTP parser.
  define: { esbuildDetection: 'true' },
  plugins: [vscodeOnce, loadedLazily, intoPlace],
  minify: production,
  sourcemap: production ? false : 'linked',
  logLevel: 'info',
});
if (watch) await build.watch();
else {
  await build.rebuild();
  await build.dispose();
}
