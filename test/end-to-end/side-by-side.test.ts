import { describe, expect, it, vi } from "vitest";
import { eventually } from "../support/calm.ts";
import { chunk, failing, silent, startTwoVendors, type Vendor, well } from "../support/two-vendors.ts";
import { json } from "../support/upstream.ts";

const hour = 3_600_000;
const patient = { attempts: 1, use_retry_after_headers: true };

const busy: Vendor = ({ response }) => json(response, 429, { error: { message: "No." } }, { "retry-after-ms": "1" });
const unknown: Vendor = ({ response }) => json(response, 404, { error: { message: "No." } });

describe.each([
  ["whole", false],
  ["streamed", true],
])("a hedge, %s", (_, stream) => {
  it("takes the second answer where the first is slow, and gives the first call up", async () => {
    const { ask, asked, lines } = await startTwoVendors({ alpha: silent, beta: well("beta") });
    const answered = await ask({ mode: "hedge", delay: 5 }, { stream });
    expect(answered).toMatchObject({ status: 200, used: "config.targets[1]" });
    expect(answered.text).toContain("from beta");
    await eventually(() => expect(asked.find(({ name }) => name === "alpha")?.response.closed).toBe(true));
    await eventually(() =>
      expect(lines()).toMatchObject([{ ending: "complete", provider: "beta", attempts: 2, calls: { length: 2 } }]),
    );
  });

  it.each([
    ["", hour],
    [", longer than a timer runs", 1e12],
  ])("never asks the second where the first is in time%s", async (_, delay) => {
    const { ask, asked } = await startTwoVendors({ alpha: well("alpha"), beta: silent });
    expect(await ask({ mode: "hedge", delay }, { stream })).toMatchObject({
      status: 200,
      used: "config.targets[0]",
    });
    expect(asked.map(({ name }) => name)).toEqual(["alpha"]);
  });

  it("does not wait for the delay where the first fails", async () => {
    const { ask } = await startTwoVendors({ alpha: failing, beta: well("beta") });
    const answered = await ask({ mode: "hedge", delay: hour }, { stream });
    expect(answered).toMatchObject({ status: 200, used: "config.targets[1]" });
  });

  it.each<[string, (inner: object) => object, Vendor, string[]]>([
    ["has answered", (inner) => inner, well("beta"), ["alpha", "beta"]],
    ["has failed", (inner) => inner, failing, ["alpha", "beta", "beta two"]],
    [
      "in a group has answered",
      (inner) => ({ strategy: { mode: "fallback" }, targets: [inner, { provider: "@alpha" }] }),
      well("beta"),
      ["alpha", "beta"],
    ],
  ])("asks its second only when a hedge that is its first %s", async (_, first, beta, called) => {
    const { send, asked } = await startTwoVendors({
      alpha: failing,
      beta: (arrived) => (arrived.model === "two" ? well("beta two") : beta)(arrived),
    });
    const race = (...targets: object[]) => ({ strategy: { mode: "hedge", delay: hour }, targets });
    const second = { provider: "@beta", override_params: { model: "two" } };
    const config = race(first(race({ provider: "@alpha" }, { provider: "@beta" })), second);
    expect(await send(config, { stream })).toMatchObject({ status: 200 });
    expect(asked.map(({ name, model }) => (model === "two" ? `${name} two` : name))).toEqual(called);
  });

  it("answers with the last failure where all fail", async () => {
    const { ask, asked } = await startTwoVendors({ alpha: failing, beta: failing });
    expect(await ask({ mode: "hedge", delay: 1 }, { stream })).toMatchObject({ status: 503 });
    expect(asked).toHaveLength(2);
  });

  it.each<[string, Vendor]>([
    ["fails", failing],
    ["dies", ({ response }) => response.destroy()],
  ])("leaves the first out where it %s again and again, whoever answers instead", async (_, vendor) => {
    const { send, asked } = await startTwoVendors({ alpha: vendor, beta: well("beta") });
    const config = {
      strategy: { mode: "hedge", delay: hour, cb_config: { failure_threshold: 2, cooldown_interval: 30_000 } },
      targets: [{ provider: "@alpha" }, { provider: "@beta" }],
    };
    for (let request = 1; request <= 3; request++)
      expect(await send(config, { stream })).toMatchObject({ status: 200 });
    expect(asked.map(({ name }) => name)).toEqual(["alpha", "beta", "alpha", "beta", "beta"]);
  });

  it("does not blame the first for how the second fails", async () => {
    const { send, asked } = await startTwoVendors({
      alpha: ({ response }) => json(response, 404, { error: { message: "No." } }),
      beta: failing,
    });
    const config = {
      strategy: { mode: "hedge", delay: hour, cb_config: { failure_threshold: 1, cooldown_interval: 30_000 } },
      targets: [{ provider: "@alpha" }, { provider: "@beta" }],
    };
    for (let request = 1; request <= 2; request++) await send(config, { stream });
    expect(asked.map(({ name }) => name)).toEqual(["alpha", "beta", "alpha"]);
  });

  it("asks the first again what the first was asked, whoever was asked before", async () => {
    const { send, asked } = await startTwoVendors({ alpha: failing, beta: failing });
    const leaf = (provider: string, model: string) => ({ provider, override_params: { model } });
    const targets = [{ ...leaf("@beta", "two"), retry: { attempts: 1 } }, leaf("@alpha", "three")];
    const race = { strategy: { mode: "hedge", delay: hour }, targets };
    const config = { strategy: { mode: "fallback" }, targets: [leaf("@alpha", "one"), race] };
    expect(await send(config, { stream })).toMatchObject({ status: 503 });
    const calls = asked.map(({ name, model }) => `${name} ${model}`);
    expect(calls).toEqual(["alpha one", "beta two", "alpha three", "beta two"]);
  });

  it.each<[string, Vendor, Vendor, string[]]>([
    ["again where it may be, whatever the second said", busy, unknown, ["alpha", "beta", "alpha"]],
    ["once where it may not, whatever the second said", unknown, busy, ["alpha", "beta"]],
  ])("asks the first %s", async (_, alpha, beta, called) => {
    const { send, asked } = await startTwoVendors({ alpha, beta });
    const targets = [{ provider: "@alpha", retry: patient }, { provider: "@beta" }];
    await send({ strategy: { mode: "hedge", delay: hour }, targets }, { stream });
    // The second does not wait for the first to be asked again, nor the first for the second.
    expect(asked.map(({ name }) => name).sort()).toEqual(called.sort());
  });

  it("tells the retries of the second where that one answers, and asks the first no more", async () => {
    let calls = 0;
    const beta: Vendor = (arrived) => (calls++ === 0 ? busy(arrived) : well("beta")(arrived));
    const later = { "retry-after-ms": "30000" };
    const alpha: Vendor = ({ response }) => json(response, 429, { error: { message: "No." } }, later);
    const { send, asked } = await startTwoVendors({ alpha, beta });
    const config = { retry: patient, strategy: { mode: "hedge", delay: hour } };
    const targets = [{ provider: "@alpha" }, { provider: "@beta" }];
    expect(await send({ ...config, targets }, { stream })).toMatchObject({ status: 200, retries: "1" });
    expect(asked.map(({ name }) => name)).toEqual(["alpha", "beta", "beta"]);
  });

  it("ends both calls when the client leaves", async () => {
    const { asked, gateway } = await startTwoVendors({ alpha: silent, beta: silent });
    const leaving = new AbortController();
    const config = { strategy: { mode: "hedge", delay: 0 }, targets: [{ provider: "@alpha" }, { provider: "@beta" }] };
    const response = fetch(`${gateway.url}/v1/chat/completions`, {
      method: "POST",
      signal: leaving.signal,
      headers: { "content-type": "application/json", "x-gateway-config": JSON.stringify(config) },
      body: JSON.stringify({ model: "m", stream, messages: [{ role: "user", content: "Hi" }] }),
    });
    await eventually(() => expect(asked).toHaveLength(2));
    leaving.abort();
    await expect(response).rejects.toThrow();
    await eventually(() => expect(asked.every(({ response }) => response.closed)).toBe(true));
    await eventually(() => expect(gateway.generation.active).toBe(0));
  });
});

