import { Stage } from "../hooks.ts";
import type { Exchange } from "../model/exchange.ts";
import type { GatewayRequest } from "../model/request.ts";
import type { TappableHooks } from "../plugin.ts";
import { isAnswer, settleTap } from "../taps.ts";
import { isOfGateway } from "./counted.ts";

/** Lets requests through that stay within their limits, and counts what they used. */
export interface LimitGate {
  /** Once for a request. Throws, or rejects with, the refusal. */
  admit(exchange: Exchange): undefined | Promise<undefined>;
  /** The same before the first call of a target. */
  meet(exchange: Exchange, request: GatewayRequest): undefined | Promise<undefined>;
  /** What would come of a request nobody sends, at one of its targets where it says what is asked there. */
  foresee(exchange: Exchange, request?: GatewayRequest): Promise<void>;
  /** Before a target that was let through is called once more: that is counted, and not looked at. */
  again?(exchange: Exchange): void;
  /** Whether anything of a request that is over is to be settled: what it used is read off its answer for that. */
  settles(exchange: Exchange): boolean;
  /** When the request is over. */
  settle(exchange: Exchange): undefined | Promise<unknown>;
  /** What was used without anybody being asked: it is counted by what it meets now. */
  count(exchange: Exchange): Promise<unknown>;
}

/** Puts a gate on the road of a request. Of several, that of the earlier stage is asked first. */
export function tapGate(hooks: TappableHooks, name: string, stage: number, gate: LimitGate): void {
  const foresee = async (exchange: Exchange, request?: GatewayRequest): Promise<undefined> => {
    await gate.foresee(exchange, request);
  };
  const admission = (exchange: Exchange) => {
    if (exchange.role === "imagined") return foresee(exchange);
    return exchange.role === "account" ? undefined : gate.admit(exchange);
  };
  hooks.routeSelect.tapAsync({ name, stage, foresee }, (exchange, done) => settleTap(admission(exchange), done));
  const again = gate.again?.bind(gate);
  hooks.beforeRequest.tapAsync({ name, stage, foresee, again }, (seen, exchange, done) =>
    settleTap(isAnswer(seen) ? undefined : gate.meet(exchange, seen), done),
  );
  const when = (exchange: Exchange) => isCounted(exchange) || gate.settles(exchange);
  const over = (exchange: Exchange) => {
    if (isOfGateway(exchange)) return Promise.all([gate.settle(exchange), gate.count(exchange)]);
    return gate.settles(exchange) ? gate.settle(exchange) : gate.count(exchange);
  };
  hooks.cost.tapAsync({ name, stage: Stage.settle, when }, (exchange, done) =>
    settleTap(over(exchange)?.then(ignore), done),
  );
}

/**
 * A turn of what was let in as a whole, what was done elsewhere, and what a batch job of a provider is known to have used where
 * asking for it is free: a raw call that asks for it was let in, and is settled with that.
 */
const isOnlyCounted = ({ role, attempt }: Exchange): boolean =>
  role === "turn" || role === "account" || attempt?.job === true;

const isCounted = (exchange: Exchange): boolean => isOnlyCounted(exchange) || isOfGateway(exchange);

function ignore(): undefined {}

/** What a limit would say of a request. */
export interface Foretold {
  readonly message: string;
  /** Set where it cannot say: only the gateway that runs knows what is counted. */
  readonly known?: false;
  /** What the request would be refused with. */
  readonly refusal?: Error | undefined;
}

/** Notes what limits would say of a request, and throws the first refusal. */
export function foretell(exchange: Exchange, foretold: readonly Foretold[]): void {
  if (foretold.length === 0) return;
  const path = exchange.attempt?.target.path ?? "limits";
  exchange.routeNotes ??= [];
  for (const { message, known } of foretold)
    exchange.routeNotes.push(known === undefined ? { path, message } : { path, message, known });
  const refused = foretold.find(({ refusal }) => refusal !== undefined);
  if (refused) throw refused.refusal;
}
