import { describe, expect, it } from "vitest";
import { eventually } from "../support/calm.ts";
import { dyingLater, failing, silent, startTwoVendors, type Vendor, well } from "../support/two-vendors.ts";
import { json } from "../support/upstream.ts";

const hour = 3_600_000;

/** One vendor, whose answer goes by the model it is asked for. */
const byModel =
  (models: Record<string, Vendor>): Vendor =>
  (arrived) =>
    models[arrived.model]?.(arrived);

const refusing: Vendor = ({ response }) => json(response, 400, { error: { message: "No." } });

const leaf = (model: string, more: object = {}) => ({ provider: "@alpha", override_params: { model }, ...more });

const hedge = (delay: number, ...targets: object[]) => ({ strategy: { mode: "hedge", delay }, targets });

const fallback = (...targets: object[]) => ({ strategy: { mode: "fallback", on_status_codes: [503] }, targets });

const anyFallback = (...targets: object[]) => ({ strategy: { mode: "fallback" }, targets });

describe.each([
  ["whole", false],
  ["streamed", true],
])("a hedge of groups, %s", (_, stream) => {
  async function sent(config: object, models: Record<string, Vendor>) {
    const vendor = byModel(models);
    const { send, asked } = await startTwoVendors({ alpha: vendor, beta: vendor });
    const answered = await send(config, { stream });
    return { ...answered, models: asked.map(({ model }) => model) };
  }

  const inner: [string, object][] = [
    ["a fallback", fallback(leaf("bad"), leaf("good"))],
    ["a fallback in another", fallback(fallback(leaf("bad"), leaf("bad")), leaf("good"))],
    ["a race in a fallback", fallback(hedge(hour, leaf("bad"), leaf("bad")), leaf("good"))],
    ["a race", hedge(hour, leaf("bad"), leaf("good"))],
  ];

  it.each(inner)("goes on inside %s, whatever the other one says", async (_, group) => {
    const config = hedge(0, group, leaf("other"));
    const answered = await sent(config, { bad: failing, good: well("good"), other: refusing });
    expect(answered).toMatchObject({ status: 200 });
    expect(answered.text).toContain("from good");
  });

  it.each(inner)("goes on inside %s while the other one is under way", async (_, group) => {
    const config = hedge(0, group, leaf("other"));
    const answered = await sent(config, { bad: failing, good: well("good"), other: silent });
    expect(answered).toMatchObject({ status: 200 });
    expect(answered.text).toContain("from good");
  });

  it("does not ask the other one while a group goes on in time", async () => {
    const config = hedge(hour, fallback(leaf("bad"), leaf("good")), leaf("other"));
    const answered = await sent(config, { bad: failing, good: well("good"), other: silent });
    expect(answered).toMatchObject({ status: 200, models: ["bad", "good"] });
  });

  it("keeps the retries of each target, and says those of who answered", async () => {
    let calls = 0;
    const second: Vendor = (arrived) => (calls++ === 0 ? failing(arrived) : well("patient")(arrived));
    const patient = leaf("patient", { retry: { attempts: 1 } });
    const answered = await sent(hedge(hour, patient, leaf("other")), { patient: second, other: silent });
    expect(answered).toMatchObject({ status: 200, retries: "1", models: ["patient", "other", "patient"] });
    expect(answered.text).toContain("from patient");
  });

  it("asks the next one when a target is to be asked again, and when one fails, though another is under way", async () => {
    const config = hedge(hour, leaf("slow", { retry: { attempts: 1 } }), leaf("bad"), leaf("silent"), leaf("good"));
    let calls = 0;
    const slow: Vendor = (arrived) => (calls++ === 0 ? failing(arrived) : silent(arrived));
    const answered = await sent(config, { slow, bad: failing, silent: failing, good: well("good") });
    expect(answered).toMatchObject({ status: 200 });
    expect(answered.text).toContain("from good");
  });
});

