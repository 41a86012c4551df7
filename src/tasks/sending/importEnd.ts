import { causeText, type ServiceError } from '../../service/errors';
import { type Outcome, storedResponse } from '../../service/response/outcome';
import type { TaskIds } from '../../service/response/taskIds';
import type { Cause, Content, End } from '../store/model';

/** Max characters to store for a code or message. The stored response contains the full text. */
const MAX_CHARACTERS = 2000;

/**
 * The fields of an error as plain data. The detail is shortened, because a certificate error may list hundreds of host
 * names.
 */
function causeOfError({ name, message: _, cause, ...fields }: ServiceError): Cause {
  return { ...fields, name, ...(cause === undefined ? {} : { detail: beginning(causeText(cause)) }) };
}

export type Failed = Exclude<Outcome<unknown>, { readonly kind: 'accepted' }>;

/** The cause of a failed import or check, without the response. */
export function causeOf(outcome: Failed): Cause {
  if (outcome.kind !== 'rejected') return causeOfError(outcome.cause);
  const { rejection } = outcome;
  if (rejection.by !== 'envelope') return { name: 'Rejected', ...rejection };
  const { by, status, code, message } = rejection;
  return { name: 'Rejected', by, status, code: beginning(code), message: message && beginning(message) };
}

/** Converts an outcome to the form in which it is stored. */
export function importEnd(
  attempt: string,
  outcome: Outcome<TaskIds>,
  { content, ...numbers }: Pick<End, 'sentBytes' | 'brake'> & { readonly content: Content | undefined },
): End {
  const response = storedResponse(outcome);
  return {
    attempt,
    outcome: outcome.kind,
    ...numbers,
    ...(content && { content }),
    ...(response !== undefined && { response }),
    ...(outcome.kind === 'accepted' ? { taskIds: outcome.value.ids } : { cause: causeOf(outcome) }),
  };
}

function beginning(text: string): string {
  return text.length > MAX_CHARACTERS ? `${text.slice(0, MAX_CHARACTERS)}…` : text;
}
