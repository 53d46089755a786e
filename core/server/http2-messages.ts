import type { IncomingHttpHeaders, IncomingMessage, OutgoingHttpHeaders, ServerResponse } from "node:http";
import { constants, type Http2ServerRequest, type Http2ServerResponse } from "node:http2";

/** A request by HTTP/2, as those by HTTP/1.1 are. */
export function asIncomingMessage(request: Http2ServerRequest): IncomingMessage {
  Object.defineProperty(request, "headers", { value: plainHeaders(request.headers) });
  // Node ends what broke off in the middle as if it were whole.
  request.stream.once("aborted", () => request.destroy(request.listenerCount("error") > 0 ? brokenOff() : undefined));
  return request as unknown as IncomingMessage;
}

function brokenOff(): Error {
  return Object.assign(new Error("The request broke off."), { code: "ECONNRESET" });
}

/** What says which request it is has no header in HTTP/1.1, but for the host, also over a header of that name (RFC 9113 section 8.3.1). */
function plainHeaders(given: Http2ServerRequest["headers"]): IncomingHttpHeaders {
  const headers: IncomingHttpHeaders = {};
  for (const name in given) if (name[0] !== ":") headers[name] = given[name];
  const authority = given[":authority"];
  if (authority !== undefined) headers.host = authority;
  return headers;
}

/** A response by HTTP/2, as those by HTTP/1.1 are: what node has no word for there, or another meaning. */
export function asServerResponse(response: Http2ServerResponse): ServerResponse {
  const { stream } = response;
  const setHeader = response.setHeader.bind(response);
  const writeHead = response.writeHead.bind(response);
  const own = {
    /** Whether "close" was told. */
    closed: false,
    destroyed: false,
    /** There are no words beside a status, and nothing to be said of the connection (RFC 9113 section 8.2.2). */
    writeHead(status: number, ...rest: (string | undefined | OutgoingHttpHeaders)[]) {
      const headers = rest.at(-1);
      return writeHead(knownStatus(status), typeof headers === "object" ? aboutMessage(status, headers) : {});
    },
    setHeader(name: string, value: number | string | readonly string[]) {
      const lower = name.toLowerCase();
      if (!ofConnection.has(lower)) setHeader(name, inOneLine(lower, value));
      return response;
    },
    /** A response that ends before its end is an error of its stream; the connection goes on. */
    destroy() {
      own.destroyed = true;
      stream.close(constants.NGHTTP2_INTERNAL_ERROR);
      return response;
    },
  };
  response.once("close", () => {
    own.closed = true;
  });
  return Object.defineProperties(response, {
    closed: { get: () => own.closed },
    destroyed: { get: () => own.destroyed },
    // Node ends a stream that was reset.
    writableFinished: { get: () => stream.writableFinished && !stream.aborted },
    writableNeedDrain: { get: () => stream.writableNeedDrain },
    writeHead: { value: own.writeHead },
    setHeader: { value: own.setHeader },
    destroy: { value: own.destroy },
  }) as unknown as ServerResponse;
}

const ofConnection: ReadonlySet<string> = new Set([
  "connection",
  "http2-settings",
  "keep-alive",
  "proxy-connection",
  "transfer-encoding",
  "upgrade",
]);

/** Node has no others in HTTP/2; clients take those for a failure of the server's (RFC 9110 section 15). */
const knownStatus = (status: number): number => (status > 599 ? 502 : status);

function aboutMessage(status: number, headers: OutgoingHttpHeaders): OutgoingHttpHeaders {
  const about: OutgoingHttpHeaders = {};
  for (const [name, value] of Object.entries(headers)) {
    const lower = name.toLowerCase();
    if (value === undefined || ofConnection.has(lower)) continue;
    // Node sends no body with it, and fewer bytes than were said are an error.
    if (status === 205 && lower === "content-length") continue;
    about[name] = inOneLine(lower, value);
  }
  return about;
}

/** Of some headers node takes one value only, and vendors send two: in one line, they mean the same (RFC 9110 section 5.2). */
const inOneLine = <Value>(lower: string, value: Value): Value | string =>
  Array.isArray(value) && lower !== "set-cookie" ? value.join(", ") : value;
