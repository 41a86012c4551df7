import { l10n } from 'vscode';
import { readTypedBaseUrl } from '../../../service/contract/baseUrl';
import type { StepBox } from '../../platform/window';
import { formatBaseUrl } from '../formatFaults';

/** The box for a base URL, which begins with `value`. It says what becomes of what is typed. */
export function baseUrlBox(value: string, allowHttp = false): StepBox {
  return {
    prompt: l10n.t('Enter the base URL of the service.'),
    placeHolder: 'https://import.example.com',
    value,
    validateInput: (typed) => {
      const read = readTypedBaseUrl(typed, allowHttp);
      return 'fault' in read ? formatBaseUrl(read.fault) : undefined;
    },
    note: (typed) => formatReading(typed, allowHttp),
  };
}

/** A base URL as it stands in the settings. */
export function baseUrlText({ href }: URL): string {
  return href.replace(/\/$/, '');
}

/** What was typed is read as another URL; undefined where it is that URL. */
function formatReading(typed: string, allowHttp: boolean): string | undefined {
  const read = readTypedBaseUrl(typed, allowHttp);
  if ('fault' in read) return undefined;
  const { url, cut } = read;
  if (cut !== undefined) {
    return l10n.t("'{0}' belongs to an operation and is left out. The base URL is {1}.", cut, baseUrlText(url));
  }
  return typed.includes('://') ? undefined : l10n.t('The base URL is {0}.', baseUrlText(url));
}
