import { isJsonObject, type Json } from '../../../../src/service/json/json';
import { pointerNames } from '../../../../src/service/json/jsonPointer';

/**
 * Returns the value at a JSON Pointer (RFC 6901), or undefined if there is none. This is independent of the code under
 * test, and doesn't support our placeholders.
 */
export function valueAt(value: Json, pointer: string): Json | undefined {
  let current: Json | undefined = value;
  for (const name of pointerNames(pointer)) {
    if (Array.isArray(current)) current = /^(?:0|[1-9]\d*)$/.test(name) ? (current[Number(name)] as Json) : undefined;
    else current = isJsonObject(current) && Object.hasOwn(current, name) ? current[name] : undefined;
  }
  return current;
}
