import { describe, expect, it } from "vitest";
import { refusalOf, startRouting } from "../testing.ts";

const leaf = { provider: "@a", name: "x" };
const many = (count: number, target: unknown = leaf) => Array.from({ length: count }, () => target);
const group = (mode: string, targets: unknown[]) => ({ strategy: { mode }, targets });
const nested = (depth: number): unknown => (depth === 0 ? leaf : { targets: [nested(depth - 1)] });

describe("the size of a config", () => {
  it.each<[string, unknown, Record<string, number>, string | undefined]>([
    ["100 root targets", group("fallback", many(100)), {}, undefined],
    ["101 root targets", group("fallback", many(101)), {}, "101 targets at the root; at most 100"],
    ["101 root targets, limit raised", group("fallback", many(101)), { maxRootTargets: 200 }, undefined],
    ["1,000 conditional targets", group("conditional", many(1_000)), {}, undefined],
    [
      "1,001 conditional targets",
      group("conditional", many(1_001)),
      {},
      "1001 targets at the root; at most 1000 are allowed (MAX_CONDITIONAL_ROOT_CONFIG_TARGETS)",
    ],
    ["50 nodes below one", { targets: [{ targets: many(50) }] }, {}, undefined],
    ["51 nodes below one", { targets: [{ targets: many(51) }] }, {}, "51 targets below it; at most 50"],
    [
      "51 nodes below one, at two depths",
      { targets: [{ targets: [...many(49), { targets: [leaf] }] }] },
      {},
      "MAX_NESTED_CONFIG_TARGETS",
    ],
    ["10 deep", nested(10), {}, undefined],
    ["11 deep", nested(11), {}, "more than 10 targets deep"],
  ])("%s", async (_, config, options, refused) => {
    const asked = (await startRouting({ options })).select({ config });
    if (refused === undefined) await expect(asked).resolves.toBeDefined();
    else expect(await refusalOf(asked)).toMatchObject({ status: 400, message: expect.stringContaining(refused) });
  });

  it("is limited for configs of the file too", async () => {
    const options = { configs: { big: { targets: many(3) } }, maxRootTargets: 2 };
    await expect(startRouting({ options })).rejects.toThrow("configs.big.targets: has 3 targets at the root");
  });
});
