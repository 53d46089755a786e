import fc from "fast-check";
import { it } from "vitest";
import { chance } from "../support/chance.ts";
import { BreakerModel } from "./breaker-model.ts";
import { CacheModel } from "./cache-model.ts";
import { StickyModel } from "./choice-model.ts";
import { RoutingDeployment } from "./deployment.ts";
import { expectAsked, expectExplained } from "./expectations.ts";
import { trippable } from "./laid-over.ts";
import { inCamelCase, requests, trees, withoutHosts } from "./trees.ts";
import { type Behaviour, failings } from "./vendors.ts";
import { WalkModel } from "./walk-model.ts";

const behaviour = fc.oneof(
  { weight: 3, arbitrary: fc.constant<Behaviour>({ kind: "well" }) },
  {
    weight: 6,
    arbitrary: fc.constantFrom<Behaviour>(
      ...[400, 404, 429, 500, 502, 503, 529].map((status) => ({ kind: "refuses" as const, status })),
      ...["2", "20", "50", "60"].map((seconds) => ({
        kind: "refuses" as const,
        status: 429,
        headers: { "retry-after": seconds },
      })),
      { kind: "refuses", status: 429, headers: { "retry-after-ms": "300", "retry-after": "9" } },
      { kind: "refuses", status: 503, headers: { "retry-after": "7" } },
      { kind: "refuses", status: 400, code: "context_length_exceeded" },
    ),
  },
  {
    weight: 3,
    arbitrary: fc.constantFrom(...failings),
  },
);

const scenarios = fc.record({
  tree: trees,
  spelling: fc.constantFrom("snake", "camel"),
  draw: fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
  asked: fc.array(fc.record({ request: requests, script: fc.array(behaviour, { minLength: 1, maxLength: 8 }) }), {
    minLength: 1,
    maxLength: 2,
  }),
});

it("a config in a header sends every request where the specification says, and tells so", async () => {
  const deployment = await RoutingDeployment.start();
  let run = 0;
  await fc.assert(
    fc.asyncProperty(scenarios, async ({ tree, spelling, draw, asked }) => {
      // Callers stay with targets of a config, and circuits are those of one: another one has others.
      const config = withoutHosts({ ...tree, allow_subdomain: `${run++}` });
      deployment.draw(draw);
      const text = JSON.stringify(spelling === "camel" ? inCamelCase(config) : config);
      for (const { request, script } of asked) {
        const answer = (call: number) => script[call % script.length] ?? { kind: "well" as const };
        deployment.vendors.follow(script);
        await expectAsked(deployment, request, text, new WalkModel(request, draw, answer).predict(config));
        await expectExplained(deployment, request, text, (how) =>
          new WalkModel(request, draw, how, { judges: false }).predict(config),
        );
      }
    }),
    chance(50),
  );
});

/** Vendors that answer at once, so that it is known to the millisecond when a circuit opens. */
const prompt = behaviour.filter(({ kind }) => kind !== "silent" && kind !== "stalled");

const sequences = fc.record({
  tree: trippable(trees),
  draw: fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
  request: requests,
  asked: fc.array(
    fc.record({
      script: fc.array(prompt, { minLength: 1, maxLength: 5 }),
      after: fc.constantFrom(0, 0, 0, 5_000, 29_999, 30_000, 70_000),
      isExplained: fc.boolean(),
    }),
    { minLength: 3, maxLength: 8 },
  ),
});

it("targets whose circuits are open are left out, and only they, however requests follow each other", async () => {
  const deployment = await RoutingDeployment.start();
  let run = 0;
  await fc.assert(
    fc.asyncProperty(sequences, async ({ tree, draw, request, asked }) => {
      const config = withoutHosts({ ...tree, allow_subdomain: `${run++}` });
      deployment.draw(draw);
      const text = JSON.stringify(config);
      const breaker = new BreakerModel();
      const cache = new CacheModel();
      const sticky = new StickyModel();
      for (const { script, after, isExplained } of asked) {
        deployment.time.pass(after);
        breaker.now += after;
        cache.now += after;
        const answer = (call: number) => script[call % script.length] ?? { kind: "well" as const };
        deployment.vendors.follow(script);
        // Nobody is called, so that nothing is learnt.
        if (isExplained)
          await expectExplained(deployment, request, text, (how) => {
            const seen = { breaker: breaker.copy(), cache: cache.empty(), sticky: sticky.copy(), judges: false };
            return new WalkModel(request, draw, how, seen).predict(config);
          });
        const model = new WalkModel(request, draw, answer, { breaker, cache, sticky });
        await expectAsked(deployment, request, text, model.predict(config));
      }
    }),
    chance(25),
  );
});
