import { l10n } from 'vscode';
import { readTypedBaseUrl } from '../../../service/contract/baseUrl';
import type { Dataset } from '../../../service/contract/dataset';
import type { InputStep } from '../../platform/window';
import type { Services } from '../../services/services';
import { keyBox, storeAccessKey } from '../enterAccessKey';
import { baseUrlBox, baseUrlText } from './baseUrlBox';
import { nameBox, suggestedName } from './nameBox';

/**
 * Asks for a dataset's base URL and access key, which may be left out, and adds it to the user's settings. It is named
 * after its host; where another one is, as each dataset of a service has a key of its own, asks for the name too. Begins
 * with what was typed before and not added; the key is not kept.
 */
export async function addDataset(
  services: Pick<Services, 'datasets' | 'keys' | 'picks'>,
): Promise<Dataset | undefined> {
  const { datasets, picks, keys } = services;
  datasets.assertCanAdd();
  const { draft } = datasets;
  let key = '';
  const baseUrl = () => {
    const read = readTypedBaseUrl(draft.baseUrl);
    return 'url' in read ? read.url : undefined;
  };
  const suggestion = () => {
    const url = baseUrl();
    return url === undefined ? '' : suggestedName(datasets, url);
  };
  const owner = () => {
    const url = baseUrl();
    return url && { name: (draft.name ?? suggestion()).trim(), baseUrl: url };
  };
  const steps: readonly [InputStep, ...InputStep[]] = [
    {
      box: () => baseUrlBox(draft.baseUrl),
      leave: (typed) => {
        draft.baseUrl = typed;
      },
    },
    {
      isNeeded: () => draft.name !== undefined || suggestion() !== (baseUrl()?.host ?? ''),
      box: () => nameBox(datasets, draft.name ?? suggestion()),
      leave: (typed) => {
        // Another URL suggests another name.
        draft.name = ['', suggestion()].includes(typed.trim()) ? undefined : typed;
      },
    },
    {
      box: () => keyBox(owner()?.baseUrl.origin ?? '', key, 'optional'),
      leave: (typed) => {
        key = typed.trim();
      },
    },
  ];
  const isAdded = await picks.steps(l10n.t('Add Dataset'), steps);
  const added = owner();
  if (!isAdded || added === undefined) return undefined;
  await datasets.add({ name: added.name, baseUrl: baseUrlText(added.baseUrl) });
  datasets.draft = { baseUrl: '', name: undefined };
  const isKept = key === '' || (await storeAccessKey(keys, added, key));
  return isKept ? datasets.find(added.name) : undefined;
}
