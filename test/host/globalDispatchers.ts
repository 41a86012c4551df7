/**
 * The contents of undici's two process-wide slots, which all extensions share. Undefined for an empty slot. Reading slots loads
 * no modules.
 */
export function globalDispatchers(): readonly (PropertyDescriptor | undefined)[] {
  return [1, 2].map((slot) =>
    Object.getOwnPropertyDescriptor(globalThis, Symbol.for(`undici.globalDispatcher.${slot}`)),
  );
}
