/** What Node 22 has and the type library lacks: JSON.rawJSON, and the source of a number for a reviver. */
interface ExactJson {
  parse(text: string, reviver: (name: string, value: unknown, context: { source?: string }) => unknown): unknown;
  rawJSON(source: string): unknown;
}
const exact = JSON as unknown as ExactJson;

/** Whole numbers that may be ids and are not safe integers. */
const longWholeNumber = /^-?\d{16,40}$/;

/**
 * Reads JSON; a whole number that JavaScript's own number would round becomes a bigint.
 * @throws SyntaxError where the text is not JSON, RangeError where it is nested beyond reason.
 */
export function parseJson(text: string): unknown {
  return exact.parse(text, (_name, value, { source = '' }) =>
    typeof value === 'number' && !Number.isSafeInteger(value) && longWholeNumber.test(source) ? BigInt(source) : value,
  );
}

/** Writes JSON; a bigint becomes a number with all its digits. */
export function stringifyJson(value: object | string | number | bigint): string {
  return JSON.stringify(value, (_name, item: unknown) => (typeof item === 'bigint' ? exact.rawJSON(`${item}`) : item));
}