it("a hedge that ended badly with an answer that goes on and on ends when the client leaves", async () => {
  const { asked, gateway } = await startTwoVendors({
    alpha: failing,
    beta: ({ response }) => response.writeHead(500, { "content-type": "text/plain" }).write("No"),
  });
  const config = { strategy: { mode: "hedge", delay: hour }, targets: [{ provider: "@alpha" }, { provider: "@raw" }] };
  const leaving = new AbortController();
  const response = await fetch(`${gateway.url}/v1/chat/completions`, {
    method: "POST",
    signal: leaving.signal,
    headers: { "content-type": "application/json", "x-gateway-config": JSON.stringify(config) },
    body: JSON.stringify({ model: "m", messages: [{ role: "user", content: "Hi" }] }),
  });
  expect(response.status).toBe(500);
  leaving.abort();
  await expect(response.text()).rejects.toThrow();
  await eventually(() => expect(asked.at(-1)?.response.closed).toBe(true));
  await eventually(() => expect(gateway.generation.active).toBe(0));
});

it("a shadow that is a hedge is recorded with who answered, and what that took", async () => {
  const usage = { prompt_tokens: 5, completion_tokens: 7, total_tokens: 12 };
  const choices = [{ index: 0, message: { role: "assistant", content: "Hello" }, finish_reason: "stop" }];
  const { send, lines } = await startTwoVendors({
    alpha: (arrived) => (arrived.model === "none" ? failing(arrived) : well("alpha")(arrived)),
    beta: ({ response }) => json(response, 200, { id: "c", object: "chat.completion", model: "m", choices, usage }),
  });
  const failed = { provider: "@alpha", override_params: { model: "none" } };
  const race = { strategy: { mode: "hedge", delay: hour }, targets: [failed, { provider: "@beta" }] };
  const config = { strategy: { mode: "shadow" }, targets: [{ provider: "@alpha" }, race] };
  expect(await send(config, { stream: false })).toMatchObject({ status: 200 });
  await eventually(() => expect(lines()).toHaveLength(2));
  const shadow = lines().find((line) => "role" in line);
  expect(shadow).toMatchObject({ provider: "beta", ending: "complete", status: 200, usage: expect.anything() });
});

