import { expect, it, onTestFinished } from "vitest";
import { clock as shared } from "../support/clocked-counters.ts";
import { folderOfFile } from "../support/folder-of-file.ts";
import { type Ask, startLimited, type Vendor } from "../support/limited.ts";
import { supportPlugin, testOrganisation } from "../support/management.ts";
import { json } from "../support/upstream.ts";

const per = (key: string) => ({ conditions: [{ key, value: "*" }], group_by: [{ key }] });
const hard = (key: string, type: string, limit: number) => ({
  ...per(key),
  type,
  credit_limit: limit,
  enforcement: "hard",
});
const rate = (key: string, type: string, value: number) => ({ ...per(key), type, unit: "rpm", value });

interface Limits {
  readonly usageLimits?: Record<string, object>;
  readonly rateLimits?: Record<string, object>;
}

/** A gateway whose counters others share, and what it asks of them. */
async function limited({ usageLimits = {}, rateLimits = {} }: Limits, vendor?: Vendor, rates: object = {}) {
  shared.lasting = true;
  onTestFinished(() => void Object.assign(shared, { lasting: false }));
  const started = await startLimited(
    {
      "records-file": {},
      management: {},
      organisations: {},
      "policy-records": { usageLimits, rateLimits },
      "penny-prices": supportPlugin(folderOfFile(), "penny-prices"),
      "usage-limits": {},
      "rate-limits": rates,
    },
    vendor,
  );
  const { clock } = started;
  clock.now = Date.parse("2082-09-02T10:00Z");
  clock.lose();
  let steps: string[][] = [];
  const keys = new Set<string>();
  clock.slow = async (claims) => {
    for (const { key } of claims) keys.add(key);
    steps.push(claims.map(({ key }) => `${key.split(":")[0]} of ${key.split(":")[2]}`));
  };
  const ask = async (asking: Ask = {}) => {
    steps = [];
    const answered = await started.ask(asking);
    return { ...answered, steps };
  };
  /** Of all counters with that in their names: what was used, and what is held besides. */
  const total = (part: string) => {
    const found = [...keys].filter((key) => key.includes(part) && !key.endsWith("restored"));
    const used = clock.read(testOrganisation, found).reduce((sum, one) => sum + one, 0n);
    return { used, held: found.reduce((sum, key) => sum + clock.held(testOrganisation, key), 0n) };
  };
  /** The first request of a period writes records, and asks for more. */
  const ready = () => ask();
  return { ...started, ask, total, ready };
}

it("budgets and rates of a request are claimed in one step, and those of its target in another", async () => {
  const { ask, ready, total } = await limited({
    usageLimits: { tokens: hard("api_key", "tokens", 1e9), own: hard("virtual_key", "cost", 1e6) },
    rateLimits: {
      requests: rate("api_key", "requests", 100),
      words: rate("api_key", "tokens", 1e9),
      calls: rate("virtual_key", "requests", 100),
    },
  });
  await ready();
  const { status, headers, steps } = await ask({ tokens: 20 });
  expect(status).toBe(200);
  expect(steps).toEqual([
    ["usage of tokens", "rate of requests", "rate of words"],
    ["usage of own", "rate of calls"],
  ]);
  expect(headers["x-gateway-ratelimit-remaining"]).toBe("98");
  await expect.poll(() => total("usage:policy:tokens")).toEqual({ used: 20n, held: 0n });
  expect(total("rate:policy:words")).toEqual({ used: 20n, held: 0n });
  expect(total("rate:policy:requests")).toEqual({ used: 2n, held: 0n });
  expect(total("rate:policy:calls")).toEqual({ used: 2n, held: 0n });
});

it("what a rate refuses takes nothing of a budget, and is refused in the words of the rate", async () => {
  const { ask, ready, total } = await limited({
    usageLimits: { tokens: hard("api_key", "tokens", 1e9) },
    rateLimits: { requests: rate("api_key", "requests", 2) },
  });
  await ready();
  await ask({ tokens: 20 });
  const { status, headers, json } = await ask({ tokens: 20 });
  expect([status, headers["x-gateway-limit-source"]]).toEqual([429, "policy_rate_limit_exceeded"]);
  expect(json().error.details).toMatchObject({ limit: 2 });
  await expect.poll(() => total("usage:policy:tokens")).toEqual({ used: 20n, held: 0n });
  expect(total("rate:policy:requests")).toEqual({ used: 2n, held: 0n });
});

