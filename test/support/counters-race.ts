import type { CountersService } from "../../core/index.ts";

/** What every racer does when it is told: claims of one counter, all at once. */
export type RaceOrder =
  /** One unit each; how many were granted is reported. */
  | { readonly race: "units"; readonly key: string; readonly claims: number; readonly limit: string }
  /** Amounts that differ are held, and what is granted is settled with something less. */
  | { readonly race: "money"; readonly key: string; readonly claims: number; readonly limit: string };

/** Amounts as text. `held` is what was granted, `spent` what it was settled with. */
export interface RaceReport {
  readonly granted: number;
  readonly held: string;
  readonly spent: string;
  /** The most that any claim said there was. */
  readonly most: string;
}

const expiresAt = Date.now() + 3_600_000;
const group = "racers";

export async function race(counters: CountersService, order: RaceOrder, racer: string): Promise<RaceReport> {
  const limit = BigInt(order.limit);
  let granted = 0;
  let held = 0n;
  let spent = 0n;
  let most = 0n;
  await Promise.all(
    Array.from({ length: order.claims }, async (_, at) => {
      const id = `${racer}-${at}`;
      const money = order.race === "money";
      const amount = money ? 10n ** 15n + BigInt((at * 7919) % 1000) : 1n;
      const hold = money && { hold: { id, until: expiresAt } };
      const claim = { key: order.key, limit, rule: "within", amount, expiresAt, ...hold } as const;
      const claimed = await counters.claim(group, [claim]);
      const [there = 0n] = claimed.totals;
      if (there > most) most = there;
      if (!claimed.granted) return;
      granted++;
      held += amount;
      if (!money) return;
      const cost = amount / BigInt(1 + (at % 3));
      const settlement = { key: order.key, amount: cost, expiresAt, hold: id };
      // As after a call that was too slow: what was done is not done again.
      for (const _ of [1, 2]) await counters.settle(group, [settlement], id);
      spent += cost;
    }),
  );
  return { granted, held: `${held}`, spent: `${spent}`, most: `${most}` };
}
