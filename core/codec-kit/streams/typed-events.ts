import type { ErrorDetail } from "../../errors/error-detail.ts";
import type { Format } from "../../model/format.ts";
import type { WireEvent } from "../../model/framing.ts";
import type { Usage } from "../../model/usage.ts";
import { type Fields, isRecord } from "../records.ts";
import { isDone, readEnds } from "./stream-end.ts";

type Streams = Pick<Format, "framing" | "readStreamEnd" | "failStream">;

/**
 * What a format says of streams of server-sent events with a `type`, of which none has to be understood: which types end
 * them in order. `[DONE]` does so too, of vendors who have it (Together). An `error` among them is the vendor's, unless
 * `isPartOnly` says of its type that the stream goes on without a part.
 */
export function typedEvents(
  isLast: (type: string) => boolean,
  readUsage: (frame: Fields) => Usage | undefined,
  isPartOnly: (type: string) => boolean = () => false,
): Streams {
  return {
    framing: "sse",
    readStreamEnd: (events: readonly WireEvent[]) =>
      readEnds(events, (frame, event) => {
        const type = typeof frame.type === "string" ? frame.type : (event.event ?? "");
        const terminated = isDone(event);
        return {
          ...(isLast(type) && { usage: readUsage(frame) }),
          ...((terminated || isLast(type)) && { choices: [[0, true]] }),
          terminated,
          failed: type === "error" || (isRecord(frame.error) && !isPartOnly(type)),
        };
      }),
    failStream({ message, type, param, code }: ErrorDetail) {
      const error = { message, type: type ?? null, param: param ?? null, code: code ?? null };
      return `event: error\ndata: ${JSON.stringify({ type: "error", error })}\n\n`;
    },
  };
}
