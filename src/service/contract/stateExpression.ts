import { IncompleteExpressionError, LexerError, ParseError, search } from '@aws-lambda-powertools/jmespath';
import { isExactNumber, type Json, leafText, stringifyJson } from '../json/json';
import type { KnownMeaning } from './contract';

/** The result of a state expression. `yielded` is a result that isn't a state, or the reason for a failure. */
export type ExpressionState =
  | { readonly meaning: KnownMeaning }
  | { readonly meaning: 'unknown'; readonly yielded: string };

/** Max length of `yielded`, in characters. */
const MAX_YIELDED = 200;

/** `${taskId}`, including any quotes around it. */
const TASK_ID = /(["']?)\$\{taskId\}\1/g;

/**
 * Evaluates a JMESPath expression on the `data` of a query-task response. In the expression, `${taskId}` is the task ID
 * as a string. In double quotes, it refers to the member whose name is the task ID, because JMESPath uses double quotes
 * for names.
 */
export function stateByExpression(expression: string, data: Json, taskId: string): ExpressionState {
  let yielded: string;
  try {
    const value: unknown = search(withTaskId(expression, taskId), plainJson(data));
    if (value === 'running' || value === 'succeeded' || value === 'failed') return { meaning: value };
    yielded = stringifyJson((value ?? null) as Json);
  } catch (error) {
    yielded = error instanceof Error ? error.message : String(error);
  }
  return { meaning: 'unknown', yielded: yielded.length > MAX_YIELDED ? `${yielded.slice(0, MAX_YIELDED)}…` : yielded };
}

/**
 * Returns the parts of an expression that use a number as a condition without comparing it. That is a mistake, because 0 is
 * truthy in JMESPath. Finds members and function calls before `&&` and `||` and after `!`, but not before a default value,
 * as in `count || `0``.
 */
export function testedNumbers(expression: string, data: Json, taskId: string): string[] {
  const tested = [...expression.matchAll(TESTED)].map(([, negated, chained]) => negated ?? chained ?? '');
  return [...new Set(tested)].filter((path) => {
    try {
      return typeof search(withTaskId(path, taskId), plainJson(data)) === 'number';
    } catch {
      return false;
    }
  });
}

const MEMBER = '(?:@|"(?:[^"\\\\]|\\\\.)*"|[A-Za-z_]\\w*(?:\\([^()]*\\))?)';
const PATH = `${MEMBER}(?:\\.${MEMBER}|\\[-?\\d+\\])*`;
const TESTED = new RegExp(
  `!\\s*(${PATH})(?!\\s*[.([=<>!])|(?<![\\w.\\])"'])(?<![=<>]\\s*)(${PATH})[\\s)]*(?:&&|\\|\\|(?!\\s*\`))`,
  'g',
);

/** Returns the position of the first mistake in an expression, counted from 1, or undefined if the expression is valid. */
export function mistakeIn(expression: string): number | undefined {
  try {
    search(withTaskId(expression, '1'), null);
  } catch (error) {
    if (error instanceof LexerError) return error.lexerPosition + 1;
    if (error instanceof ParseError || error instanceof IncompleteExpressionError) return error.lexPosition + 1;
  }
  return undefined;
}

/** Replaces `${taskId}`. Pads short IDs, so that the positions of mistakes match the typed expression. */
function withTaskId(expression: string, taskId: string): string {
  const name = JSON.stringify(taskId);
  // JSON in backticks can hold any text, unlike raw strings in single quotes.
  const text = `\`${name.replaceAll('`', '\\u0060')}\``;
  return expression.replace(TASK_ID, (whole, quote: string) => (quote === '"' ? name : text).padEnd(whole.length));
}

/**
 * JMESPath has no exact numbers, so long integers become strings, which compare exactly. Other numbers may lose
 * precision.
 */
function plainJson(value: Json): Json {
  if (isExactNumber(value)) {
    const digits = leafText(value) ?? '';
    const number = Number(digits);
    return Number.isFinite(number) && (!/^-?\d+$/.test(digits) || Number.isSafeInteger(number)) ? number : digits;
  }
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(plainJson);
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, plainJson(member)]));
}
