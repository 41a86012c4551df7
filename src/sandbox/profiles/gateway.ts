import { accessKeyFault, type Gate } from '../http/gate';
import { paths } from '../http/operation';
import { refuse } from '../http/response';
import type { Profile } from './profile';
import { standard } from './standard';

/** The service stands behind a gateway, which wants a header and has codes of its own. */
export const gateway: Profile = {
  ...standard,
  gate: gatewayGate,
};

function gatewayGate(accessKey: string): Gate {
  let queries = 0;
  return (headers, operation) => {
    if (headers['x-tenant'] !== 'sandbox') {
      return refuse('badRequest', 'The header X-Tenant is required; its value must be "sandbox".');
    }
    const fault = accessKeyFault(headers, accessKey);
    if (fault !== undefined) return refuse('gatewayBadKey', fault);
    if (operation.path !== paths.queryTask) return undefined;
    queries++;
    if (queries % 3 !== 0) return undefined;
    return refuse('gatewayTooMany', 'Too many requests: every third query is turned away. Try again later.');
  };
}
