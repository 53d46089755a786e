import { expect } from "vitest";
import { type Attempt, type Exchange, GatewayError, type GatewayRequest } from "../../core/index.ts";
import { isHard } from "../../plugins/usage-limits/budgets.ts";
import {
  type Asked,
  amountIn,
  type Counted,
  HeldFleet,
  holdFor,
  type Process,
  prices,
  tokensOf,
} from "./held-fleet.ts";

/** Requests that make their way step by step, and what has to come of each. */
export class HeldWorld extends HeldFleet {
  /** One that is under way: those of its process, or of the generation before it. */
  pick(at: number): Asked | undefined {
    const all = [...this.processes, ...this.ending].flatMap(({ asked }) => [...asked]);
    return all[at % Math.max(1, all.length)];
  }

  async ask(process: Process, tokens: number): Promise<void> {
    const request = { operation: "chat", json: { max_tokens: tokens } } as unknown as GatewayRequest;
    const exchange = {
      ...{ id: `x${++this.names}`, principal: { id: "K1", organisation: "o", workspace: "w" } },
      ...{ attempts: [] as Attempt[], endpoint: { operation: "chat", type: "chatComplete" }, method: "POST" },
      ...{ signal: new AbortController().signal, request, metadata: {}, url: "/" },
    } as unknown as Exchange;
    const asked: Asked = { exchange, request, process, expected: tokens, number: this.names, met: new Map() };
    const met = this.meets("admission");
    const wanted = met.filter(({ of: { type } }) => type !== "cost").map((one) => [one, exchange.id, tokens] as const);
    const isLetIn = await this.decided(asked, met, wanted, async () => process.gate.admit(exchange));
    if (!isLetIn) return;
    asked.met.set(exchange, met);
    process.asked.add(asked);
  }

  /** To a first target, or to the next one. */
  async goOn(asked: Asked, slug: string, unpriced: boolean): Promise<void> {
    const { exchange, request, process, expected } = asked;
    const { attempts } = exchange;
    const last = attempts.at(-1);
    // One call is under way.
    if (last && last.endedAt === undefined) return;
    const path = unpriced ? "unpriced" : `t${attempts.length}`;
    const attempt = { target: { path, provider: { slug, name: slug } }, startedAt: 0 } as unknown as Attempt;
    (attempts as Attempt[]).push(attempt);
    exchange.attempt = attempt;
    if (last) this.leave(asked, last);
    const met = this.meets("target", attempt);
    const hold = `${exchange.id}/${attempts.length - 1}`;
    const ofAll = (asked.met.get(exchange) ?? []).filter(({ of: { type } }) => type === "cost" && !unpriced);
    const spent = attempts.reduce((sum, { target, readUsage }) => {
      const usage = target.path === "unpriced" ? undefined : readUsage?.();
      return sum + (usage ? tokensOf(usage) : 0);
    }, 0);
    const own = met.filter(({ of: { type } }) => type !== "cost" || !unpriced);
    const isLetIn = await this.decided(
      asked,
      [...met, ...(asked.met.get(exchange) ?? [])],
      [
        ...ofAll.map((one) => [one, exchange.id, expected + spent] as const),
        ...own.map((one) => [one, hold, expected] as const),
      ],
      async () => process.gate.meet(exchange, request),
    );
    if (isLetIn) Object.assign(attempt, { sentAt: 1 }) && asked.met.set(attempt, met);
    else attempt.endedAt = 1;
  }

  /** Another call of the same target. */
  retry({ exchange }: Asked): void {
    const { attempts } = exchange;
    const last = attempts.at(-1);
    if (!last?.sentAt || last.endedAt === undefined) return;
    const attempt = { ...{ target: { ...last.target, retry: true } }, startedAt: 0, sentAt: 1 } as unknown as Attempt;
    (attempts as Attempt[]).push(attempt);
    exchange.attempt = attempt;
  }

  fail({ exchange }: Asked, used: number): void {
    const last = exchange.attempts.at(-1);
    if (!last?.sentAt || last.endedAt !== undefined) return;
    last.endedAt = 1;
    last.headersAt = 1;
    if (used > 0) last.readUsage = () => ({ inputTokens: 0, outputTokens: used });
  }

