import type { Uri } from 'vscode';

/** What the schemes of all our own documents begin with; package.json names it too. */
const OWN_SCHEMES = 'dataset-import-';

/** The scheme of documents that this extension generates. */
export type OwnScheme = `${typeof OWN_SCHEMES}${string}`;

/** Whether an address is that of a document which this extension generates. */
export function isOwnDocument({ scheme }: Uri): boolean {
  return scheme.startsWith(OWN_SCHEMES);
}
