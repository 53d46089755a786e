import type { HookName } from "../../hooks.ts";
import type { Clocks } from "../../model/clocks.ts";
import type { RouteNote } from "../../model/exchange.ts";

/** A tap as `explain` tells of it. */
export interface TapFact {
  readonly plugin: string;
  readonly stage: number;
}

/** What a client would get instead of an upstream's answer. */
export interface Refusal {
  readonly status: number;
  readonly body: unknown;
  /** What happened, where a client is not told. */
  readonly reason?: string;
}

/** How the bytes of the body come about. */
export type BodyOrigin = "as received" | "as received, model exchanged" | "adjusted for the provider" | "translated";

/** A call that was made ready and not sent. */
export interface CallFact {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Credentials that are only made when a call is sent. */
  readonly later: readonly string[];
  /** The JSON that would be sent; a text where it is too long to show whole or is something else. */
  readonly body?: unknown;
  readonly bodyBytes: number;
}

/** One call of the route: a target, or one more try of it. */
export interface TargetFact {
  readonly path: string;
  readonly provider: { readonly slug: string; readonly name: string; readonly baseUrl: string };
  readonly model?: string;
  readonly clocks: Clocks;
  readonly delayMs?: number;
  /** It runs beside the target before it: for the first good answer, or as a copy whose answer is only recorded. */
  readonly lane?: { readonly kind: "rival" | "shadow"; readonly afterMs: number };
  /** What happens when its stream dies half-way. */
  readonly resume?: "error" | "restart";
  /** The same target once more, so that `beforeRequest` does not run again. */
  readonly retry: boolean;
  /** What comes is what goes: no format, and no taps between. */
  readonly raw: boolean;
  /** Absent on raw calls. */
  readonly formats?: { readonly client: string; readonly upstream: string; readonly body: BodyOrigin };
  readonly dropped: readonly string[];
  /** Whether it leaves through a transport of the provider's own instead of by HTTP. */
  readonly ownTransport: boolean;
  readonly call?: CallFact;
  /** It is done in calls of the provider's own making, which depend on what is answered: none of them is shown. */
  readonly procedure?: string;
  /** What the route was told that it had answered, to see where it goes next; absent where it would not be called. */
  readonly assumedStatus?: number;
  /** Why it would not be called. */
  readonly refused?: Refusal;
}

/** All that can be said of a request without calling anyone. Nothing in here is secret. */
export interface Explanation {
  readonly request: {
    readonly method: string;
    readonly url: string;
    readonly endpoint?: string;
    readonly format?: string;
  };
  readonly principal?: {
    readonly id: string;
    readonly name?: string;
    readonly scopes?: readonly string[];
    readonly metadata?: Readonly<Record<string, string>>;
    /** The plugin that knew it. */
    readonly plugin: string;
  };
  readonly route?: {
    /** The plugin that chose it. */
    readonly plugin: string;
    readonly targets: readonly TargetFact[];
    /** There were more targets than are shown. */
    readonly cut: boolean;
  };
  /** What was decided on the way, and where in the config; absent when whoever chose the route told nothing. */
  readonly decisions?: readonly RouteNote[];
  /** The hooks that would ring, with their taps in order. */
  readonly hooks: { readonly [Name in HookName]?: readonly TapFact[] };
  /** The request ends here: before any target, or when those of the route have all failed. */
  readonly refused?: Refusal;
}
