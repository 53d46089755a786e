import fc from "fast-check";
import { it } from "vitest";
import { chance } from "../support/chance.ts";
import { conditionsTo } from "./conditions.ts";
import { RoutingDeployment } from "./deployment.ts";
import { expectAsked, expectExplained } from "./expectations.ts";
import { requests, slugs, some, type Tree, written } from "./trees.ts";
import { WalkModel } from "./walk-model.ts";

const named = fc.constantFrom(...slugs);

/** One target for each way it may go, and a condition that holds of everything now and then at the end. */
const choices: fc.Arbitrary<Tree> = fc
  .record({ conditions: conditionsTo(named, 5), default: some(named, 9) })
  .map((strategy) =>
    written({
      strategy: { mode: "conditional", ...strategy },
      targets: slugs.map((slug) => ({ name: slug, provider: `@${slug}`, override_params: { model: "m" } })),
    }),
  );

/** Fields that say the same in different words, or what can be compared with nothing. */
const odd = fc.record({
  n: some(fc.constantFrom<unknown>(1, "12", "12 or so", ["x"], { n: 1 }, null, "")),
  user: some(fc.constantFrom<unknown>("u1", "gold", 12)),
});

const scenarios = fc.record({ tree: choices, request: requests, more: odd });

it("the first condition that holds of a request decides, whatever is asked in it", async () => {
  const deployment = await RoutingDeployment.start();
  await fc.assert(
    fc.asyncProperty(scenarios, async ({ tree, request, more }) => {
      const asked = { ...request, body: written({ ...request.body, ...more }) };
      const text = JSON.stringify(tree);
      deployment.vendors.follow([{ kind: "well" }]);
      const predict = () => new WalkModel(asked, 0, () => ({ kind: "well" })).predict(tree);
      await expectAsked(deployment, asked, text, predict());
      await expectExplained(deployment, asked, text, predict);
    }),
    chance(80),
  );
});
