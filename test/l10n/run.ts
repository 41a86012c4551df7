// `npm run l10n` writes the English strings found in the code to out/bundle.l10n.json, and lists missing, unused
// and incorrect Chinese translations.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { outFolder } from '../suites/project';
import { lintChinese } from './chineseRules';
import { chineseFiles, compareTexts, readTexts } from './compareTexts';
import { exportMessages } from './sourceMessages';

async function compare(): Promise<void> {
  const code = await exportMessages();
  mkdirSync(outFolder, { recursive: true });
  writeFileSync(join(outFolder, 'bundle.l10n.json'), `${JSON.stringify(Object.fromEntries(code), null, 2)}\n`);
  let count = 0;
  for (const [file, english] of [
    [chineseFiles.code, code],
    [chineseFiles.manifest, readTexts('package.nls.json')],
  ] as const) {
    const chinese = readTexts(file);
    for (const fault of [...compareTexts(english, chinese), ...lintChinese(english, chinese)]) {
      console.log(`${file}: ${fault}`);
      count += 1;
    }
  }
  console.log(`Texts in the code: ${code.size}, faults: ${count}`);
  process.exitCode = count === 0 ? 0 : 1;
}

void compare();
