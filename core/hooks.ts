import { AsyncSeriesBailHook, AsyncSeriesHook, AsyncSeriesWaterfallHook, SyncWaterfallHook } from "tapable";
import type { Answer } from "./model/answer.ts";
import type { Exchange } from "./model/exchange.ts";
import type { Principal } from "./model/principal.ts";
import type { AnyRequest, GatewayRequest } from "./model/request.ts";
import type { Route } from "./model/route.ts";
import type { StreamChunk } from "./model/stream.ts";

/**
 * Which exchanges a tap wants to see. Answers are decoded, and usage is read, for taps: one that looks at few of them says
 * so here, and is only asked about those.
 */
export interface Interest {
  readonly when?: (exchange: Exchange) => boolean;
}

/** Which answers a tap wants to see, and what of them. */
export interface Attention extends Interest {
  /** On `afterRequest`: bytes will do (`Answer.wire`) where a whole answer goes on as it came; nothing is decoded then. */
  readonly bytesWillDo?: boolean;
}

/** Which exchanges a tap on `cost` wants to see, and what of them. */
export interface Settling extends Interest {
  /** It makes do without what was used: nothing is read off an answer for it. */
  readonly withoutUsage?: boolean;
}

/**
 * What a tap would say of a request that nobody sends, at one of its targets where it is told what is asked there: it
 * notes that, or throws what it would refuse it with.
 */
export interface Foresight {
  readonly foresee?: (exchange: Exchange, request?: GatewayRequest) => Promise<void>;
}

/** What a tap on `beforeRequest` does when the same target is called once more: it is not asked again, and refuses nothing. */
export interface Repetition {
  readonly again?: ((exchange: Exchange) => void) | undefined;
}

/** The six points on the road of a request where plugins join in. The kind of a hook says what a return value means. */
export const createHooks = () =>
  Object.freeze({
    /** First principal wins; `undefined` passes the question on. Nobody answering means 401. */
    auth: new AsyncSeriesBailHook<[Exchange], Principal | undefined>(["exchange"]),
    /** First route wins. */
    routeSelect: new AsyncSeriesBailHook<[Exchange], Route | undefined, Foresight>(["exchange"]),
    /** Once per target. Return the request the next tap sees, or an Answer to finish early; throw to refuse. */
    beforeRequest: new AsyncSeriesWaterfallHook<
      [AnyRequest | Answer, Exchange],
      GatewayRequest | Answer,
      Foresight & Repetition
    >(["request", "exchange"]),
    /** Per canonical chunk, synchronous. Return none, one or several; what is held back may be released later. */
    streamChunk: new SyncWaterfallHook<[readonly StreamChunk[], Exchange], readonly StreamChunk[], Attention>([
      "chunks",
      "exchange",
    ]),
    /** Per answer of a target, once it is complete. Return the answer the next tap sees. */
    afterRequest: new AsyncSeriesWaterfallHook<[Answer, Exchange], Answer, Attention>(["answer", "exchange"]),
    /** Once, after the client has its answer, however it ended: price, settle, record. */
    cost: new AsyncSeriesHook<[Exchange], Settling>(["exchange"]),
  });

export type Hooks = ReturnType<typeof createHooks>;
export type HookName = keyof Hooks;

/** Whether a hook has a tap. Tapable's own `isUsed` also counts interceptors, which every hook here has. */
export const usedHooks = (hooks: Hooks): Readonly<Record<HookName, boolean>> =>
  Object.fromEntries(Object.entries(hooks).map(([name, { taps }]) => [name, taps.length > 0])) as Record<
    HookName,
    boolean
  >;

/**
 * The rank of a tap within a hook. Equal ranks keep the order of the config file; gaps leave room. Who chooses the route
 * does so after those who may refuse the request, and budgets come before rates (policies.md section 5.2). `own` is what
 * the gateway is the provider of itself, before a route to another one is looked for. `late` is what only the record waits
 * for, when everything is counted.
 */
export const Stage = {
  enrich: 0,
  guard: 100,
  guarded: 120,
  cache: 150,
  budget: 180,
  limit: 200,
  own: 230,
  route: 240,
  price: 300,
  settle: 400,
  late: 450,
  record: 500,
} as const;

/** Whether any tap of a hook wants to see this exchange. */
export type Wanted = (exchange: Exchange) => boolean;

/** Made once: who has to be asked is known from the taps. */
export function wantedBy(
  hook: Hooks["streamChunk" | "afterRequest" | "cost"],
  counts: (tap: Attention & Settling) => boolean = () => true,
): Wanted {
  const asked: Wanted[] = [];
  for (const tap of hook.taps as readonly (Attention & Settling)[]) {
    if (!counts(tap)) continue;
    const { when } = tap;
    if (!when) return always;
    asked.push(when);
  }
  const [only, ...others] = asked;
  if (!only) return never;
  return others.length === 0 ? only : (exchange) => asked.some((when) => when(exchange));
}

const always: Wanted = () => true;
const never: Wanted = () => false;
