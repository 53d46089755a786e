import { describe, expect, it } from "vitest";
import { CountersError, type CountersService, type Exchange, MemoryCounters, SureCounters } from "../../core/index.ts";
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
async function foretold(time: string, sliding: boolean, away?: "local" | "deny", more: More = {}) {
  const clock = { now: at("10:00:50") };
  const { limit = 4n, shared = "process", serving = true } = more;
  const asked = { ...rule, limit };
  const counters = Object.assign(new MemoryCounters({ now: () => clock.now }), { shared });
  const hold = { id: "x", until: clock.now + 1000 };
  const taking = { now: clock.now, sliding, expected: 0n, hold };
  for (let i = 0; i < 4; i++) counters.claim("", [claimOf(placed(asked, clock.now), taking)]);
  clock.now = at(time);
  const exchange = { attempts: [] } as unknown as Exchange;
  if (away) {
    counters.claim = () => Promise.reject(new CountersError("away")) as never;
  }
  const sure = new SureCounters({ counters, onStoreError: away ?? "local", log: silentLogger });
  const refusal = await foresee(exchange, [asked], { counters: sure, sliding, serving: () => serving }).catch(
    (error: Error) => error,
  );
  const notes = exchange.routeNotes?.map(({ message }) => message);
  return { notes, refusal, known: exchange.routeNotes?.map(({ known = true }) => known) };
}

interface More {
  readonly limit?: bigint;
  readonly shared?: CountersService["shared"];
  /** Whether the process that is asked is the gateway that counts. */
  readonly serving?: boolean;
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
      known: [true],
    });
    expect((await foretold("10:00:55", false, "deny")).refusal).toMatchObject({ code: "limit_store_unavailable" });
  });

  it.each(["process", "machine"] as const)(
    "knows nothing of what is counted in the memory of a gateway that is another process, of a %s",
    async (shared) => {
      expect(await foretold("10:00:55", false, undefined, { shared, serving: false })).toEqual({
        notes: told(
          "what is counted is not known here: it is in the memory of the gateway that runs; counters of a whole deployment would tell",
        ),
        refusal: undefined,
        known: [false],
      });
    },
  );

  it("knows what all processes count together", async () => {
    const looking = { shared: "deployment", serving: false } as const;
    expect(await foretold("10:00:55", false, undefined, looking)).toMatchObject({
      notes: told("4 counted, would be refused"),
      known: [true],
    });
    expect(await foretold("10:00:55", false, "local", looking)).toEqual({
      notes: told("what is counted is not known here: the store of the counters cannot be asked"),
      refusal: undefined,
      known: [false],
    });
  });

  it.each([false, true])("refuses what is never let through, whatever is counted (sliding: %s)", async (sliding) => {
    const { notes, refusal } = await foretold("10:00:55", sliding, undefined, { limit: 0n, serving: false });
    expect(notes).toEqual(["rate limit of api_key K1 (0 requests per minute): whatever is counted, would be refused"]);
    expect(refusal).toMatchObject({ code: "rate_limited" });
  });
});
