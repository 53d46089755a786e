import { describe, expect, it } from "vitest";
import { createHooks, type Settling, wantedBy } from "../hooks.ts";
import type { Exchange } from "../model/exchange.ts";
import type { ExchangeState } from "./exchange-state.ts";
import type { Road } from "./road.ts";
import { settle } from "./settle.ts";

/** An exchange of one attempt, and how often its usage was read when it was settled for these taps. */
function readFor(...taps: readonly Settling[]) {
  const hooks = createHooks();
  const rung: number[] = [];
  for (const [at, tap] of taps.entries()) hooks.cost.tap({ name: `${at}`, ...tap }, () => void rung.push(at));
  const road = {
    hooks,
    wants: { cost: wantedBy(hooks.cost) },
    readsUsage: wantedBy(hooks.cost, ({ withoutUsage }) => !withoutUsage),
  };
  let reads = 0;
  const attempt = { readUsage: () => void reads++ };
  settle(road as unknown as Road, { attempts: [attempt], attempt } as unknown as ExchangeState);
  return { reads, rung };
}

const isRetried = ({ attempts }: Exchange) => attempts.length > 1;

describe("what an exchange used", () => {
  it.each<[string, readonly Settling[], number]>([
    ["is read for a tap", [{}], 1],
    ["is read once for all of them", [{}, {}, { withoutUsage: true }], 1],
    ["is not read where nobody settles", [], 0],
    ["is not read for who makes do without", [{ withoutUsage: true }, { withoutUsage: true }], 0],
    ["is not read for who does not want to see the exchange", [{ when: isRetried }, { withoutUsage: true }], 0],
  ])("%s", (_, taps, reads) => expect(readFor(...taps).reads).toBe(reads));

  it("keeps no tap from being asked", () => {
    expect(readFor({ withoutUsage: true }, {}).rung).toEqual([0, 1]);
  });
});

it("tells an attempt that wants to know once everything is counted", async () => {
  const hooks = createHooks();
  const told: string[] = [];
  hooks.cost.tapPromise("counts", async () => void told.push("counted"));
  const road = { hooks, wants: { cost: wantedBy(hooks.cost) }, readsUsage: () => false };
  const attempt = { settled: async () => void told.push("settled") };
  await settle(road as unknown as Road, { attempts: [attempt], attempt } as unknown as ExchangeState);
  expect(told).toEqual(["counted", "settled"]);
});
