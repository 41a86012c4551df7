import { l10n } from 'vscode';
import { readTypedBaseUrl } from '../../../service/contract/baseUrl';
import { UserError } from '../../platform/userError';
import type { Services } from '../../services/services';
import { baseUrlBox, baseUrlText } from '../addDataset';
import { pickOwnDataset } from '../chooseDataset';
import { keyBox, storeAccessKey } from '../enterAccessKey';
import { givenDataset, testConnectionAction } from '../findDataset';

/**
 * Gives a dataset another base URL. A key is bound to the origin that it was entered for, so asks for the key of another
 * origin, unless it is stored from before.
 */
export async function changeBaseUrl(services: Services, target: unknown): Promise<void> {
  const { datasets, keys, picks, messages } = services;
  const title = l10n.t('Change Base URL');
  const dataset = givenDataset(services, target) ?? (await pickOwnDataset(services, title));
  if (dataset === undefined) return;
  const { name, baseUrl } = dataset;
  if (datasets.isSandbox(dataset)) throw new UserError(l10n.t('The base URL of the sandbox cannot be changed.'));
  const allowHttp = datasets.definition(name)?.allowHttp === true;
  const withKey = new Set([baseUrl.origin]);
  for (const owner of await keys.owners()) if (owner.name === name) withKey.add(owner.origin);
  let typedUrl = baseUrlText(baseUrl);
  let key = '';
  const newUrl = () => {
    const read = readTypedBaseUrl(typedUrl, allowHttp);
    return 'url' in read ? read.url : baseUrl;
  };
  const isChanged = await picks.steps(title, [
    {
      box: () => baseUrlBox(typedUrl, allowHttp),
      leave: (typed) => {
        typedUrl = typed;
      },
    },
    {
      isNeeded: () => !withKey.has(newUrl().origin),
      box: () => ({
        ...keyBox(newUrl().origin, key, 'optional'),
        prompt: l10n.t(
          'The current access key is not sent to {0}. Paste the access key for it, or leave this empty to set it later.',
          newUrl().origin,
        ),
      }),
      leave: (typed) => {
        key = typed.trim();
      },
    },
  ]);
  const moved = { name, baseUrl: newUrl() };
  if (!isChanged || baseUrlText(moved.baseUrl) === baseUrlText(baseUrl)) return;
  // Before the change, which may begin to send what is queued.
  if (key !== '' && !(await storeAccessKey(keys, moved, key))) return;
  const changed = await datasets.changeBaseUrl(dataset, baseUrlText(moved.baseUrl));
  const message = l10n.t("The base URL of '{0}' is now {1}.", name, baseUrlText(moved.baseUrl));
  await messages.done(message, testConnectionAction(changed));
}
