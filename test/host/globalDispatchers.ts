/**
 * What stands in the two process-wide slots of undici, which all extensions share; undefined for an empty one.
 * Read without loading anything.
 */
export function globalDispatchers(): readonly (PropertyDescriptor | undefined)[] {
  return [1, 2].map((slot) =>
    Object.getOwnPropertyDescriptor(globalThis, Symbol.for(`undici.globalDispatcher.${slot}`)),
  );
}
