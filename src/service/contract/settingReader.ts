import type { PlacedFault, ValueFault } from './valueFault';

/**
 * Reads a value of the settings, whatever it is. Gives what of it can be used, undefined where nothing can, and reports
 * each fault with the names that lead to it.
 */
export type SettingReader<Value> = (given: unknown, report: Report) => Value | undefined;

/** Returns undefined, for a reader to return in turn. */
type Report = (what: ValueFault, ...path: readonly string[]) => undefined;

/** Reads a value; what has a fault is left out of it. */
export function readSetting<Value>(reader: SettingReader<Value>, given: unknown) {
  const faults: PlacedFault[] = [];
  const value = reader(given, (what, ...path) => {
    faults.push({ at: path.join('.'), what });
  });
  return { value, faults };
}

/** Tests a text, and names what is wrong where it does not pass. */
export type TextRule = readonly [passes: (text: string) => boolean, fault: ValueFault];

/** A text that passes all rules. */
export function text(...rules: readonly TextRule[]): SettingReader<string> {
  return (given, report) => {
    if (typeof given !== 'string') return report({ kind: 'notText' });
    const broken = rules.find(([passes]) => !passes(given));
    return broken === undefined ? given : report(broken[1]);
  };
}

/** True or false. */
export const boolean: SettingReader<boolean> = (given, report) =>
  typeof given === 'boolean' ? given : report({ kind: 'notBoolean' });

/** One of these texts. */
export function oneOf<Text extends string>(...known: readonly Text[]): SettingReader<Text> {
  return (given, report) => known.find((text) => text === given) ?? report({ kind: 'notOneOf', known });
}

/** A list in which no item has a fault. */
export function listOf<Item>(item: SettingReader<Item>): SettingReader<readonly Item[]> {
  return (given, report) => {
    if (!Array.isArray(given)) return report({ kind: 'notList' });
    const items = given.map((each, index) => item(each, inside(String(index), report)));
    return items.every((each) => each !== undefined) ? items : undefined;
  };
}

/** A value that is used as a whole, or not at all where anything in it has a fault. */
export function whole<Value>(reader: SettingReader<Value>): SettingReader<Value> {
  return (given, report) => {
    let hasFault = false;
    const read = reader(given, (what, ...path) => {
      hasFault = true;
      return report(what, ...path);
    });
    return hasFault ? undefined : read;
  };
}

/** An object with any names that `name` accepts. */
export function record<Value>(
  name: SettingReader<string>,
  value: SettingReader<Value>,
): SettingReader<Readonly<Record<string, Value>>> {
  return (given, report) => {
    if (!isObject(given)) return reportNoObject(given, report);
    const read = Object.entries(given).flatMap(([key, item]) => {
      const within = inside(key, report);
      const readItem = name(key, within) === undefined ? undefined : value(item, within);
      return readItem === undefined ? [] : [[key, readItem] as const];
    });
    return Object.fromEntries(read);
  };
}

type Readers = Readonly<Record<string, SettingReader<unknown>>>;
type Members<Of extends Readers> = { [Name in keyof Of]?: Exclude<ReturnType<Of[Name]>, undefined> };

/** An object with these names, of which some must be there, and no others. */
export function section<Of extends Readers>(
  readers: Of,
  required: readonly (keyof Of)[] = [],
): SettingReader<Members<Of>> {
  return (given, report) => {
    if (!isObject(given)) return reportNoObject(given, report);
    const members: Record<string, unknown> = {};
    for (const [name, read] of Object.entries(readers)) {
      if (Object.hasOwn(given, name)) {
        const member = read(given[name], inside(name, report));
        if (member !== undefined) members[name] = member;
      } else if (required.includes(name)) {
        report({ kind: 'missing' }, name);
      }
    }
    for (const name of Object.keys(given)) if (!Object.hasOwn(readers, name)) report({ kind: 'unknown' }, name);
    return members as Members<Of>;
  };
}

/** Tells an object from other values, lists among them. */
export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function reportNoObject(given: unknown, report: Report): undefined {
  return report({ kind: Array.isArray(given) ? 'list' : 'notObject' });
}

/** Reports with one more name before the others. */
function inside(name: string, report: Report): Report {
  return (what, ...path) => report(what, name, ...path);
}
