import type { Answer } from "../model/answer.ts";
import type { Outcome, Target } from "../model/route.ts";
import type { Reply } from "./conversation.ts";
import type { StreamDelivery } from "./stream-delivery.ts";

type ResponseHeaders = Record<string, string | string[] | number>;

/** What an attempt came to, ready to be given to the client if the route ends with it. */
export type Result = {
  readonly target: Target;
  readonly outcome: Outcome;
} & (
  | {
      /** A finished body. `answer` is what taps saw, where any looked; `bytes` what the client gets. */
      readonly kind: "whole";
      readonly headers: ResponseHeaders;
      readonly bytes: Buffer;
      readonly answer?: Answer;
      /** Reads the usage off the bytes, later, if somebody wants it. */
      readonly usage?: () => import("../model/usage.ts").Usage | undefined;
    }
  | {
      readonly kind: "stream";
      readonly headers: ResponseHeaders;
      readonly delivery: StreamDelivery;
      /** Called when the stream has ended, before the cost hook. */
      readonly settled: () => Promise<void> | void;
    }
  | {
      /** Bytes nobody looks into, moved as they come. */
      readonly kind: "relay";
      readonly headers: ResponseHeaders;
      readonly reply: Reply;
    }
);

/** Lets go of what an attempt still holds open when another one is used. */
export function discard(result: Result): void {
  if (result.kind === "stream") result.delivery.abandon();
  if (result.kind === "relay") result.reply.conversation.abort();
}
