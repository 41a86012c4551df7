import { withOverride } from '../../../service/contract/contractOverrides';
import type { DatasetSetting } from '../../../service/contract/dataset';

/** A header or a form field of a dataset's contract. */
export interface SecretPart {
  readonly kind: 'header' | 'field';
  readonly name: string;
}

const paths = { header: ['headers'], field: ['fileTask', 'fields'] } as const;

/** Words that names of secrets have. */
const words = new Set([
  ...['auth', 'authorization', 'bearer', 'jwt', 'token', 'secret', 'credential', 'credentials', 'signature'],
  ...['key', 'apikey', 'accesskey', 'password', 'passwd', 'passphrase', 'pwd', 'pin', 'cookie', 'session'],
]);

/** How values of secrets begin that are recognized by it. */
const beginnings =
  /\b(?:basic|bearer|token) [\w+/=.~-]{8,}|\beyJ[\w-]{10,}\.|\b(?:sk|pk|rk|gh[opsu]|xox[abp]|AKIA)[-_]?[A-Za-z0-9_-]{16,}/i;

/** Letters and digits, mixed, in a run that is too long for a word, a UUID or another usual ID. */
const random = /(?=[\w+/=]*\d)(?=[\w+/=]*[A-Za-z])[\w+/=]{28,}/;

/**
 * The headers and form fields of a definition that look like secrets, by their names or by their values. What is made
 * only of placeholders is none.
 */
export function secretParts(definition: DatasetSetting | undefined, accessKey: string | undefined): SecretPart[] {
  return (['header', 'field'] as const).flatMap((kind) =>
    Object.entries(partsAt(definition?.contract, paths[kind])).flatMap(([name, value]) =>
      isSecret(name, String(value), accessKey) ? [{ kind, name }] : [],
    ),
  );
}

/** The definition without these parts. */
export function withoutParts(definition: DatasetSetting, parts: readonly SecretPart[]): DatasetSetting {
  let { contract } = definition;
  for (const { kind, name } of parts) contract = withOverride(contract, [...paths[kind], name], undefined);
  return { ...definition, contract };
}

function isSecret(name: string, value: string, accessKey: string | undefined): boolean {
  const fixed = value.replaceAll(/\$\{\w+(?::\w+)?\}/g, '');
  if (fixed.trim() === '') return false;
  const named = name.replaceAll(/(?<=[a-z0-9])(?=[A-Z])/g, '-').toLowerCase();
  if (named.split(/[^a-z]+/).some((word) => words.has(word))) return true;
  return (accessKey !== undefined && fixed.includes(accessKey)) || beginnings.test(fixed) || random.test(fixed);
}

/** The members at a path of a contract, which may hold anything. */
function partsAt(contract: unknown, path: readonly string[]): object {
  const part = path.reduce<unknown>((inner, key) => (inner as Record<string, unknown> | undefined)?.[key], contract);
  return typeof part === 'object' && part !== null ? part : {};
}
