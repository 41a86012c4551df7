import { walk, walkFiles } from '../e2e/translatedWalk';
import { useWorkbench } from '../e2e/useWorkbench';
import type { Language } from '../editor/installLanguage';
import { readTexts } from '../l10n/checkedIn';
import { pseudoTexts } from '../l10n/pseudo';
import { ShownTexts } from '../l10n/shownTexts';
import { exportMessages, messageSources } from '../l10n/sourceMessages';
import { takePictures } from './takePictures';

const settings = { 'window.autoDetectColorScheme': true };

describe('The looks in Chinese, in screenshots for people', () => {
  const open = useWorkbench(() => ({ files: walkFiles, settings, language: { locale: 'zh-cn' } }));

  it('of the way from the first import to a batch', async () => {
    await walk(open(), ShownTexts.chinese(), (step, bring) => takePictures(open(), `chinese-${step}`, bring));
  });
});

describe('The looks of texts that are half as long again, in screenshots for people', () => {
  let texts: NonNullable<Language['texts']>;
  before(async () => {
    const code = await exportMessages(messageSources());
    texts = { code: pseudoTexts(code), manifest: pseudoTexts(readTexts('package.nls.json')) };
  });
  const open = useWorkbench(() => ({ files: walkFiles, settings, language: { locale: 'qps-ploc', texts } }));

  it('of the way from the first import to a batch', async () => {
    const shown = new ShownTexts(texts.code, texts.manifest);
    await walk(open(), shown, (step, bring) => takePictures(open(), `pseudo-${step}`, bring));
  });
});
