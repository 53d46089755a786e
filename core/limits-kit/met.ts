import type { Attempt } from "../model/attempt.ts";
import type { Exchange } from "../model/exchange.ts";
import type { Limited } from "../model/limited.ts";
import type { GatewayRequest } from "../model/request.ts";
import { isLimited, isOfGateway } from "./counted.ts";
import { limitFactsOf } from "./facts.ts";
import type { LimitedThings } from "./limited-things.ts";
import { type CountingInput, countingPolicies, type LimitPhase, type PolicyTerms } from "./policies.ts";

/** All that limits want to know of what is asked. */
type AskedModel = Pick<GatewayRequest, "model">;

type Now<Value> = Value | Promise<Value>;

export interface LimitFinderInput<Policy, Limit> extends CountingInput<Policy, Limit> {
  readonly things: LimitedThings;
  /** The policies a request may meet. */
  readonly policies: (exchange: Exchange) => Now<readonly Policy[]>;
  /** The limits that something has of its own. */
  readonly ofThing: (thing: Limited) => readonly Limit[];
}

/**
 * Finds the limits a request meets. A promise only for what has to be read; of most requests it is nothing, and nothing is
 * made for them. A limit is made once: for a thing as it is known, or for a policy and a value of its groups.
 */
export class LimitFinder<Policy extends PolicyTerms, Limit> {
  readonly #input: LimitFinderInput<Policy, Limit>;
  readonly #ready: ReturnType<typeof countingPolicies<Policy, Limit>>;
  readonly #ofThings = new WeakMap<Limited, readonly Limit[]>();

  constructor(input: LimitFinderInput<Policy, Limit>) {
    this.#input = input;
    this.#ready = countingPolicies(input);
  }

  /** In the order they are looked at: those of things, then of policies. `asked` is what is asked of the target under way. */
  met(phase: LimitPhase, exchange: Exchange, asked?: AskedModel): Now<readonly Limit[]> {
    return isLimited(exchange) ? this.#find(phase, exchange, asked) : none;
  }

  /**
   * Hands what was used without anybody being asked to those who count it: all of it by what the request meets, and what
   * each target used by what that meets. It is counted of requests that are never checked, too.
   */
  async learnt(
    exchange: Exchange,
    count: (met: readonly Limit[], attempts: readonly Attempt[]) => Promise<unknown>,
  ): Promise<void> {
    const { attempts } = exchange;
    await count(await this.#find("admission", exchange), attempts);
    if (isOfGateway(exchange)) return;
    for (const attempt of attempts) {
      exchange.attempt = attempt;
      await count(await this.#find("target", exchange, exchange.request ?? nobodyAsked), [attempt]);
    }
  }

  #find(phase: LimitPhase, exchange: Exchange, asked?: AskedModel): Now<readonly Limit[]> {
    const { things, policies } = this.#input;
    const slug = exchange.attempt?.target.provider.slug ?? "";
    const limited = phase === "admission" ? things.atAdmission(exchange) : things.atTarget(exchange, slug);
    const kept = policies(exchange);
    if (limited instanceof Promise || kept instanceof Promise)
      return Promise.all([limited, kept]).then(([one, two]) => this.#met(phase, exchange, asked, one, two));
    return this.#met(phase, exchange, asked, limited, kept);
  }

  #met(
    phase: LimitPhase,
    exchange: Exchange,
    asked: AskedModel | undefined,
    things: readonly Limited[],
    kept: readonly Policy[],
  ): readonly Limit[] {
    const ready = this.#ready(kept, phase);
    if (ready.length === 0 && things.length === 0) return none;
    const limits: Limit[] = [];
    for (const thing of things) limits.push(...this.#ofThing(thing));
    if (ready.length === 0) return limits;
    const facts = limitFactsOf(exchange, phase === "target" ? asked : undefined);
    for (const { isInForce, limitOf } of ready) if (isInForce(facts)) limits.push(limitOf(facts));
    return limits;
  }

  #ofThing(thing: Limited): readonly Limit[] {
    let limits = this.#ofThings.get(thing);
    if (!limits) {
      limits = this.#input.ofThing(thing);
      this.#ofThings.set(thing, limits);
    }
    return limits;
  }
}

const none: readonly never[] = [];

const nobodyAsked: AskedModel = { model: undefined };
