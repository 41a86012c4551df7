import { l10n } from 'vscode';

/** The URL for a webhook to call, or why what was typed is none. */
export function readWebhookUrl(typed: string): { readonly url: URL } | { readonly fault: string } {
  const text = typed.trim();
  // The parser takes `https:host` for a URL.
  const url = /^https?:\/\//i.test(text) ? URL.parse(text) : null;
  if (url === null) return { fault: l10n.t('Enter a URL that begins with https:// or http://.') };
  if (url.username !== '' || url.password !== '') {
    return { fault: l10n.t('The URL must not contain a user name or password.') };
  }
  return { url };
}
