import type { ServerResponse } from "node:http";
import type { Socket } from "node:net";

/** What may be sent in the middle of an answer without changing it. An answer without an entry has no such thing. */
export const harmless = new WeakMap<ServerResponse, string>();

/** Milliseconds until a client is asked again; twice as many every time, up to the longest. */
const soon = 10;
const longest = 5_000;

/**
 * A client that has stopped sending may be listening, or gone: on the wire both look the same, until something is sent
 * and the other side objects. So it is asked: with an interim response that
 * all clients skip before the answer, with a comment in the middle
 * of a stream. Where nothing harmless can be sent, it is taken for gone.
 */
export function askIfGone(socket: Socket, response: ServerResponse): void {
  let timer: NodeJS.Timeout | undefined;
  let after = soon;
  const ask = () => {
    // All that is left is on its way, or other answers come first.
    if (response.writableEnded || response.destroyed || response.socket !== socket) return;
    if (response.headersSent) {
      const text = harmless.get(response);
      if (text === undefined) return void socket.destroy();
      if (!response.writableNeedDrain) response.write(text);
    } else if (response.req.httpVersionMinor > 0) response.writeContinue();
    else return;
    timer = setTimeout(ask, after);
    after = Math.min(after * 2, longest);
  };
  response.once("close", () => clearTimeout(timer));
  ask();
}
