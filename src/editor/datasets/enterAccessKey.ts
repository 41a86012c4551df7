import { l10n } from 'vscode';
import { isAccessKey } from '../../service/contract/accessKey';
import type { Action } from '../platform/actions';
import { formatSentences } from '../platform/format';
import { errorText } from '../platform/formatFailures';
import { type Picks, window } from '../platform/window';
import type { Services } from '../services';
import type { AccessKeys, KeyOwner } from './accessKeys';

type Entering = Pick<Services, 'keys' | 'picks'>;

/**
 * Asks for an access key and shows the host that it will be sent to. The box may be left empty only if `emptyHint`
 * explains what that does. Returns undefined if the user cancels.
 */
export async function askAccessKey(
  picks: Picks,
  title: string,
  { origin }: URL,
  emptyHint?: string,
): Promise<string | undefined> {
  // If the scheme isn't https, show the whole origin.
  const host = origin.replace(/^https:\/\//, '');
  const paste = l10n.t('Paste the access key. It is stored securely and sent only to {0}.', host);
  const typed = await picks.text({
    title,
    prompt: formatSentences(emptyHint === undefined ? [paste] : [paste, emptyHint]),
    password: true,
    validateInput: (text) => (emptyHint !== undefined && text.trim() === '' ? undefined : formatKeyFault(text)),
  });
  return typed?.trim();
}

/**
 * Stores an access key. If SecretStorage fails, offers to use the key for this session only. Returns whether the key can
 * now be used.
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

/** Asks for a dataset's access key and stores it. Returns undefined if the user cancels. */
async function enterAccessKey({ keys, picks }: Entering, owner: KeyOwner): Promise<string | undefined> {
  const key = await askAccessKey(picks, keyTitle(owner), owner.baseUrl);
  return key !== undefined && (await storeAccessKey(keys, owner, key)) ? key : undefined;
}

export function keyTitle({ name }: KeyOwner): string {
  return l10n.t("Access Key of '{0}'", name);
}

/** Returns a dataset's access key, asking for it if necessary. Returns undefined if the user cancels. */
export async function ensureAccessKey(services: Entering, owner: KeyOwner): Promise<string | undefined> {
  return (await services.keys.get(owner)) ?? (await enterAccessKey(services, owner));
}

/** Continues uploads that paused because the service rejected the access key. The same key may be valid again. */
export async function continueUploads({ serving }: Pick<Services, 'serving'>, { name }: KeyOwner): Promise<void> {
  const destinations = serving.destinations.filter(({ dataset }) => dataset === name).map(({ id }) => id);
  await serving.tryNow(destinations.filter((id) => serving.pauseOf(id)?.reason === 'badKey'));
}

/** A button that asks for a new access key and then calls `then`. */
export function replaceAccessKey(services: Entering, owner: () => KeyOwner, then: () => unknown): Action {
  const run = async () => {
    if ((await enterAccessKey(services, owner())) !== undefined) await then();
  };
  return { label: l10n.t('Replace Access Key…'), run };
}

function formatKeyFault(typed: string): string | undefined {
  const key = typed.trim();
  if (key === '') return l10n.t('Enter the access key.');
  if (isAccessKey(key)) return undefined;
  return l10n.t(
    'The access key contains a space or a character that cannot be sent. Check that nothing else was copied with it.',
  );
}
