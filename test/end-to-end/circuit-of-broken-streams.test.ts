import { expect, it } from "vitest";
import { dyingLater, startTwoVendors, well } from "../support/two-vendors.ts";

it("opens a circuit whose raw answers break off, and records them so", async () => {
  const { send, asked, lines } = await startTwoVendors({ alpha: well("alpha"), beta: dyingLater });
  const config = {
    strategy: { mode: "fallback", cb_config: { failure_threshold: 1, cooldown_interval: 30_000 } },
    targets: [{ provider: "@raw" }, { provider: "@alpha" }],
  };
  await expect(send(config, { stream: true })).rejects.toThrow();
  await expect.poll(lines).toMatchObject([{ ending: "truncated", calls: [{ status: 500, code: "upstream_failed" }] }]);
  expect((await send(config, { stream: true })).text).toContain("from alpha");
  expect(asked.map(({ name }) => name)).toEqual(["beta", "alpha"]);
});

it("opens a circuit whose streams die, although they begin well", async () => {
  const { send, asked } = await startTwoVendors({ alpha: dyingLater, beta: well("beta") });
  const config = {
    strategy: { mode: "fallback", cb_config: { failure_threshold: 2, cooldown_interval: 30_000 } },
    targets: [{ provider: "@alpha" }, { provider: "@beta" }],
  };
  for (let time = 0; time < 2; time++) {
    const { text } = await send(config, { stream: true });
    expect(text).toMatch(/half a.*error/s);
    expect(text).not.toContain("[DONE]");
  }
  await expect.poll(async () => (await send(config, { stream: true })).text).toContain("from beta");
  expect(asked.at(-1)?.name).toBe("beta");
});
