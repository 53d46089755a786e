import { describe, expect, it } from "vitest";
import type { ConfigNode, LeafWrapper } from "../../../core/index.ts";
import { startRouting } from "../testing.ts";

/** Starts with a wrapper that remembers the nodes it was put around, in the order they were called. */
async function watching() {
  const nodes: ConfigNode[] = [];
  const wrap: LeafWrapper = (target, node, _walk, inner) => {
    nodes.push(node);
    return inner(target);
  };
  const routing = await startRouting({ wrap });
  return {
    async nodes(config: unknown, headers = {}) {
      nodes.length = 0;
      const { targets } = await routing.ask({ config, statuses: [500], headers });
      return { nodes: nodes.splice(0), targets };
    },
  };
}

const leaf = (more: object = {}) => ({ provider: "@a", ...more });
const group = (targets: unknown[], more: object = {}) => ({ strategy: { mode: "fallback" }, targets, ...more });

describe("what a leaf gets from its ancestors", () => {
  it.each<[string, unknown, object]>([
    [
      "override_params: merged, the deeper key wins",
      group([leaf({ override_params: { user: "leaf" } })], { override_params: { user: "root", seed: 1 } }),
      { override_params: { user: "leaf", seed: 1 } },
    ],
    [
      "override_params: merged shallowly",
      group([leaf({ override_params: { a: { y: 2 } } })], { override_params: { a: { x: 1 } } }),
      { override_params: { a: { y: 2 } } },
    ],
    [
      "default_params: the same",
      group([leaf({ default_params: { max_tokens: 900 } })], { default_params: { max_tokens: 500, n: 1 } }),
      { default_params: { max_tokens: 900, n: 1 } },
    ],
    [
      "drop_params: joined, ancestors first, each once",
      group([leaf({ drop_params: ["b", "a"] })], { drop_params: ["a"] }),
      { drop_params: ["a", "b"] },
    ],
    [
      "metadata: merged",
      group([leaf({ metadata: { b: 2 } })], { metadata: { a: "1", b: "1" } }),
      { metadata: { a: "1", b: "2" } },
    ],
    [
      "retry: the nearest, whole",
      group([leaf({ retry: { attempts: 1 } })], { retry: { attempts: 3, on_status_codes: [500] } }),
      { retry: { attempts: 1 } },
    ],
    ["retry: from far above", group([group([leaf()])], { retry: { attempts: 3 } }), { retry: { attempts: 3 } }],
    [
      "an empty list counts as defined",
      group([leaf({ output_guardrails: [] })], { output_guardrails: ["pg-x"] }),
      { output_guardrails: [] },
    ],
    [
      "strict_open_ai_compliance: the nearest",
      group([leaf({ strict_open_ai_compliance: true })], { strict_open_ai_compliance: false }),
      { strict_open_ai_compliance: true },
    ],
    [
      "forward_headers: the nearest, whole",
      group([leaf({ forward_headers: ["X-B"] })], { forward_headers: ["X-A"] }),
      { forward_headers: [{ from: "x-b", to: "x-b" }] },
    ],
    [
      "custom_host: the nearest",
      group([group([leaf()], { custom_host: "https://near.example/v1" })], {
        custom_host: "https://far.example/v1",
      }),
      { custom_host: "https://near.example/v1" },
    ],
    [
      "cb_config inside a strategy: the group's own field",
      { strategy: { mode: "fallback", cb_config: { cooldown_interval: 30_000 } }, targets: [leaf()] },
      { cb_config: { cooldown_interval: 30_000 } },
    ],
  ])("%s", async (_, config, fields) => {
    const { nodes } = await (await watching()).nodes(config);
    expect(nodes[0]?.fields).toMatchObject(fields);
    for (const [name, value] of Object.entries(fields)) expect(nodes[0]?.fields[name]).toEqual(value);
  });

  it("is never who is called, nor a name, a weight or a list of statuses", async () => {
    const above = { provider: "@b", api_key: "k", acme_project: "p", name: "n", weight: 7, on_status_codes: [500] };
    const config = group([{ override_params: { model: "acme/x" } }, leaf()], above);
    const { nodes } = await (await watching()).nodes(config, { authorization: "Bearer mine" });
    expect(nodes).toHaveLength(2);
    for (const { fields, name, weight } of nodes) {
      expect(Object.keys(fields)).not.toContain("api_key");
      expect(Object.keys(fields)).not.toContain("on_status_codes");
      expect(fields.provider).not.toBe("@b");
      expect({ name, weight }).toEqual({ name: undefined, weight: 1 });
    }
  });
});

