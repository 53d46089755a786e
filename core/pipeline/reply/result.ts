import type { Answer } from "../../model/answer.ts";
import type { Outcome, Target } from "../../model/route.ts";
import type { OpenSocket } from "../../model/socket.ts";
import type { Witness } from "../../model/witness.ts";
import type { ExchangeState } from "../exchange-state.ts";
import type { Reply } from "./conversation.ts";
import type { StreamDelivery } from "./stream-delivery.ts";

type ResponseHeaders = Record<string, string | string[] | number>;

/** What an attempt came to, ready to be given to the client if the route ends with it. */
export type Result = {
  readonly target: Target;
  readonly outcome: Outcome;
  /** Response headers plugins added about this attempt. */
  readonly told?: Readonly<Record<string, string>> | undefined;
  /** Looks at the bytes that the client has been given. */
  readonly witness?: Witness | undefined;
  /** The branch of the exchange this came from, where attempts ran side by side. */
  readonly branch?: ExchangeState;
} & (
  | {
      /** A finished body. `answer` is what taps saw, where any looked; `bytes` what the client gets. */
      readonly kind: "whole";
      readonly headers: ResponseHeaders;
      readonly bytes: Buffer;
      readonly answer?: Answer;
      /** The upstream's own bytes, where it answered. */
      readonly received?: Buffer;
    }
  | {
      readonly kind: "stream";
      readonly headers: ResponseHeaders;
      readonly delivery: StreamDelivery;
      /** Bytes before it and after it that taps added. What comes after is asked for when it has settled. */
      readonly before?: string;
      readonly after?: () => string;
      /** Called when the stream has ended, before the cost hook. */
      readonly settled: () => Promise<void> | void;
    }
  | {
      /** Bytes nobody looks into, moved as they come. */
      readonly kind: "relay";
      readonly headers: ResponseHeaders;
      readonly reply: Reply;
    }
  | {
      /** Bytes made on the way. */
      readonly kind: "piped";
      readonly headers: ResponseHeaders;
      readonly bytes: AsyncIterable<Buffer>;
      /** Lets go of what they are made from. */
      readonly abandon: () => void;
    }
  | {
      /** The provider's end of a socket, open. */
      readonly kind: "socket";
      readonly headers: ResponseHeaders;
      readonly opened: OpenSocket;
    }
  | {
      /** The client has it already. `over`: whatever became of it, nobody else is asked. */
      readonly kind: "delivered";
      readonly over?: true;
    }
);

/** Lets go of what an attempt still holds open when another one is used. */
export function discard(result: Result): void {
  if (result.kind === "stream") result.delivery.abandon();
  if (result.kind === "relay") result.reply.conversation.abort();
  if (result.kind === "piped") result.abandon();
  if (result.kind === "socket") result.opened.abandon();
}
