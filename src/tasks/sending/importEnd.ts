import { causeText, type ServiceError } from '../../service/errors';
import { type Outcome, type Rejection, storedResponse } from '../../service/response/outcome';
import type { TaskIds } from '../../service/response/taskIds';
import type { Cause, Content, End } from '../store/model';

/** Max characters stored of a code or message; the response has the rest. */
const MAX_CHARACTERS = 2000;

/** The plain fields of an error. A certificate may hold any number of names, and its error all of them. */
export function causeOfError({ name, message: _, cause, ...fields }: ServiceError): Cause {
  return { ...fields, name, ...(cause === undefined ? {} : { detail: beginning(causeText(cause)) }) };
}

/** Why the service said no, without its response. */
export function causeOfRejection(rejection: Rejection): Cause {
  if (rejection.by !== 'envelope') return { name: 'Rejected', ...rejection };
  const { by, status, code, message } = rejection;
  return { name: 'Rejected', by, status, code: beginning(code), message: message && beginning(message) };
}

/** Why an import was not accepted. */
export function causeOf(outcome: Exclude<Outcome<unknown>, { readonly kind: 'accepted' }>): Cause {
  return outcome.kind === 'rejected' ? causeOfRejection(outcome.rejection) : causeOfError(outcome.cause);
}

/** What the store is told about an outcome. */
export function importEnd(
  attempt: string,
  outcome: Outcome<TaskIds>,
  more: { readonly sentBytes: number; readonly brake: number; readonly content: Content | undefined },
): End {
  const { content, ...numbers } = more;
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
