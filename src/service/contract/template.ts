import { isExactNumber, type Json, leafText } from '../json/json';

const placeholder = /\$\{(\w+)\}/g;

/** The names of the placeholders (`${name}`) in a template's strings. */
export function placeholdersIn(template: Json): string[] {
  const text = typeof template === 'string' ? template : JSON.stringify(template);
  return [...text.matchAll(placeholder)].map((match) => match[1] ?? '');
}

/** A string with its placeholders replaced. One without a value stays as it is written. */
export function fillText(template: string, values: Readonly<Record<string, Json>>): string {
  return template.replace(placeholder, (whole, name: string) => leafText(valueNamed(values, name)) ?? whole);
}

/**
 * A JSON template with the placeholders in its strings replaced. A string that is nothing but one placeholder takes
 * the value in its own type, so that a numeric task id stays a number.
 */
export function fillTemplate(template: Json, values: Readonly<Record<string, Json>>): Json {
  if (typeof template === 'string') {
    const alone = /^\$\{(\w+)\}$/.exec(template)?.[1];
    return (alone === undefined ? undefined : valueNamed(values, alone)) ?? fillText(template, values);
  }
  if (Array.isArray(template)) return template.map((item: Json) => fillTemplate(item, values));
  if (typeof template !== 'object' || template === null || isExactNumber(template)) return template;
  return Object.fromEntries(Object.entries(template).map(([name, item]) => [name, fillTemplate(item, values)]));
}

function valueNamed(values: Readonly<Record<string, Json>>, name: string): Json | undefined {
  return Object.hasOwn(values, name) ? values[name] : undefined;
}
