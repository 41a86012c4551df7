import type { buildConnector } from 'undici';

/** The part of undici that is told of each head of a response that was read. */
interface HeadReader {
  onHeadersComplete(status: number, ...rest: unknown[]): number;
}

/**
 * A connector over whose connections a `100 Continue` that nobody asked for is read past, as RFC 9110 demands. undici
 * destroys the connection at a 100 but reads past a 102, so it is told of a 102.
 */
export function readingPastContinue(connect: buildConnector.connector): buildConnector.connector {
  return (options, callback) =>
    connect(options, (...result) => {
      callback(...result);
      const [, socket] = result;
      const reader = socket && readerOf(socket);
      if (!reader) return;
      const readHead = reader.onHeadersComplete.bind(reader);
      reader.onHeadersComplete = (status, ...rest) => readHead(status === 100 ? 102 : status, ...rest);
    });
}

/** undici keeps it with the socket from the moment at which it has taken the connection. */
function readerOf(socket: object): HeadReader | undefined {
  const slot = Object.getOwnPropertySymbols(socket).find(({ description }) => description === 'parser');
  return slot === undefined ? undefined : (Reflect.get(socket, slot) as HeadReader);
}
