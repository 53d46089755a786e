import { refuseNative } from "../../codec-kit/chat/refuse-native.ts";
import type { Rewrite } from "../../model/operation-spec.ts";

type Wire = Readonly<Record<string, unknown>>;

/**
 * Refuses a conversation that its host is to hold (`thread`) for a host that holds none: what is sent of it are its last messages. Clients
 * are told so in the word of the API, at which its maker's SDK (`toolRunner`) and Claude Code send the whole. Held are they by Claude's maker
 * alone, at Azure and on its own platform at AWS, too: clients for other clouds (`@anthropic-ai/bedrock-sdk`, `vertex-sdk`) ask for none.
 */
export function refuseThread(wire: Wire): Record<string, unknown> {
  if ((wire.thread ?? undefined) === undefined) return wire;
  return refuseNative("threads of the Messages API", {
    param: "thread",
    remedy: "send the whole conversation in messages",
    details: { error_code: "thread_unsupported_request" },
  });
}

/** The same, where nothing else is to be rewritten. */
export const noThreads: Rewrite = { when: ['"thread"'], apply: refuseThread };