describe("consequences", () => {
  it("every target has retries of its own", async () => {
    const { nodes } = await (await watching()).nodes(group([leaf(), leaf()], { retry: { attempts: 3 } }));
    expect(nodes.map(({ path, fields }) => [path, fields.retry])).toEqual([
      ["config.targets[0]", { attempts: 3 }],
      ["config.targets[1]", { attempts: 3 }],
    ]);
  });

  it.each<[string, (milliseconds: number) => object]>([
    ["", (milliseconds) => ({ request_timeout: milliseconds })],
    [", by whichever name", (milliseconds) => ({ timeouts: { total: milliseconds } })],
  ])("the nearest timeout counts%s", async (_, named) => {
    const config = group(
      [group([leaf({ request_timeout: 10_000 }), leaf()], named(5_000)), leaf(named(9_000)), leaf()],
      {
        request_timeout: 2_000,
      },
    );
    const { targets } = await (await watching()).nodes(config);
    expect(targets.map(({ path, clocks }) => [path, clocks?.total])).toEqual([
      ["config.targets[0].targets[0]", 10_000],
      ["config.targets[0].targets[1]", 5_000],
      ["config.targets[1]", 9_000],
      ["config.targets[2]", 2_000],
    ]);
  });

  it("the metadata of a node is there while it is tried, below that of the request", async () => {
    const seen: unknown[] = [];
    const routing = await startRouting({
      wrap: (target, _node, { exchange }, inner) => {
        seen.push(exchange.metadata);
        return inner(target);
      },
    });
    const config = group([leaf({ metadata: { tier: "leaf", own: 1 } }), leaf()], {
      metadata: { tier: "root", x: "root" },
    });
    await routing.ask({ config, metadata: { x: "request" }, statuses: [500] });
    expect(seen).toEqual([
      { tier: "leaf", own: "1", x: "request" },
      { tier: "root", x: "request" },
    ]);
  });

  it("what a sibling has added to the metadata is gone where a group without any chooses", async () => {
    const routing = await startRouting();
    const chooses = { strategy: { mode: "conditional", default: "own" }, targets: [] as unknown[] };
    chooses.targets = [leaf({ name: "own" }), leaf({ name: "sibling" })];
    const config = group([leaf({ metadata: { pick: "sibling" } }), chooses]);
    const { targets } = await routing.ask({ config, statuses: [500] });
    expect(targets.map(({ path }) => path)).toEqual(["config.targets[0]", "config.targets[1].targets[0]"]);
  });

  it("the model in a provider of a group is nobody's", async () => {
    const { targets } = await (await watching()).nodes(
      group([leaf(), leaf({ provider: "@b/own" })], { provider: "@b/above" }),
    );
    expect(targets.map(({ model }) => model)).toEqual([undefined, "own"]);
  });

  it("a wrapper is around every leaf, and around none that is refused", async () => {
    const { nodes, targets } = await (await watching()).nodes(group([leaf({ provider: "@none" }), leaf()]));
    expect(nodes.map(({ path }) => path)).toEqual(["config.targets[1]"]);
    expect(targets.map(({ refusal }) => refusal?.status)).toEqual([400, undefined]);
  });
});
