import { l10n } from 'vscode';
import { checkAccessKey } from '../../service/contract/accessKey';
import type { Action } from '../platform/userError';
import { window } from '../platform/window';
import type { AccessKeys, KeyOwner } from './accessKeys';

/** A step of a longer dialogue, such as "2 of 3", for the title. */
export interface InputStep {
  readonly title: string;
}

/** Asks for a dataset's access key, naming the origin that it will be sent to. Undefined where the user gave none. */
export function askAccessKey({ name, baseUrl }: KeyOwner, step?: InputStep): Thenable<string | undefined> {
  return window
    .showInputBox({
      title: step?.title ?? l10n.t("Access-Key of dataset '{0}'", name),
      prompt: l10n.t(
        'The Access-Key that the platform shows for the dataset. It is sent to {0} only, and kept in the secret storage of VS Code.',
        baseUrl.origin,
      ),
      password: true,
      ignoreFocusOut: true,
      validateInput: faultOf,
    })
    .then((typed) => {
      const checked = typed === undefined ? undefined : checkAccessKey(typed);
      return checked !== undefined && 'key' in checked ? checked.key : undefined;
    });
}

/**
 * Keeps an access key. Where the secret storage fails, says so and offers to keep it for this session.
 * Resolves to whether it is kept.
 */
export async function keepAccessKey(keys: AccessKeys, owner: KeyOwner, key: string): Promise<boolean> {
  try {
    await keys.set(owner, key);
    return true;
  } catch (error) {
    const words = error instanceof Error ? error.message : String(error);
    const forSession = l10n.t('Use for This Session');
    const message = l10n.t(
      "The secret storage of VS Code did not take the Access-Key of '{0}': {1}",
      owner.name,
      words,
    );
    if ((await window.showWarningMessage(message, { modal: true }, forSession)) !== forSession) return false;
    keys.setForSession(owner, key);
    return true;
  }
}

/** Asks for an access key and keeps it. Undefined where the user gave none. */
export async function enterAccessKey(keys: AccessKeys, owner: KeyOwner): Promise<string | undefined> {
  const key = await askAccessKey(owner);
  return key !== undefined && (await keepAccessKey(keys, owner, key)) ? key : undefined;
}

/** The access key of a dataset, which is asked for where there is none. Undefined where the user gave none. */
export async function ensureAccessKey(keys: AccessKeys, owner: KeyOwner): Promise<string | undefined> {
  return (await keys.get(owner)) ?? (await enterAccessKey(keys, owner));
}

/** The button that asks for another access key, and then does what failed for the one before. */
export function replaceAccessKey(keys: AccessKeys, owner: () => KeyOwner | undefined, then?: () => unknown): Action {
  const run = async () => {
    const known = owner();
    if (known !== undefined && (await enterAccessKey(keys, known)) !== undefined) await then?.();
  };
  return { label: l10n.t('Replace Access-Key…'), run };
}

function faultOf(typed: string): string | undefined {
  const checked = checkAccessKey(typed);
  if ('key' in checked) return undefined;
  switch (checked.fault) {
    case 'empty':
      return l10n.t('Enter the Access-Key that the platform shows for the dataset.');
    case 'inside':
      return l10n.t('There is a space or a line break inside the key. Was more than the key copied?');
    case 'characters':
      return l10n.t('The key has characters that cannot be sent. Was more than the key copied?');
  }
}
