import type { Attempt } from "../model/attempt.ts";
import type { Exchange } from "../model/exchange.ts";
import type { Limited } from "../model/limited.ts";
import type { GatewayRequest } from "../model/request.ts";
import { isLimited } from "./counted.ts";
import { limitFactsOf } from "./facts.ts";
import type { LimitedThings } from "./limited-things.ts";
import { type LimitPhase, type PolicyTerms, readyPolicies } from "./policies.ts";

/** What a request meets, in the order it is looked at: things with limits of their own, then policies. */
export interface Met<Policy> {
  readonly things: readonly Limited[];
  readonly policies: readonly MetPolicy<Policy>[];
}

export interface MetPolicy<Policy> {
  readonly policy: Policy;
  /** Names its counter for this request. */
  readonly valueKey: string;
}

/** All that limits want to know of what is asked. */
type AskedModel = Pick<GatewayRequest, "model">;

type Now<Value> = Value | Promise<Value>;

export interface LimitFinderInput<Policy> {
  readonly things: LimitedThings;
  /** The policies a request may meet. */
  readonly policies: (exchange: Exchange) => Now<readonly Policy[]>;
  /** Which of them count; all unless said otherwise. */
  readonly counts?: (policy: Policy) => boolean;
}

/** Finds what a request meets. A promise only for what has to be read; of most requests it is nothing, and nothing is made for them. */
export class LimitFinder<Policy extends PolicyTerms> {
  readonly #input: LimitFinderInput<Policy>;
  readonly #ready: ReturnType<typeof readyPolicies<Policy>>;

  constructor(input: LimitFinderInput<Policy>) {
    this.#input = input;
    this.#ready = readyPolicies(input.counts);
  }

  /** `asked` is what is asked of the target under way. */
  met(phase: LimitPhase, exchange: Exchange, asked?: AskedModel): Now<Met<Policy>> {
    return isLimited(exchange) ? this.#find(phase, exchange, asked) : nothing;
  }

  /**
   * Hands what was used without anybody being asked to those who count it: all of it by what the request meets, and what
   * each target used by what that meets. It is counted of requests that are never checked, too.
   */
  async learnt(
    exchange: Exchange,
    count: (met: Met<Policy>, attempts: readonly Attempt[]) => Promise<unknown>,
  ): Promise<void> {
    const { attempts } = exchange;
    await count(await this.#find("admission", exchange), attempts);
    for (const attempt of attempts) {
      exchange.attempt = attempt;
      await count(await this.#find("target", exchange, exchange.request ?? nobodyAsked), [attempt]);
    }
  }

  #find(phase: LimitPhase, exchange: Exchange, asked?: AskedModel): Now<Met<Policy>> {
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
  ): Met<Policy> {
    const ready = this.#ready(kept, phase);
    if (ready.length === 0) return things.length === 0 ? nothing : { things, policies: none };
    const facts = limitFactsOf(exchange, phase === "target" ? asked : undefined);
    const policies: MetPolicy<Policy>[] = [];
    for (const { policy, isInForce, valueKey } of ready)
      if (isInForce(facts)) policies.push({ policy, valueKey: valueKey(facts) });
    return { things, policies };
  }
}

const none: readonly never[] = [];

const nobodyAsked: AskedModel = { model: undefined };

const nothing: Met<never> = Object.freeze({ things: none, policies: none });
