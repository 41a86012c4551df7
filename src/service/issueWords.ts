import type * as v from 'valibot';

/**
 * What is wrong with a part of the settings, to follow the part's name: "is missing" (INTERFACE.md 4: what it does not
 * show is what settings can change). Checks of our own bring their words along.
 */
export function issueWords(issue: v.BaseIssue<unknown>): string {
  switch (issue.type) {
    case 'strict_object':
      if (issue.expected === 'never') return 'is not known';
      return issue.received === 'undefined' ? 'is missing' : 'is not an object';
    case 'string':
      return 'is not a text';
    case 'boolean':
      return 'is neither true nor false';
    case 'array':
      return 'is not a list';
    case 'picklist':
      return `is none of ${(issue.expected ?? '').replaceAll(/[()]/g, '').replaceAll(' | ', ', ')}`;
    default:
      return issue.message;
  }
}
