import fc from "fast-check";
import { it } from "vitest";
import { chance } from "../support/chance.ts";
import { CacheModel } from "./cache-model.ts";
import { StickyModel } from "./choice-model.ts";
import { RoutingDeployment } from "./deployment.ts";
import { expectAsked, expectExplained } from "./expectations.ts";
import { cached } from "./laid-over.ts";
import { requests, trees, withoutHosts } from "./trees.ts";
import type { Behaviour } from "./vendors.ts";
import { WalkModel } from "./walk-model.ts";

const behaviour = fc.oneof(
  { weight: 6, arbitrary: fc.constant<Behaviour>({ kind: "well" }) },
  fc.constantFrom<Behaviour>(
    { kind: "refuses", status: 503 },
    { kind: "refuses", status: 400 },
    { kind: "cut" },
    { kind: "unfinished" },
  ),
);

const scenarios = fc.record({
  tree: cached(trees),
  request: requests,
  model: fc.constantFrom("m1", "@p2/m3"),
  namespace: fc.boolean(),
  asked: fc.array(
    fc.record({
      script: fc.array(behaviour, { minLength: 1, maxLength: 4 }),
      draw: fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
      after: fc.constantFrom(0, 0, 0, 59_250, 61_250, 200_250),
      refresh: fc.constantFrom(undefined, undefined, undefined, "true", "false"),
      stream: fc.constantFrom(undefined, undefined, true, false),
      isExplained: fc.constantFrom(false, false, true),
    }),
    { minLength: 2, maxLength: 5 },
  ),
});

it("what was answered before is answered again, and callers stay with their targets, as long as it is said to hold", async () => {
  const deployment = await RoutingDeployment.start();
  let run = 0;
  await fc.assert(
    fc.asyncProperty(scenarios, async ({ tree, request, model, namespace, asked }) => {
      run++;
      // Callers stay with targets of a config: another one has others.
      const config = withoutHosts({ ...tree, metadata: { ...tree.metadata, run: `${run}` } });
      const text = JSON.stringify(config);
      const cache = new CacheModel();
      const sticky = new StickyModel();
      for (const { script, draw, after, refresh, stream, isExplained } of asked) {
        deployment.time.pass(after);
        cache.now += after;
        deployment.draw(draw);
        deployment.vendors.follow(script);
        const metadata = { ...JSON.parse(request.headers["x-gateway-metadata"] ?? "{}"), run: `${run}` };
        const one = {
          body: { ...request.body, model, ...(stream !== undefined && { stream }) },
          headers: {
            ...request.headers,
            "x-gateway-metadata": JSON.stringify(metadata),
            ...(namespace && { "x-gateway-cache-namespace": `of ${run}` }),
            ...(refresh && { "x-gateway-cache-force-refresh": refresh }),
          },
        };
        const answer = (call: number) => script[call % script.length] ?? { kind: "well" as const };
        // No cache is asked, and nobody is said to stay anywhere who did not before.
        if (isExplained)
          await expectExplained(deployment, one, text, (how) => {
            const seen = { cache: cache.empty(), sticky: sticky.copy(), judges: false };
            return new WalkModel(one, draw, how, seen).predict(config);
          });
        await expectAsked(deployment, one, text, new WalkModel(one, draw, answer, { cache, sticky }).predict(config));
      }
    }),
    chance(40),
  );
});
