import fc from "fast-check";
import { it } from "vitest";
import { chance } from "../support/chance.ts";
import { LatencyModel } from "./balance-model.ts";
import { BreakerModel } from "./breaker-model.ts";
import { CacheModel } from "./cache-model.ts";
import { StickyModel } from "./choice-model.ts";
import { RoutingDeployment } from "./deployment.ts";
import { expectAsked, expectExplained } from "./expectations.ts";
import { balanced } from "./laid-over.ts";
import { requests, type Tree, trees, withoutHosts, written } from "./trees.ts";
import type { Behaviour } from "./vendors.ts";
import { WalkModel } from "./walk-model.ts";

/** Vendors that take as long as they are told, and no longer. */
const behaviour = fc
  .tuple(
    fc.constantFrom<Behaviour>(
      ...[1, 2, 3, 4, 5].map(() => ({ kind: "well" as const })),
      ...[400, 401, 404, 404, 429, 500, 503].map((status) => ({ kind: "refuses" as const, status })),
      { kind: "reset" },
      { kind: "unfinished" },
    ),
    fc.constantFrom(0, 7, 100, 130, 180, 250, 900),
  )
  .map(([one, takes]): Behaviour => ({ ...one, takes }));

/** Two targets or three that are known to each other: what one request shows decides the next. */
const rivals = fc
  .record({
    weights: fc.array(fc.constantFrom(1, 1, 3), { minLength: 2, maxLength: 3 }),
    explore: fc.constantFrom(0, 0, 0.4),
  })
  .map(
    ({ weights, explore }): Tree => ({
      strategy: { mode: "least-latency", explore },
      targets: weights.map((weight, at) => ({ provider: `@p${at}`, weight })),
    }),
  );

const scenarios = fc.record({
  tree: fc.oneof(balanced(trees.filter(({ targets }) => targets !== undefined)), rivals),
  request: requests,
  asked: fc.array(
    fc.record({
      script: fc.array(behaviour, { minLength: 1, maxLength: 3 }),
      draw: fc.oneof(fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }), fc.constantFrom(0.03, 0.5, 0.99)),
      after: fc.constantFrom(0, 0, 0, 0, 0, 0, 1_000, 61_000, 590_000, 601_000),
      who: fc.constantFrom("ann", "bob", "col"),
      n: fc.constantFrom(undefined, 1, 3),
      isExplained: fc.constantFrom(false, false, true),
    }),
    { minLength: 3, maxLength: 14, size: "max" },
  ),
});

it("the cheapest, the fastest, the first or the usual target is asked, and that is foretold", async () => {
  const deployment = await RoutingDeployment.start();
  let run = 0;
  await fc.assert(
    fc.asyncProperty(scenarios, async ({ tree, request, asked }) => {
      const config: Tree = withoutHosts({ ...tree, metadata: { ...tree.metadata, run: `${run++}` } });
      const text = JSON.stringify(config);
      const known = {
        breaker: new BreakerModel(),
        cache: new CacheModel(),
        sticky: new StickyModel(),
        latency: new LatencyModel(),
      };
      for (const { script, draw, after, who, n, isExplained } of asked) {
        deployment.time.pass(after);
        known.cache.now += after;
        deployment.draw(draw);
        deployment.vendors.follow(script);
        const metadata = { ...JSON.parse(request.headers["x-gateway-metadata"] ?? "{}"), who };
        const one = {
          body: written({ ...request.body, n }),
          headers: { ...request.headers, "x-gateway-metadata": JSON.stringify(metadata) },
        };
        if (isExplained)
          await expectExplained(deployment, one, text, (how) => {
            const { cache, sticky, latency } = known;
            const seen = { cache: cache.empty(), sticky: sticky.copy(), latency: latency.copy(), judges: false };
            return new WalkModel(one, draw, how, seen).predict(config);
          });
        const answer = (call: number) => script[call % script.length] ?? { kind: "well" as const };
        await expectAsked(deployment, one, text, new WalkModel(one, draw, answer, known).predict(config));
      }
    }),
    chance(20),
  );
});
