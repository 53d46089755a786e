import { GatewayError } from "../errors/gateway-error.ts";
import type { ClientBody } from "./road.ts";

/** Reads a body whole. Refuses early when it says that it is too large, and late when it turns out to be. */
export function readBody(body: ClientBody, limit: number, timeoutMs: number): Promise<Buffer> {
  const tooLarge = () =>
    new GatewayError("body_too_large", `The body is larger than ${limit} bytes (server.limits.jsonBodyBytes).`);
  if ((body.contentLength ?? 0) > limit) return Promise.reject(tooLarge());
  return new Promise((resolve, reject) => {
    const { stream } = body;
    const pieces: Buffer[] = [];
    let length = 0;
    const timer = timeoutMs
      ? setTimeout(
          () => finish(new GatewayError("body_timeout", `The body did not arrive within ${timeoutMs} ms.`)),
          timeoutMs,
        )
      : undefined;
    const onData = (bytes: Buffer) => {
      pieces.push(bytes);
      length += bytes.length;
      if (length > limit) finish(tooLarge());
    };
    const onEnd = () => finish();
    const onCut = () => finish(new GatewayError("client_gone", "The client closed the connection."));
    const finish = (error?: GatewayError) => {
      clearTimeout(timer);
      stream.off("data", onData).off("end", onEnd).off("error", onCut).off("close", onCut);
      if (!error) return resolve(pieces.length === 1 && pieces[0] ? pieces[0] : Buffer.concat(pieces, length));
      stream.pause();
      return reject(error);
    };
    stream.on("data", onData).on("end", onEnd).on("error", onCut).on("close", onCut);
  });
}
