import type { GatewayError } from "../../errors/gateway-error.ts";
import type { Reply } from "./conversation.ts";

/** Bytes taken in before the upstream is asked to wait. */
const patience = 256 * 1024;

/** The body of an answer for whoever reads at a pace of its own: the upstream waits for its reader. */
export async function* bytesOf({ conversation }: Reply): AsyncGenerator<Buffer> {
  const pieces: Buffer[] = [];
  let held = 0;
  let ending: "end" | GatewayError | undefined;
  let wake: (() => void) | undefined;
  const woken = () => {
    wake?.();
    wake = undefined;
  };
  // From here on only silence counts: how long all of it takes is the reader's affair.
  conversation.firstToken();
  conversation.read({
    data(bytes) {
      pieces.push(bytes);
      held += bytes.length;
      if (held > patience) conversation.hold();
      woken();
    },
    end() {
      ending = "end";
      woken();
    },
    error(error) {
      ending = error;
      woken();
    },
  });
  try {
    for (;;) {
      const bytes = pieces.shift();
      if (bytes) {
        held -= bytes.length;
        if (held <= patience) conversation.release();
        yield bytes;
      } else if (ending === "end") return;
      else if (ending) throw ending;
      else
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
    }
  } finally {
    if (ending === undefined) conversation.abort();
  }
}
