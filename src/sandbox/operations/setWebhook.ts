import * as v from 'valibot';
import { type Operation, paths } from '../http/operation';
import { RefusedRequest } from '../http/response';
import { isLoopbackHostname } from '../http/route';
import type { L10n } from '../l10n';
import type { Webhook } from './webhook';

const Registration = v.object({ url: v.string() });

/** Set a webhook: `{"url": …}`. The address replaces the one before. */
export function setWebhook(webhook: Webhook, l10n: L10n): Operation {
  return {
    path: paths.setWebhook,
    mediaType: 'application/json',
    run: (body) => {
      const registration = v.safeParse(Registration, body);
      if (!registration.success)
        throw new RefusedRequest('badRequest', 'The body must be an object whose "url" is a string.');
      const url = URL.parse(registration.output.url);
      if (!url || !['http:', 'https:'].includes(url.protocol))
        throw new RefusedRequest('badRequest', 'The "url" must be an http or https URL.');
      if (!isLoopbackHostname(url.hostname)) {
        const reason = l10n.t('The sandbox sends to this machine only: use localhost, 127.0.0.1 or [::1].');
        throw new RefusedRequest('webhookNotLoopback', reason);
      }
      webhook.register(url);
      return { url: url.href };
    },
  };
}