describe("a shadow of a rival", () => {
  it("is waited for, too", async () => {
    const copied = { strategy: { mode: "shadow" }, targets: [{ provider: "@alpha" }, { provider: "@beta" }] };
    const { gateway, asked, send } = await startTwoVendors({ alpha: well("alpha"), beta: silent });
    const config = { strategy: { mode: "hedge", delay: hour }, targets: [copied, { provider: "@alpha" }] };
    expect((await send(config, { stream: false })).status).toBe(200);
    await eventually(() => expect(asked.map(({ name }) => name)).toContain("beta"));
    expect(gateway.generation.active).toBe(1);
    const beta = asked.find(({ name }) => name === "beta");
    if (!beta) throw new Error("the copy was not sent");
    well("beta")(beta);
    await eventually(() => expect(gateway.generation.active).toBe(0));
  });

  it("is waited for where the rival is not the first", async () => {
    const copied = { strategy: { mode: "shadow" }, targets: [{ provider: "@alpha" }, { provider: "@beta" }] };
    const { gateway, asked, send } = await startTwoVendors({ alpha: well("alpha"), beta: silent });
    const config = { strategy: { mode: "hedge", delay: 0 }, targets: [{ provider: "@beta" }, copied] };
    expect((await send(config, { stream: false })).status).toBe(200);
    await eventually(() => expect(asked.filter(({ name }) => name === "beta")).toHaveLength(2));
    await eventually(() => expect(asked.filter(({ response }) => response.closed)).toHaveLength(2));
    const copy = asked.find(({ response }) => !response.closed);
    expect(gateway.generation.active).toBe(1);
    if (!copy) throw new Error("the copy was not sent");
    well("beta")(copy);
    await eventually(() => expect(gateway.generation.active).toBe(0));
  });
});

