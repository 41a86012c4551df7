import type * as v from 'valibot';

/**
 * What is wrong with a value of the settings. The words are made where it is shown (INTERFACE.md 4: what it does not
 * show is what settings can change).
 */
export type ValueFault =
  | { readonly kind: 'missing' | 'unknown' | 'empty' }
  | { readonly kind: 'notObject' | 'list' | 'notList' | 'notText' | 'notBoolean' | 'notJson' }
  | { readonly kind: 'notPointer' | 'notPath' | 'hashInPath' }
  | { readonly kind: 'notHeaderName' | 'fixedHeader' | 'notHeaderValue' }
  | { readonly kind: 'notOneOf'; readonly known: readonly string[] }
  /** `known` are the names of the placeholders that there are. */
  | { readonly kind: 'unknownPlaceholder'; readonly known: readonly string[] };

/** The issues of valibot that say everything by their type. */
type PlainIssue = v.StrictObjectIssue | v.StringIssue | v.BooleanIssue | v.ArrayIssue;

/** The issues of what is given its fault as a message. */
type ToldIssue = v.BaseIssue<unknown> & {
  readonly type: 'custom' | 'picklist' | 'check' | 'raw_check' | 'regex' | 'excludes' | 'non_empty';
};

/**
 * What valibot may find in a value of the settings (INTERFACE.md 4: what it does not show is what settings can change).
 */
export type SettingIssue = PlainIssue | ToldIssue;

/**
 * A fault as the message of a check, for valibot carries nothing but text (INTERFACE.md 4: what it does not show is
 * what settings can change).
 */
export function faultMessage(fault: ValueFault): string {
  return JSON.stringify(fault);
}

/** The fault that an issue stands for (INTERFACE.md 4: what it does not show is what settings can change). */
export function valueFault(issue: SettingIssue): ValueFault {
  switch (issue.type) {
    case 'strict_object':
      if (issue.expected === 'never') return { kind: 'unknown' };
      return { kind: issue.received === 'undefined' ? 'missing' : 'notObject' };
    case 'string':
      return { kind: 'notText' };
    case 'boolean':
      return { kind: 'notBoolean' };
    case 'array':
      return { kind: 'notList' };
    case 'custom':
    case 'picklist':
    case 'check':
    case 'raw_check':
    case 'regex':
    case 'excludes':
    case 'non_empty':
      return JSON.parse(issue.message);
  }
}