describe("a stream that won and breaks off", () => {
  const restart = { stream_resume: "restart" };

  it.each<[string, object, string[]]>([
    [
      "goes to what comes after the race before those it has given up",
      anyFallback(hedge(5, leaf("silent"), leaf("dying")), leaf("good")),
      ["silent", "dying", "good"],
    ],
    [
      "goes on within its group when nobody else is left",
      hedge(hour, anyFallback(leaf("dying"), leaf("good")), leaf("bad")),
      ["dying", "bad", "dying", "dying", "good"],
    ],
    [
      "is replaced where it won in a race within",
      hedge(hour, hedge(5, leaf("silent"), leaf("dying")), leaf("good")),
      ["silent", "dying", "good"],
    ],
  ])("%s", async (_, config, models) => {
    const vendor = byModel({ silent, dying: dyingLater, bad: failing, good: well("good") });
    const { send, asked } = await startTwoVendors({ alpha: vendor, beta: vendor });
    const headers = { "x-gateway-resume": "restart" };
    const { text } = await send({ ...restart, ...config }, { stream: true, headers });
    expect(text).toMatch(/half a.*gateway-restart.*from good.*\[DONE\]\n\n$/s);
    expect(asked.map(({ model }) => model)).toEqual(models);
  });

  it.each<[string, object, RegExp]>([
    ["of whom one keeps silent", hedge(20, leaf("dying"), leaf("silent"), leaf("good")), /half a.*restart.*from good/s],
    [
      "of whom the next one breaks off, too",
      hedge(20, leaf("dying"), leaf("dying"), leaf("silent"), leaf("good")),
      /half a.*restart.*half a.*restart.*from good/s,
    ],
    [
      "that were given up or have won before, where nobody else is left",
      hedge(20, leaf("silent"), leaf("once"), leaf("silent")),
      /half a.*restart.*from once/s,
    ],
  ])("is replaced by the first good answer of those %s", async (_, config, wanted) => {
    let calls = 0;
    const once: Vendor = (arrived) => (calls++ === 0 ? dyingLater(arrived) : well("once")(arrived));
    const vendor = byModel({ silent, once, dying: dyingLater, good: well("good") });
    const { send, asked } = await startTwoVendors({ alpha: vendor, beta: vendor });
    const headers = { "x-gateway-resume": "restart" };
    const { text } = await send({ ...restart, ...config }, { stream: true, headers });
    expect(text).toMatch(wanted);
    expect(text.endsWith("data: [DONE]\n\n")).toBe(true);
    await eventually(() => expect(asked.every(({ response }) => response.closed)).toBe(true));
  });
});

describe("a circuit", () => {
  const cb_config = { failure_threshold: 1, cooldown_interval: 30_000 };

  it("opens for the second of a hedge whose stream dies", async () => {
    let calls = 0;
    const slow: Vendor = (arrived) => (calls++ === 0 ? silent(arrived) : well("alpha")(arrived));
    const { send, asked } = await startTwoVendors({ alpha: slow, beta: dyingLater });
    const config = {
      strategy: { mode: "hedge", delay: 5, cb_config },
      targets: [{ provider: "@alpha" }, { provider: "@beta" }],
    };
    expect((await send(config, { stream: true })).text).toMatch(/half a.*"error"/s);
    expect((await send(config, { stream: true })).text).toContain("from alpha");
    expect(asked.map(({ name }) => name)).toEqual(["alpha", "beta", "alpha"]);
  });

  it("opens for a target that fails, though another answers while it waits to be asked again", async () => {
    const vendor = byModel({ bad: failing, good: well("good") });
    const { send, asked } = await startTwoVendors({ alpha: vendor, beta: vendor });
    const config = hedge(hour, leaf("bad", { retry: { attempts: 2 } }), leaf("good"));
    for (let request = 1; request <= 2; request++)
      await send({ ...config, strategy: { ...config.strategy, cb_config } }, { stream: false });
    expect(asked.map(({ model }) => model)).toEqual(["bad", "good", "good"]);
  });

  it("that is open is told of where a race runs in a lane", async () => {
    const vendor = byModel({ bad: failing, good: well("good"), silent });
    const { gateway } = await startTwoVendors({ alpha: vendor, beta: vendor });
    const race = hedge(0, leaf("bad"), leaf("good"), leaf("silent"));
    const inner = { ...race, strategy: { ...race.strategy, cb_config } };
    const told = async (config: object) => {
      const headers = { "content-type": "application/json", "x-gateway-config": JSON.stringify(config) };
      const body = JSON.stringify({ model: "m", messages: [{ role: "user", content: "Hi" }] });
      const answered = await fetch(`${gateway.url}/v1/chat/completions`, { method: "POST", headers, body });
      return answered.headers.get("x-gateway-circuit-open");
    };
    const outer = hedge(0, leaf("silent"), inner);
    await told(outer);
    expect(await told(outer)).not.toBeNull();
  });

  it("opens for a target of a group in a hedge, and the group goes on", async () => {
    const vendor = byModel({ bad: failing, good: well("good"), other: refusing });
    const { send, asked } = await startTwoVendors({ alpha: vendor, beta: vendor });
    const group = fallback(leaf("bad"), leaf("good"));
    const config = hedge(hour, { ...group, strategy: { ...group.strategy, cb_config } }, leaf("other"));
    for (let request = 1; request <= 2; request++)
      expect(await send(config, { stream: false })).toMatchObject({ status: 200 });
    expect(asked.map(({ model }) => model)).toEqual(["bad", "good", "good"]);
  });
});