it("what a budget refuses raises no rate", async () => {
  const { ask, ready, total } = await limited({
    usageLimits: { tokens: hard("api_key", "tokens", 1000) },
    rateLimits: { requests: rate("api_key", "requests", 100), words: rate("api_key", "tokens", 1e9) },
  });
  await ready();
  const { status, steps } = await ask({ body: { max_tokens: 5000 } });
  expect(status).toBe(412);
  expect(steps).toEqual([["usage of tokens", "rate of requests", "rate of words"]]);
  expect(total("rate:policy:requests")).toEqual({ used: 1n, held: 0n });
  expect(total("rate:policy:words")).toEqual({ used: 0n, held: 0n });
});

it("rates of a target that failed are let go before the next one is asked", async () => {
  const vendor: Vendor = ({ model }, response) => {
    if (model === "broken") json(response, 503, { error: { message: "No.", type: "t" } });
    return model === "broken";
  };
  const { ask, ready, total } = await limited(
    {
      usageLimits: { own: hard("virtual_key", "tokens", 1e9) },
      rateLimits: { words: rate("virtual_key", "tokens", 1e9), calls: rate("virtual_key", "requests", 100) },
    },
    vendor,
  );
  await ready();
  const { status, steps } = await ask({
    tokens: 20,
    config: {
      strategy: { mode: "fallback" },
      targets: [{ provider: "@main-oai", override_params: { model: "broken" } }, { provider: "@spare-oai" }],
    },
  });
  expect(status).toBe(200);
  expect(steps.filter((claims) => claims.includes("rate of calls"))).toEqual([
    ["usage of own", "rate of words", "rate of calls"],
    ["usage of own", "rate of words", "rate of calls"],
  ]);
  await expect.poll(() => total("rate:policy:words:virtual_key:spare-oai")).toEqual({ used: 20n, held: 0n });
  expect(total("rate:policy:words:virtual_key:main-oai")).toEqual({ used: 0n, held: 0n });
  expect(total("usage:policy:own:virtual_key:main-oai")).toEqual({ used: 0n, held: 0n });
  expect(total("rate:policy:calls:virtual_key:main-oai")).toEqual({ used: 2n, held: 0n });
});

it("rates that are taken along are given back where a budget turns out to be lost, and claimed again", async () => {
  const { ask, ready, total, clock } = await limited({
    usageLimits: { tokens: hard("api_key", "tokens", 100_000) },
    rateLimits: { requests: rate("api_key", "requests", 100), words: rate("api_key", "tokens", 1e9) },
  });
  await ready();
  expect((await ask({ tokens: 90_000 })).status).toBe(200);
  await expect.poll(() => total("usage:policy:tokens").used).toBe(90_000n);
  clock.lose();
  clock.slow = () => Promise.resolve();
  const refused = await ask({ body: { max_tokens: 50_000 } });
  expect(refused.status).toBe(412);
  expect(total("rate:policy:requests")).toEqual({ used: 0n, held: 0n });
  expect(total("rate:policy:words")).toEqual({ used: 0n, held: 0n });
  expect((await ask({ tokens: 20 })).status).toBe(200);
  await expect.poll(() => total("usage:policy:tokens")).toEqual({ used: 90_020n, held: 0n });
  expect(total("rate:policy:requests")).toEqual({ used: 1n, held: 0n });
  expect(total("rate:policy:words")).toEqual({ used: 20n, held: 0n });
});

it("rates that are switched off are not taken along", async () => {
  const { ask, ready } = await limited(
    {
      usageLimits: { tokens: hard("api_key", "tokens", 1e9) },
      rateLimits: { requests: rate("api_key", "requests", 1) },
    },
    undefined,
    { enabled: false },
  );
  await ready();
  const { status, steps } = await ask();
  expect([status, steps]).toEqual([200, [["usage of tokens"]]]);
});
