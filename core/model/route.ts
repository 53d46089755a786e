import type { ErrorCode } from "../errors/error-table.ts";
import type { GatewayError } from "../errors/gateway-error.ts";
import type { Clocks } from "./clocks.ts";
import type { Exchange } from "./exchange.ts";
import type { BoundProvider } from "./provider.ts";
import type { GatewayRequest } from "./request.ts";

/** Where an attempt goes: data only, so that routes are tested without a clock and without a network. */
export interface Target {
  /** Where in the config this target stands: `config`, `config.targets[1]`. */
  readonly path: string;
  readonly provider: BoundProvider;
  /** The model to ask for, when it is not the request's own. */
  readonly model?: string;
  /** Wait this long before calling. */
  readonly delayMs?: number;
  readonly clocks?: Clocks;
  /** True for a second call of the target before: `beforeRequest` does not run again. */
  readonly retry?: boolean;
  /** What is asked here, in place of the exchange's own request. */
  readonly request?: GatewayRequest;
  /** Changes to the client's body, in its own format, before anybody looks at it. */
  readonly shape?: Shape;
  /** The target cannot be called: this is its outcome, as if it had answered so. */
  readonly refusal?: GatewayError;
  /** Client headers to copy to the upstream; absent is what the provider says. */
  readonly forwardHeaders?: readonly ForwardedHeader[];
  /** False anywhere makes the answer lenient (inference-api.md section 6). */
  readonly strict?: boolean;
  /** What the routing config says at this target, by field: for the plugins that own the fields. */
  readonly fields?: Readonly<Record<string, unknown>>;
  /** What happens when a stream dies after it has begun; absent is `error`. */
  readonly resume?: Resume;
  /**
   * What makes the groups around it go on to another target, the innermost first; of those that have one left. Said only
   * where nobody is called (`role` is `imagined`), so that who walks the route can see where else it would go.
   */
  readonly movesOn?: readonly ((outcome: Outcome) => boolean)[];
  /** Routes walked beside this target while it is called. */
  readonly beside?: readonly Lane[];
  /** What runs beside it once its own lane is walked (`asLane`), for who tells of the route without walking that. */
  readonly besideWithin?: readonly Lane[];
  /**
   * The route this target is the first of, walked for an exchange of its own as one of the lanes of a race. Absent is a
   * route of this target alone.
   */
  readonly asLane?: (branch: Exchange) => Route;
}

/**
 * `error`: the client gets an error inside its stream. `restart`: the next target is asked, as if this one had failed at
 * once, as long as nothing of the answer was sent, or the client has said that it can begin anew (`x-gateway-resume`).
 * The new answer replaces the old one: nothing is spliced together.
 */
export type Resume = "error" | "restart";

/** A route walked beside a target. */
export interface Lane {
  /** Walked for an exchange of its own: what the config says at its targets is said of that one alone. */
  readonly route: (branch: Exchange) => Route;
  /** Milliseconds after the target. One that fails earlier, or is to be asked again, lets the next lane begin at once. */
  readonly afterMs: number;
  /** `rival`: the first good answer is the outcome, the other is given up. `shadow`: its answer is only recorded. */
  readonly kind: "rival" | "shadow";
}

export interface ForwardedHeader {
  /** Lower case. */
  readonly from: string;
  readonly to: string;
}

/** How a config shapes the body (routing-config.md section 5), in this order. */
export interface Shape {
  /** Keys added when the client did not send them. */
  readonly defaults?: Readonly<Record<string, unknown>>;
  /** Keys set, whatever the client sent. */
  readonly overrides?: Readonly<Record<string, unknown>>;
  /** Paths removed: `logprobs`, `tools[*].function.strict`. */
  readonly drops?: readonly string[];
}

/** How an attempt went, as a route sees it. */
export interface Outcome {
  /** The status a client would get. */
  readonly status: number;
  readonly ok: boolean;
  /** What failed, when the gateway noticed it itself rather than the upstream saying so. */
  readonly code?: ErrorCode;
  /** A plugin gave this answer instead of the upstream: asking again would ask the plugin. */
  readonly given?: boolean;
  /** Whatever was answered, it would have this status: what was asked had decided on it. */
  readonly foregone?: true;
  /** A retry that came to nothing before anything was sent: no credential was to be had. */
  readonly unsent?: true;
  /** The gateway itself failed: nothing else may be tried. */
  readonly exception: boolean;
  /** Response headers of the upstream, lower case. */
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** `error.code` or `error.type` of the upstream's error body. */
  readonly reason?: string;
  /** What `x-gateway-retry-attempt-count` says; set by whoever retried. */
  readonly retries?: number;
}

/**
 * Yields targets, receives outcomes, returns the last one. Nesting is `yield*`. One that is not walked to its end, because
 * the client has left or the gateway has failed, is left with `return()`: `finally` gives back what was taken for a call.
 */
export type Route = Generator<Target, Outcome, Outcome>;
