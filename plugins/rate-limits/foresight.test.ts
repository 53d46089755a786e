import { describe, expect, it } from "vitest";
import { CountersError, type Exchange, MemoryCounters, SureCounters } from "../../core/index.ts";
import { silentLogger } from "../../core/log.ts";
import { claimOf, placed } from "./claims.ts";
import { foresee } from "./foresight.ts";
import type { RateRule } from "./rules.ts";
import { at } from "./testing.ts";

const rule: RateRule = {
  base: "rate:api_key:K1:requests:rpm",
  type: "requests",
  unit: "rpm",
  limit: 4n,
  level: "api_key",
  subject: "K1",
  onStoreError: undefined,
};

/** Four requests were let in at 10:00:50; what is said of one at another time. */
async function foretold(time: string, sliding: boolean, away?: "local" | "deny") {
  const clock = { now: at("10:00:50") };
  const counters = new MemoryCounters({ now: () => clock.now });
  const hold = { id: "x", until: clock.now + 1000 };
  const taking = { now: clock.now, sliding, expected: 0n, hold };
  for (let i = 0; i < 4; i++) counters.claim("", [claimOf(placed(rule, clock.now), taking)]);
  clock.now = at(time);
  const exchange = { attempts: [] } as unknown as Exchange;
  if (away) {
    counters.claim = () => Promise.reject(new CountersError("away")) as never;
  }
  const sure = new SureCounters({ counters, onStoreError: away ?? "local", log: silentLogger });
  const refusal = await foresee(exchange, [rule], sure, sliding).catch((error: Error) => error);
  return { notes: exchange.routeNotes?.map(({ message }) => message), refusal };
}

const told = (rest: string) => [`rate limit of api_key K1 (4 requests per minute): ${rest}`];

describe("explain", () => {
  it.each([
    ["10:00:55", false, "4 counted, would be refused", true],
    ["10:01:00", false, "0 counted, lets it through", false],
    ["10:00:55", true, "4 counted, would be refused", true],
    ["10:01:00", true, "4 counted, would be refused", true],
    ["10:01:30", true, "2 counted, lets it through", false],
  ] as const)("at %s, sliding %s: %s", async (time, sliding, rest, refused) => {
    const { notes, refusal } = await foretold(time, sliding);
    expect(notes).toEqual(told(rest));
    expect(refusal !== undefined).toBe(refused);
  });

  it("says what is done while the store is away", async () => {
    expect(await foretold("10:00:55", false, "local")).toEqual({
      notes: told("0 counted, lets it through"),
      refusal: undefined,
    });
    expect((await foretold("10:00:55", false, "deny")).refusal).toMatchObject({ code: "limit_store_unavailable" });
  });
});
