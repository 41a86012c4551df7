import type { buildConnector } from 'undici';

/** undici's HTTP/1.1 parser, as far as it is used here. */
interface Parser {
  readonly ptr: number;
  readonly llhttp: { llhttp_get_http_major(ptr: number): number; llhttp_get_http_minor(ptr: number): number };
  onHeadersComplete(status: number, upgrade: boolean, keepsAlive: boolean): number;
}

/**
 * A connector whose connections go by two rules that undici does not have. A `100 Continue` that nobody asked for is read
 * past, as RFC 9110 demands: undici destroys the connection at a 100 but reads past a 102, so it is made to see a 102. And
 * only HTTP/1.1 is kept for the next request, whatever an HTTP/1.0 server says of keep-alive.
 */
export function withParserRules(connect: buildConnector.connector): buildConnector.connector {
  return (options, callback) =>
    connect(options, (...result) => {
      callback(...result);
      const [, socket] = result;
      const parser = socket && parserOf(socket);
      if (!parser) return;
      const onHeadersComplete = parser.onHeadersComplete.bind(parser);
      parser.onHeadersComplete = (status, upgrade, keepsAlive) =>
        onHeadersComplete(status === 100 ? 102 : status, upgrade, keepsAlive && isHttp11(parser));
    });
}

function isHttp11({ llhttp, ptr }: Parser): boolean {
  return llhttp.llhttp_get_http_major(ptr) === 1 && llhttp.llhttp_get_http_minor(ptr) === 1;
}

/** undici keeps the parser in a symbol of the socket once it uses the connection. */
function parserOf(socket: object): Parser | undefined {
  const slot = Object.getOwnPropertySymbols(socket).find(({ description }) => description === 'parser');
  return slot === undefined ? undefined : (Reflect.get(socket, slot) as Parser);
}
