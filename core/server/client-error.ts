import { type IncomingMessage, type ServerResponse, STATUS_CODES } from "node:http";
import type { Duplex } from "node:stream";
import { gatewayErrorBody } from "../errors/error-body.ts";
import { GatewayError } from "../errors/gateway-error.ts";

const clientErrors: Readonly<Record<string, GatewayError>> = {
  HPE_HEADER_OVERFLOW: new GatewayError(
    "headers_too_large",
    "The request headers are too large (server.limits.headerBytes).",
  ),
  ERR_HTTP_REQUEST_TIMEOUT: new GatewayError("body_timeout", "The request did not arrive in time."),
};
/** Milliseconds a client has to read such an answer and to close: ending both directions at once could take it away. */
const lingering = 1_000;

const malformed = new GatewayError("invalid_request", "The request is not valid HTTP.");

const hostless = new GatewayError("invalid_request", "The request has no host header: HTTP/1.1 wants one.");

/** What is wrong with a request that parsed: node would say it without a word, and its older parsers take a header without a name. */
export function faultOf({ headers, httpVersion }: IncomingMessage): GatewayError | undefined {
  if ("" in headers) return malformed;
  return headers.host === undefined && httpVersion === "1.1" ? hostless : undefined;
}

/** Answers such a request; then the connection ends. */
export function answerFault(fault: GatewayError, response: ServerResponse): void {
  const body = JSON.stringify(gatewayErrorBody(fault));
  const headers = {
    connection: "close",
    "content-type": "application/json",
    "content-length": Buffer.byteLength(body),
  };
  response.writeHead(fault.status, headers).end(body);
}

/** What did not even parse is answered too, and then the connection ends. */
export function answerClientError(error: Error & { code?: string }, socket: Duplex): void {
  if (error.code === "ECONNRESET" || !socket.writable) {
    socket.destroy();
    return;
  }
  const known = clientErrors[error.code ?? ""] ?? malformed;
  const body = JSON.stringify(gatewayErrorBody(known));
  const timer = setTimeout(() => socket.destroy(), lingering);
  socket.once("close", () => clearTimeout(timer));
  socket.end(
    `HTTP/1.1 ${known.status} ${STATUS_CODES[known.status]}\r\nconnection: close\r\ncontent-type: application/json\r\n` +
      `content-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  );
}
