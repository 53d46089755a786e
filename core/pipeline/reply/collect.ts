import { GatewayError } from "../../errors/gateway-error.ts";
import type { Reply } from "./conversation.ts";
import { said } from "./said.ts";

/** The whole body of an answer. Rejects with `upstream_too_large` beyond the limit, and with what cut it short. */
export const collect = (reply: Reply, limit: number): Promise<Buffer> => collected(reply, limit, (bytes) => bytes);

/** What is made of it, by `use`, at once: a promise that is waited for in between costs a turn. */
export function collected<Made>(
  reply: Reply,
  limit: number,
  use: (bytes: Buffer) => Made | Promise<Made>,
): Promise<Made> {
  return new Promise((resolve, reject) => {
    const pieces: Buffer[] = [];
    let length = 0;
    reply.conversation.read({
      data(bytes) {
        pieces.push(bytes);
        length += bytes.length;
        if (length <= limit) return;
        reply.conversation.abort();
        reject(new GatewayError("upstream_too_large", `Upstream response too large: more than ${limit} bytes.`));
      },
      end() {
        const bytes = pieces.length === 1 && pieces[0] ? pieces[0] : Buffer.concat(pieces, length);
        said.set(reply.conversation.attempt, bytes);
        try {
          resolve(use(bytes));
        } catch (error) {
          reject(error);
        }
      },
      error: reject,
    });
  });
}