  /** What a target that is left without having used anything held for itself. */
  leave({ exchange, met }: Asked, last: Attempt): void {
    const first = firstOf(exchange.attempts, last);
    const calls = exchange.attempts.slice(first).filter(({ target }) => target.path === last.target.path);
    if (calls.some(({ readUsage }) => readUsage)) return;
    for (const one of met.get(exchange.attempts[first] as Attempt) ?? [])
      if (one.of.type !== "requests") one.holds.delete(`${exchange.id}/${first}`);
  }

  /** Whether it is let in, which has to be right: where there is room for all, and nothing is used up. */
  async decided(
    by: Asked,
    met: readonly Counted[],
    wanted: readonly (readonly [Counted, string, number])[],
    ask: () => Promise<undefined>,
  ): Promise<boolean> {
    const hard = wanted.filter(([{ of }]) => isHard({ budget: of }));
    const fits = hard.every(([one, id, tokens]) => {
      return one.used + this.heldOf(one, id) + amountIn(one, tokens, 1n) <= one.of.limit;
    });
    const isUsedUp = met.some(({ of, used }) => used >= of.limit);
    let isLetIn = true;
    try {
      await ask();
    } catch (error) {
      if (!(error instanceof GatewayError && error.status === 412)) throw error;
      isLetIn = false;
    }
    const isSure = this.isExact && !met.some(({ toldAt, phase }) => phase === "admission" && toldAt >= by.number);
    if (isSure && !fits) expect(isLetIn, "there is no room").toBe(false);
    if (isSure && fits && !isUsedUp && !this.isVague(met)) expect(isLetIn, "there is room").toBe(true);
    if (isLetIn)
      for (const [one, id, tokens] of hard)
        one.holds.set(id, { amount: amountIn(one, tokens, 1n), until: this.now + holdFor, by });
    return isLetIn;
  }

  /** What has no price is let in while something is left, what is held included. */
  isVague(met: readonly Counted[]): boolean {
    return met.some((one) => one.of.type === "cost" && one.used + this.heldOf(one) >= one.of.limit);
  }

  async settle(asked: Asked, used: number | undefined): Promise<void> {
    const { exchange, process, met } = asked;
    const { attempts } = exchange;
    const last = attempts.at(-1);
    if (used !== undefined && last?.sentAt && last.endedAt === undefined) {
      last.headersAt = 1;
      last.readUsage = () => ({ inputTokens: 0, outputTokens: used });
    }
    for (const attempt of attempts) {
      const usage = attempt.readUsage?.();
      if (!usage) continue;
      attempt.usage = usage;
      attempt.cost = prices.costOf({ exchange, attempt }, usage);
    }
    const tokensIn = ({ of: { type } }: Counted, calls: readonly Attempt[]) =>
      calls.reduce((sum, { usage, target }) => {
        return sum + (usage && !(type === "cost" && target.path === "unpriced") ? tokensOf(usage) : 0);
      }, 0);
    for (const [holder, counted] of met) {
      const isTarget = holder !== exchange;
      const first = attempts.indexOf(holder as Attempt);
      const calls = isTarget ? callsFrom(attempts, first) : attempts;
      const isRequest = calls.some(({ sentAt, headersAt }) => (isTarget ? sentAt : headersAt) !== undefined);
      for (const one of counted) one.used += amountIn(one, tokensIn(one, calls), isRequest ? 1n : 0n);
    }
    for (const { holds } of this.budgets) for (const [id, { by }] of [...holds]) if (by === asked) holds.delete(id);
    process.asked.delete(asked);
    await process.gate.settle(exchange);
  }

  /** All that is known and held while requests are under way. */
  async look(about: string): Promise<void> {
    if (!this.isExact) return;
    await this.tend();
    expect(await this.seen(), about).toEqual(this.expected());
    this.checkAlerts();
  }

  /** All that is under way is over, told and kept. */
  async calm(): Promise<void> {
    for (const { asked } of [...this.processes, ...this.ending])
      for (const one of [...asked]) {
        await this.settle(one, 7);
        await this.quiet();
      }
    await this.well();
    for (const one of [...this.ending]) await this.end(one);
    await this.well();
    if (!this.isExact) await this.wait(holdFor);
  }
}

const firstOf = (attempts: readonly Attempt[], last: Attempt): number => {
  let at = attempts.indexOf(last);
  while (attempts[at]?.target.retry) at--;
  return at;
};

function callsFrom(attempts: readonly Attempt[], first: number): Attempt[] {
  const calls = [attempts[first] as Attempt];
  for (let at = first + 1; attempts[at]?.target.retry; at++) calls.push(attempts[at] as Attempt);
  return calls;
}
