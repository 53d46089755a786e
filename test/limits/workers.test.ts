import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openDeployment } from "../support/fleet.ts";
import { spawnGateway } from "../support/gateway-process.ts";

const of = (race: string, more: object) => ({
  conditions: [{ key: "metadata.race", value: race }],
  group_by: [{ key: "metadata.race" }],
  ...more,
});
const usageLimits = {
  soft: of("soft", { type: "tokens", credit_limit: 1_000_000 }),
  hard: of("hard", { type: "requests", credit_limit: 30, enforcement: "hard" }),
};
const tokens = 100;

describe("workers of one machine", () => {
  let deployment: Awaited<ReturnType<typeof openDeployment>>;
  beforeAll(async () => {
    const usage = { flushInterval: 100, syncInterval: 100 };
    deployment = await openDeployment({ workers: 2, usageLimits, usage, timeout: 5_000 });
  });
  afterAll(() => deployment?.close());

  it("count together, over a reload too: nothing is lost, and nothing counted twice", async () => {
    const gateway = spawnGateway(deployment.file, {}, ["--port", "0"]);
    const url = await gateway.url();
    let answered = 0;
    let loading = true;
    const lane = async () => {
      while (loading) if ((await deployment.ask(url, { race: "soft" })).status === 200) answered++;
    };
    const lanes = Array.from({ length: 8 }, lane);
    for (const _ of ["once", "twice"]) {
      const mark = gateway.output.length;
      gateway.kill("SIGHUP");
      await gateway.printed(/config reloaded/, mark);
      const before = answered;
      await expect.poll(() => answered, { timeout: 20_000 }).toBeGreaterThan(before + 20);
    }
    loading = false;
    await Promise.all(lanes);
    const kept = async () => Number((await deployment.records()).soft?.total);
    await expect.poll(kept, { timeout: 20_000 }).toBe(answered * tokens);
    const heard = await Promise.all(Array.from({ length: 60 }, () => deployment.ask(url, { race: "hard" })));
    expect(heard.filter(({ status }) => status === 200)).toHaveLength(30);
  }, 60_000);
});
