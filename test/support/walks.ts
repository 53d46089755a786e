import {
  type BoundProvider,
  type ConfigNode,
  type Exchange,
  GatewayError,
  type Outcome,
  type Route,
  type RouteChild,
  type Target,
  type Walk,
} from "../../core/index.ts";

/** How an attempt went: an upstream's status, or what the gateway noticed itself. */
export const outcome = (status: number, more: Partial<Outcome> = {}): Outcome => ({
  status,
  ok: status >= 200 && status < 300,
  exception: false,
  headers: { "content-type": "application/json" },
  ...more,
});

/** Outcomes no upstream answered for. */
export const failed = {
  refused: outcome(500, { code: "upstream_failed", reason: "upstream_connection_error", headers: {} }),
  unreachable: outcome(503, { code: "upstream_unreachable", reason: "upstream_connection_error", headers: {} }),
  timeout: outcome(408, { code: "request_timeout", reason: "timeout_error", headers: {} }),
  internal: outcome(500, { code: "internal", exception: true, headers: {} }),
} as const;

/** Strategies look at the names of a provider at most; this one has none. */
const provider = { slug: "fake", name: "fake" } as unknown as BoundProvider;

export const target = (path: string): Target => ({ path, provider });

export const node = (path: string, more: Partial<ConfigNode> = {}): ConfigNode => ({
  path,
  weight: 1,
  fields: {},
  ...more,
});

/** Children of a group that are one call each, at `config.targets[0]` and on. */
export const leaves = (...nodes: readonly Partial<ConfigNode>[]): RouteChild[] =>
  nodes.map((more, index) => {
    const made = node(`config.targets[${index}]`, more);
    return {
      node: made,
      index,
      *route(): Route {
        return yield target(made.path);
      },
    };
  });

export interface Asked {
  readonly metadata?: Readonly<Record<string, string>>;
  readonly metadataValues?: Readonly<Record<string, unknown>>;
  readonly url?: string;
  readonly signal?: AbortSignal;
  readonly principal?: { readonly id: string; readonly organisation?: string; readonly workspace?: string };
  /** Parsed when read, like a body. */
  readonly request?: { readonly json: unknown; readonly formType?: string };
}

/** What strategies know of a request. */
export const exchangeOf = (asked: Asked = {}): Exchange =>
  ({ metadata: {}, url: "/v1/chat/completions", ...asked }) as unknown as Exchange;

export interface FakeWalk extends Walk {
  readonly notes: string[];
}

/** A walk with a clock that stands still and draws that are given; the last one repeats. */
export function walkOf(more: Partial<Walk> & { draws?: readonly number[] } = {}): FakeWalk {
  const { draws = [0], ...walk } = more;
  const notes: string[] = [];
  let drawn = 0;
  return {
    exchange: exchangeOf(),
    number: 1,
    alternatives: false,
    random: () => draws[Math.min(drawn++, draws.length - 1)] ?? 0,
    now: () => 1_700_000_000_000,
    note: (path, message) => notes.push(`${path} ${message}`),
    notes,
    ...walk,
  };
}

export interface Driven {
  /** Paths of the targets called, in order. */
  readonly called: string[];
  /** How long was waited before each call. */
  readonly delays: number[];
  readonly result: Outcome;
}

/** Walks a route as the pipeline does, with the outcomes given: in order, or by target. The last one repeats. */
export function drive(route: Route, outcomes: readonly Outcome[] | ((target: Target) => Outcome)): Driven {
  const called: string[] = [];
  const delays: number[] = [];
  const outcomeFor = (target: Target): Outcome => {
    if (typeof outcomes === "function") return outcomes(target);
    return outcomes[Math.min(called.length, outcomes.length) - 1] ?? outcome(200);
  };
  const steps: Iterator<Target, Outcome, Outcome | undefined> = route;
  let step = steps.next(undefined);
  while (!step.done) {
    called.push(step.value.path);
    delays.push(step.value.delayMs ?? 0);
    const went = outcomeFor(step.value);
    if (went.exception) return { called, delays, result: went };
    step = steps.next(went);
  }
  return { called, delays, result: step.value };
}

/** The code of the error a route ends a request with. */
export function refusalOf(walk: () => unknown): string | undefined {
  try {
    walk();
    return undefined;
  } catch (error) {
    if (error instanceof GatewayError) return error.code;
    throw error;
  }
}
