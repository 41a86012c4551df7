import type { buildConnector } from 'undici';

/** The part of undici's HTTP/1.1 parser that we use. */
interface Parser {
  onHeadersComplete(status: number, upgrade: boolean, keepsAlive: boolean): number;
}

/**
 * Wraps a connector so that connections ignore an unsolicited `100 Continue`, as RFC 9110 requires. undici closes the
 * connection at a 100 but ignores a 102, so we turn a 100 into a 102.
 */
export function skipUnaskedContinue(connect: buildConnector.connector): buildConnector.connector {
  return (options, callback) =>
    connect(options, (...result) => {
      callback(...result);
      const [, socket] = result;
      const parser = socket && parserOf(socket);
      if (!parser) return;
      const onHeadersComplete = parser.onHeadersComplete.bind(parser);
      parser.onHeadersComplete = (status, ...rest) => onHeadersComplete(status === 100 ? 102 : status, ...rest);
    });
}

/** undici stores the parser on the socket, under a symbol. */
function parserOf(socket: object): Parser | undefined {
  const slot = Object.getOwnPropertySymbols(socket).find(({ description }) => description === 'parser');
  return slot === undefined ? undefined : (Reflect.get(socket, slot) as Parser);
}