describe.each([
  ["whole", false],
  ["streamed", true],
])("a shadow, %s", (_, stream) => {
  it("is asked the same and recorded, and nobody waits for it", async () => {
    const { ask, asked, lines, gateway } = await startTwoVendors({ alpha: well("alpha"), beta: silent });
    const answered = await ask({ mode: "shadow" }, { stream });
    expect(answered).toMatchObject({ status: 200, used: "config.targets[0]" });
    expect(answered.text).toContain("from alpha");
    const beta = asked.find(({ name }) => name === "beta");
    if (!beta) throw new Error("the copy was not sent");
    await eventually(() => expect(lines()).toHaveLength(1));
    expect(gateway.generation.active).toBe(1);
    well("beta")(beta);
    await eventually(() => expect(gateway.generation.active).toBe(0));
    const [own, shadow] = lines() as Record<string, unknown>[];
    expect(own).toMatchObject({ provider: "alpha", ending: "complete", attempts: 1 });
    expect(shadow).toMatchObject({ role: "shadow", provider: "beta", ending: "complete", status: 200, attempts: 1 });
  });

  it("is ended with the gateway, and recorded before that", async () => {
    const { ask, asked, lines, gateway } = await startTwoVendors({ alpha: well("alpha"), beta: silent });
    await ask({ mode: "shadow" }, { stream });
    await eventually(() => expect(asked).toHaveLength(2));
    const { generation } = gateway;
    const close = generation.close.bind(generation);
    let active: number | undefined;
    vi.spyOn(generation, "close").mockImplementation(() => {
      active = generation.active;
      return close();
    });
    await gateway.shutdown(0, 50);
    // It had ended by itself, and was not left over when the time for that was.
    expect(active).toBe(0);
    expect(lines().find((line) => "role" in line)).toMatchObject({ ending: "error", status: 503, attempts: 1 });
  });

  it("may fail without anybody noticing but the record", async () => {
    const { ask, lines } = await startTwoVendors({ alpha: well("alpha"), beta: failing });
    expect(await ask({ mode: "shadow" }, { stream })).toMatchObject({ status: 200 });
    await eventually(() => expect(lines()).toHaveLength(2));
    const shadow = lines().find((line) => "role" in line);
    expect(shadow).toMatchObject({ role: "shadow", ending: "error", status: 503 });
  });
});

it.each([
  ["DELETE", ["alpha"]],
  ["PUT", ["alpha"]],
  ["PATCH", ["alpha"]],
  ["GET", ["alpha", "beta"]],
])("a raw %s goes to %j", async (method, called) => {
  const { gateway, asked } = await startTwoVendors({ alpha: well("alpha"), beta: well("beta") });
  for (const mode of ["shadow", "hedge"]) {
    const config = { strategy: { mode, delay: 0 }, targets: [{ provider: "@alpha" }, { provider: "@beta" }] };
    const headers = { "x-gateway-config": JSON.stringify(config) };
    const answered = await fetch(`${gateway.url}/v1/proxy/things/1`, { method, headers });
    expect(answered.status).toBe(200);
    await answered.text();
    await eventually(() => expect(gateway.generation.active).toBe(0));
  }
  expect(new Set(asked.map(({ name }) => name))).toEqual(new Set(called));
});

it("a stream that says nothing does not win a hedge by what keeps its client awake", async () => {
  const headOnly: Vendor = ({ response }) => {
    response.writeHead(200, { "content-type": "text/event-stream" }).flushHeaders();
  };
  const vendors = { alpha: headOnly, beta: well("beta") };
  const { ask } = await startTwoVendors(vendors, { keepAliveComments: 10 });
  expect((await ask({ mode: "hedge", delay: 100 }, { stream: true })).text).toContain("from beta");
});

describe("a stream that says nothing, beside which nobody else is left,", () => {
  const soon: Vendor = (arrived) => setTimeout(failing, 50, arrived);
  const alpha = { provider: "@alpha" };
  const race = (...targets: object[]) => ({ strategy: { mode: "hedge", delay: 0 }, targets });

  it.each<[string, Vendor, object]>([
    ["at once", failing, race(alpha, { provider: "@beta" })],
    ["after a while", soon, race(alpha, { provider: "@beta" })],
    ["in a race within a race", soon, race(alpha, race(alpha, { provider: "@beta" }))],
    ["in a race that another one begins with", soon, race(race(alpha, { provider: "@beta" }), alpha)],
  ])("keeps its client awake: %s", async (_, other, config) => {
    const answers: (() => void)[] = [];
    const late: Vendor = (arrived) => {
      arrived.response.writeHead(200, { "content-type": "text/event-stream" }).flushHeaders();
      answers.push(() => arrived.response.end(`${chunk({ content: "late" }, "stop")}data: [DONE]\n\n`));
    };
    const { gateway } = await startTwoVendors({ alpha: other, beta: late }, { keepAliveComments: 10 });
    const response = await fetch(`${gateway.url}/v1/chat/completions`, {
      method: "POST",
      headers: { "content-type": "application/json", "x-gateway-config": JSON.stringify(config) },
      body: JSON.stringify({ model: "m", stream: true, messages: [{ role: "user", content: "Hi" }] }),
    });
    for (const answer of answers) answer();
    expect([response.status, await response.text()]).toEqual([200, expect.stringMatching(/^:.*late.*\[DONE\]/s)]);
  });
});
