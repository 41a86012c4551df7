import { l10n } from 'vscode';
import { checkAccessKey } from '../../service/contract/accessKey';
import { errorText } from '../platform/formatError';
import type { Action } from '../platform/userError';
import { type Picks, type StepBox, window } from '../platform/window';
import type { Services } from '../services';
import type { AccessKeys, KeyOwner } from './accessKeys';

/** Whether a key must be entered. An empty box means that it is added later, or that the stored key is deleted. */
type KeyNeed = 'required' | 'optional' | 'deletable';

/** The box for an access key, which is sent only to this origin. */
export function keyBox(origin: string, value = '', need: KeyNeed = 'required'): StepBox {
  return {
    // Without https, show the whole origin.
    prompt: keyPrompt(origin.replace(/^https:\/\//, ''), need),
    value,
    password: true,
    validateInput: (typed) => (need !== 'required' && typed.trim() === '' ? undefined : accessKeyFault(typed)),
  };
}

function keyPrompt(host: string, need: KeyNeed): string {
  switch (need) {
    case 'required':
      return l10n.t('Paste the access key. It is stored securely and sent only to {0}.', host);
    case 'optional':
      return l10n.t(
        'Paste the access key. It is stored securely and sent only to {0}. Leave empty to add it later.',
        host,
      );
    case 'deletable':
      return l10n.t(
        'Paste the access key. It is stored securely and sent only to {0}. Leave empty to delete the stored key.',
        host,
      );
  }
}

/** Asks for an access key, naming the origin it is sent to. An empty text means to delete it; undefined that the user canceled. */
export async function askAccessKey(
  picks: Picks,
  { name, baseUrl }: KeyOwner,
  need: KeyNeed = 'required',
): Promise<string | undefined> {
  const title = l10n.t("Access Key of '{0}'", name);
  const typed = await picks.text({ ...keyBox(baseUrl.origin, '', need), title, ignoreFocusOut: true });
  if (typed?.trim() === '' && need === 'deletable') return '';
  const checked = checkAccessKey(typed ?? '');
  return 'key' in checked ? checked.key : undefined;
}

/**
 * Stores an access key. Where SecretStorage fails, offers to keep it in memory for this session. Resolves to whether it
 * is stored or kept.
 */
export async function storeAccessKey(keys: AccessKeys, owner: KeyOwner, key: string): Promise<boolean> {
  try {
    await keys.set(owner, key);
    return true;
  } catch (error) {
    const message = l10n.t(
      "The secret storage of VS Code could not store the access key of '{0}': {1}",
      owner.name,
      errorText(error),
    );
    if (!(await window.confirm(message, '', l10n.t('Use for This Session')))) return false;
    keys.setForSession(owner, key);
    return true;
  }
}

/** Asks for an access key and stores it. Undefined where the user cancels. */
export async function enterAccessKey(
  services: Pick<Services, 'keys' | 'picks'>,
  owner: KeyOwner,
): Promise<string | undefined> {
  const key = await askAccessKey(services.picks, owner);
  return key !== undefined && (await storeAccessKey(services.keys, owner, key)) ? key : undefined;
}

/** The access key of a dataset; asks for it where there is none. Undefined where the user cancels. */
export async function ensureAccessKey(
  services: Pick<Services, 'keys' | 'picks'>,
  owner: KeyOwner,
): Promise<string | undefined> {
  return (await services.keys.get(owner)) ?? (await enterAccessKey(services, owner));
}

/** The button that asks for a new access key and then calls `then`. */
export function replaceAccessKey(
  services: Pick<Services, 'keys' | 'picks'>,
  owner: () => KeyOwner | undefined,
  then?: () => unknown,
): Action {
  const run = async () => {
    const current = owner();
    if (current !== undefined && (await enterAccessKey(services, current)) !== undefined) await then?.();
  };
  return { label: l10n.t('Replace Access Key…'), run };
}

function accessKeyFault(typed: string): string | undefined {
  const checked = checkAccessKey(typed);
  if ('key' in checked) return undefined;
  switch (checked.fault) {
    case 'empty':
      return l10n.t('Enter the access key.');
    case 'inside':
      return l10n.t('The access key contains a space or a line break. Check that nothing else was copied with it.');
    case 'characters':
      return l10n.t(
        'The access key contains characters that cannot be sent. Check that nothing else was copied with it.',
      );
  }
}
