import type { Attempt, GatewayRequest } from "../../core/index.ts";
import type { Side } from "./config/fields.ts";
import type { Planned } from "./plan.ts";
import type { HookEntry } from "./run/results.ts";
import type { GuardedHooks } from "./stream/guarded-hooks.ts";

/** What a check that nobody waits for said, and of which attempt: a retry has an answer of its own. */
export interface Late {
  readonly side: Side;
  readonly entry: HookEntry;
  readonly attempt: Attempt | undefined;
}

/** What is known of the guardrails of the target under way. */
export interface Guarding {
  readonly input: readonly Planned[];
  readonly output: readonly Planned[];
  /** The request as it goes on. */
  request: GatewayRequest;
  before: readonly HookEntry[];
  /** What checks said of the request, as it may be told of one from which something was taken out. */
  told: (entries: readonly HookEntry[]) => readonly HookEntry[];
  after: readonly HookEntry[];
  /** What those say that nobody waits for, as they end. */
  later: Promise<Late>[] | undefined;
  /** Those that look at a stream while it passes. */
  readonly inPassing: readonly Planned[];
  /** What they found in the stream of an attempt; a retry has another one. */
  passing?: { readonly attempt: Attempt; readonly hooks: GuardedHooks };
}
