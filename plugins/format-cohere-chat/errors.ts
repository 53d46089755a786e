import { type ErrorDetail, type Fields, isRecord, readErrorBody } from "../../core/index.ts";

/** `{id?, message}`, or a list of complaints in `detail`. */
export const decodeError = readErrorBody;

/** Clients of this format read a `message` at the top. */
export const encodeError = (body: Fields): Fields =>
  isRecord(body.error) && body.message === undefined ? { message: body.error.message, ...body } : body;

/** The event that ends a stream which failed: the message ends with an error. */
export const errorEvent = ({ message }: ErrorDetail): string =>
  `event: message-end\ndata: ${JSON.stringify({ type: "message-end", delta: { error: message, finish_reason: "ERROR" } })}\n\n`;

/** What an event says went wrong: a message that ended with an error, or the body of an error instead of an event. */
export function errorIn(wire: Readonly<Fields>, type: string): ErrorDetail | undefined {
  if (type === "message-end") {
    const message = isRecord(wire.delta) ? wire.delta.error : undefined;
    return typeof message === "string" && message !== "" ? { message } : undefined;
  }
  if (type === "error" || type === "stream-error") return readErrorBody(wire) ?? { message: "The stream failed." };
  return type === "" ? readErrorBody(wire) : undefined;
}
