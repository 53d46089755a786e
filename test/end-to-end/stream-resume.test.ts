import { describe, expect, it } from "vitest";
import { eventually } from "../support/calm.ts";
import { call } from "../support/raw-call.ts";
import { connectTo, question, rawRequest } from "../support/raw-client.ts";
import {
  chunk,
  dyingAtOnce,
  dyingLater,
  failing,
  opening,
  silent,
  startTwoVendors,
  type Vendor,
  well,
} from "../support/two-vendors.ts";

const hour = 3_600_000;

describe("a stream that dies", () => {
  const fallback = { mode: "fallback" };
  const restart = { stream_resume: "restart" };

  it("before it said anything is begun elsewhere, where the config says so", async () => {
    const { ask } = await startTwoVendors({ alpha: dyingAtOnce, beta: well("beta") });
    const answered = await ask(fallback, { stream: true, leaf: restart });
    expect(answered).toMatchObject({ status: 200, used: "config.targets[1]" });
    expect(answered.text).toContain("from beta");
    expect(answered.text).not.toContain("error");
    expect(answered.text.match(/\[DONE\]/g)).toHaveLength(1);
  });

  it("before it said anything is an error otherwise", async () => {
    const { ask, asked } = await startTwoVendors({ alpha: dyingAtOnce, beta: well("beta") });
    const answered = await ask(fallback, { stream: true });
    expect(answered.text).toContain("upstream_truncated");
    expect(answered.text).not.toContain("[DONE]");
    expect(asked).toHaveLength(1);
  });

  it("half-way is an error to a client that has not said it can begin anew", async () => {
    const { ask, asked, lines } = await startTwoVendors({ alpha: dyingLater, beta: well("beta") });
    const answered = await ask(fallback, { stream: true, leaf: restart });
    expect(answered.text).toMatch(/half a.*error/s);
    expect(answered.text).not.toContain("[DONE]");
    expect(asked).toHaveLength(1);
    await eventually(() => expect(lines()).toMatchObject([{ ending: "truncated" }]));
  });

  it("half-way is replaced by a whole new answer for a client that can", async () => {
    const { ask, lines } = await startTwoVendors({ alpha: dyingLater, beta: well("beta") });
    const headers = { "x-gateway-resume": "restart" };
    const { text } = await ask(fallback, { stream: true, leaf: restart, headers });
    const [before, after] = text.split('event: gateway-restart\ndata: {"type":"gateway_restart"}\n\n');
    expect(before).toContain("half a");
    expect(before).not.toMatch(/error|\[DONE\]/);
    expect(after).toContain("from beta");
    expect(after?.endsWith("data: [DONE]\n\n")).toBe(true);
    await eventually(() => expect(lines()).toMatchObject([{ ending: "complete", attempts: 2, provider: "beta" }]));
  });

  it("half-way, having won a race, is replaced and recorded just the same", async () => {
    let calls = 0;
    const dyingOnce: Vendor = (arrived) => (calls++ === 0 ? dyingLater(arrived) : well("alpha")(arrived));
    const { send, lines } = await startTwoVendors({ alpha: dyingOnce, beta: failing });
    const race = { strategy: { mode: "hedge", delay: hour }, targets: [{ provider: "@alpha" }, { provider: "@beta" }] };
    const config = { strategy: { mode: "fallback" }, stream_resume: "restart", targets: [race, race] };
    const { text } = await send(config, { stream: true, headers: { "x-gateway-resume": "restart" } });
    expect(text).toMatch(/half a.*gateway-restart.*from alpha/s);
    expect(text.endsWith("data: [DONE]\n\n")).toBe(true);
    await eventually(() =>
      expect(lines()).toMatchObject([{ ending: "complete", status: 200, attempts: 3, provider: "alpha" }]),
    );
  });

  it("half-way, having won a race, is no failure of who lost it", async () => {
    let calls = 0;
    const late: Vendor = (arrived) => (calls++ === 0 ? silent(arrived) : well("alpha")(arrived));
    const { send, asked } = await startTwoVendors({ alpha: late, beta: dyingLater });
    const config = {
      stream_resume: "restart",
      strategy: { mode: "hedge", delay: 50, cb_config: { failure_threshold: 1, cooldown_interval: 30_000 } },
      targets: [{ provider: "@alpha" }, { provider: "@beta" }],
    };
    const headers = { "x-gateway-resume": "restart" };
    for (let request = 1; request <= 2; request++)
      expect((await send(config, { stream: true, headers })).text).toContain("from alpha");
    // The one that broke off is left out, whoever answered in its place.
    expect(asked.map(({ name }) => name)).toEqual(["alpha", "beta", "alpha", "alpha"]);
  });

  it("half-way, having won a race, is replaced by one that has not failed: not asked yet, or given up", async () => {
    let calls = 0;
    const late: Vendor = (arrived) => (calls++ === 0 ? silent(arrived) : well("alpha")(arrived));
    const { send } = await startTwoVendors({ alpha: late, beta: dyingLater });
    const race = (...names: string[]) => ({
      ...restart,
      strategy: { mode: "hedge", delay: 5 },
      targets: names.map((provider) => ({ provider })),
    });
    const headers = { "x-gateway-resume": "restart" };
    const beaten = await send(race("@alpha", "@beta"), { stream: true, headers });
    expect(beaten.text).toMatch(/half a.*gateway-restart.*from alpha/s);
    const unasked = await send(race("@beta", "@alpha"), { stream: true, headers });
    expect(unasked.text).toMatch(/half a.*gateway-restart.*from alpha/s);
  });

  it.each<[string, Vendor, Vendor]>([
    ["that is still waited for", dyingLater, silent],
    [
      "that is not needed",
      ({ response }) => {
        opening(response);
        response.write(chunk({ content: "half a" }));
      },
      well("beta"),
    ],
  ])("half-way ends with the gateway, in order, whatever the answer in its place: one %s", async (_, alpha, beta) => {
    const { ask, asked, gateway, lines } = await startTwoVendors({ alpha, beta });
    const headers = { "x-gateway-resume": "restart" };
    const answered = ask(fallback, { stream: true, leaf: restart, headers });
    await eventually(() => expect(asked).toHaveLength(beta === silent ? 2 : 1));
    await gateway.shutdown(0, 100);
    const { text } = await answered;
    expect(text).toMatch(/half a.*"error"/s);
    expect(text).not.toMatch(/gateway-restart|from beta|\[DONE\]/);
    expect(lines()).toMatchObject([{ ending: "truncated" }]);
  });

  it("half-way leaves nothing behind when its client leaves before there is an answer in its place", async () => {
    const { gateway, asked } = await startTwoVendors({ alpha: dyingLater, beta: silent });
    const { leaving } = gateway.generation.road;
    const listening = new Set<object>();
    const add = leaving.add.bind(leaving);
    leaving.add = (listener) => {
      const forget = add(listener);
      listening.add(listener);
      return () => {
        listening.delete(listener);
        forget();
      };
    };
    const config = { ...restart, strategy: fallback, targets: [{ provider: "@alpha" }, { provider: "@beta" }] };
    const headers = { "x-gateway-config": JSON.stringify(config), "x-gateway-resume": "restart" };
    const client = await connectTo(gateway.url);
    client.send(rawRequest(question("m", { stream: true }), headers));
    await client.until("half a");
    await eventually(() => expect(asked).toHaveLength(2));
    expect(listening.size).toBeGreaterThan(0);
    client.reset();
    await eventually(() => expect(gateway.generation.active).toBe(0));
    expect(listening.size).toBe(0);
  });

  it.each([
    ["chat completions", "/v1/chat/completions", /half a.*gateway-restart.*"content":"from beta".*\[DONE\]\n\n$/s],
    [
      "Gemini",
      "/v1beta/models/m:streamGenerateContent?alt=sse",
      /half a.*gateway-restart.*"text":"from beta".*"STOP"/s,
    ],
  ])("half-way is replaced by an answer that came in one piece, as a stream of %s", async (_, path, wanted) => {
    const { gateway, lines } = await startTwoVendors({ alpha: dyingLater, beta: well("beta") });
    const whole = { provider: "@beta", override_params: { stream: false } };
    const config = { ...restart, strategy: fallback, targets: [{ provider: "@alpha" }, whole] };
    const headers = {
      "content-type": "application/json",
      "x-gateway-config": JSON.stringify(config),
      "x-gateway-resume": "restart",
    };
    const contents = [{ role: "user", parts: [{ text: "Hi" }] }];
    const body = path.includes("chat")
      ? { model: "m", stream: true, messages: [{ role: "user", content: "Hi" }] }
      : { contents };
    const answered = await call(`${gateway.url}${path}`, { method: "POST", headers }, JSON.stringify(body));
    const text = answered.body.toString();
    expect(text).toMatch(wanted);
    for (const line of text.split("\n")) expect(line).toMatch(/^$|^(?:data|event): /);
    await eventually(() => expect(lines()).toMatchObject([{ ending: "complete", attempts: 2, provider: "beta" }]));
  });

  it("half-way lets go of an answer that cannot take its place", async () => {
    const { send, asked, gateway } = await startTwoVendors({
      alpha: dyingLater,
      beta: ({ response }) => {
        response.writeHead(200, { "content-type": "application/octet-stream" }).write("raw");
      },
    });
    const raw = { provider: "@raw" };
    const config = { strategy: { mode: "fallback" }, stream_resume: "restart", targets: [{ provider: "@alpha" }, raw] };
    const { text } = await send(config, { stream: true, headers: { "x-gateway-resume": "restart" } });
    expect(text).toMatch(/half a.*"error"/s);
    await eventually(() => expect(asked[1]?.response.closed).toBe(true));
    await eventually(() => expect(gateway.generation.active).toBe(0));
  });

  it("half-way is an error in a list of JSON, which has no place for a new answer", async () => {
    const { asked, gateway, lines } = await startTwoVendors({ alpha: dyingLater, beta: well("beta") });
    const targets = [{ provider: "@alpha" }, { provider: "@beta" }];
    const headers = {
      "content-type": "application/json",
      "x-gateway-config": JSON.stringify({ ...restart, strategy: fallback, targets }),
      "x-gateway-resume": "restart",
    };
    const body = JSON.stringify({ contents: [{ role: "user", parts: [{ text: "Hi" }] }] });
    const url = `${gateway.url}/v1beta/models/m:streamGenerateContent`;
    const answered = await call(url, { method: "POST", headers }, body);
    const list = JSON.parse(answered.body.toString()) as unknown[];
    expect(JSON.stringify(list[0])).toContain("half a");
    expect(list.at(-1)).toMatchObject({ error: expect.anything() });
    expect(asked).toHaveLength(1);
    await eventually(() => expect(lines()).toMatchObject([{ ending: "truncated", attempts: 1 }]));
    const events = await call(`${url}?alt=sse`, { method: "POST", headers }, body);
    expect(events.body.toString()).toMatch(/half a.*gateway-restart.*from beta/s);
  });

  it("half-way leaves nothing of what it cost to the answer in its place", async () => {
    const { ask, lines } = await startTwoVendors({
      alpha: ({ response }) => {
        opening(response);
        response.write(chunk({ content: "half a" }));
        const usage = { prompt_tokens: 5, completion_tokens: 1, total_tokens: 6 };
        response.write(
          `data: ${JSON.stringify({ id: "c", object: "chat.completion.chunk", created: 1, model: "m", choices: [], usage })}\n\n`,
          () => response.destroy(),
        );
      },
      beta: well("beta"),
    });
    const headers = { "x-gateway-resume": "restart" };
    await ask(fallback, { stream: true, leaf: restart, headers });
    await eventually(() => expect(lines()).toMatchObject([{ ending: "complete", provider: "beta" }]));
    expect(lines()[0]).not.toHaveProperty("usage");
  });

  it("half-way with nobody the config can name ends in an error, in order", async () => {
    const { send, asked, lines } = await startTwoVendors({ alpha: dyingLater, beta: well("beta") });
    const nobody = { strategy: { mode: "loadbalance" }, targets: [{ provider: "@beta", weight: 0 }] };
    const config = { ...restart, strategy: fallback, targets: [{ provider: "@alpha" }, nobody] };
    const { text } = await send(config, { stream: true, headers: { "x-gateway-resume": "restart" } });
    expect(text).toMatch(/half a.*"error"/s);
    expect(asked).toHaveLength(1);
    await eventually(() => expect(lines()).toMatchObject([{ ending: "truncated" }]));
  });

  it("half-way with nobody left ends in an error, once", async () => {
    const { ask, asked, lines } = await startTwoVendors({ alpha: dyingLater, beta: failing });
    const headers = { "x-gateway-resume": "restart" };
    const { text } = await ask(fallback, { stream: true, leaf: restart, headers });
    expect(text).toContain("half a");
    expect(text).not.toMatch(/gateway-restart|\[DONE\]/);
    expect(text.match(/"error"/g)).toHaveLength(1);
    expect(asked).toHaveLength(2);
    await eventually(() => expect(lines()).toMatchObject([{ ending: "truncated" }]));
  });

  it.each([
    [[529], /half a.*gateway-restart.*from beta/s],
    [[429], /half a.*overloaded/s],
  ])("half-way by what the vendor says is begun anew on its status: %j", async (statuses, wanted) => {
    const { ask } = await startTwoVendors({
      alpha: ({ response }) => {
        opening(response);
        const error = { message: "The engine is overloaded.", type: "overloaded_error" };
        // More than is read at once: what comes first is the client's before the rest is seen.
        const comments = `: ${"x".repeat(1000)}\n\n`.repeat(300);
        response.end(`${chunk({ content: "half a" })}${comments}data: ${JSON.stringify({ error })}\n\n`);
      },
      beta: well("beta"),
    });
    const headers = { "x-gateway-resume": "restart" };
    const { text } = await ask({ ...fallback, on_status_codes: statuses }, { stream: true, leaf: restart, headers });
    expect(text).toMatch(wanted);
  });

  it("is shown to the route by its status before it is the client's", async () => {
    const { ask, asked } = await startTwoVendors({ alpha: well("alpha"), beta: well("beta") });
    const denied = { id: "never", contains: { words: ["Hi"], operator: "none" } };
    const strategy = { ...fallback, on_status_codes: [246] };
    const leaf = { ...restart, input_guardrails: [denied] };
    const answered = await ask(strategy, { stream: true, leaf, headers: { "x-gateway-resume": "restart" } });
    expect(answered).toMatchObject({ status: 200, used: "config.targets[1]" });
    expect(answered.text).not.toContain("from alpha");
    expect(asked).toHaveLength(2);
  });

  it("is not asked for again when the client has all of it, whatever its status", async () => {
    const { ask, asked, lines } = await startTwoVendors({ alpha: well("alpha"), beta: well("beta") });
    const headers = { "x-gateway-resume": "restart" };
    const answered = await ask({ ...fallback, on_status_codes: [200] }, { stream: true, leaf: restart, headers });
    expect(answered.text).toMatch(/from alpha.*\[DONE\]\n\n$/s);
    expect(asked).toHaveLength(1);
    await eventually(() => expect(lines()).toMatchObject([{ ending: "complete", status: 200 }]));
  });

  it("twice is begun anew twice", async () => {
    const { ask } = await startTwoVendors({ alpha: dyingLater, beta: dyingLater });
    const headers = { "x-gateway-resume": "restart" };
    const { text } = await ask(fallback, { stream: true, leaf: restart, headers });
    expect(text.match(/gateway-restart/g)).toHaveLength(1);
    expect(text.match(/half a/g)).toHaveLength(2);
    expect(text.match(/"error"/g)).toHaveLength(1);
    expect(text).not.toContain("[DONE]");
  });
});

describe("clocks of a target", () => {
  it("for the whole request do not cut a stream that flows, read or unread", async () => {
    const { send } = await startTwoVendors({
      alpha: well("alpha"),
      beta: ({ response }) => {
        opening(response);
        // Longer than the clock of the whole request.
        setTimeout(() => response.end(`${chunk({ content: "late" }, "stop")}data: [DONE]\n\n`), 150);
      },
    });
    for (const provider of ["@beta", "@raw"]) {
      const { text } = await send({ provider, request_timeout: 60 }, { stream: true });
      expect([provider, text]).toEqual([provider, expect.stringMatching(/late.*\[DONE\]/s)]);
    }
  });

  it("send a request on when the first piece of a stream is late", async () => {
    const { ask } = await startTwoVendors({
      alpha: ({ response }) => response.writeHead(200, { "content-type": "text/event-stream" }).flushHeaders(),
      beta: well("beta"),
    });
    const leaf = { timeouts: { first_token: 60 } };
    expect(await ask({ mode: "fallback" }, { stream: true, leaf })).toMatchObject({
      status: 200,
      used: "config.targets[1]",
    });
  });

  it("send a request on when the headers are late, and tell so in the record", async () => {
    const { ask, lines } = await startTwoVendors({ alpha: silent, beta: well("beta") });
    const leaf = { timeouts: { headers: 60 } };
    expect(await ask({ mode: "fallback" }, { stream: false, leaf })).toMatchObject({ used: "config.targets[1]" });
    await eventually(() =>
      expect(lines()).toMatchObject([
        {
          calls: [
            { provider: "alpha", status: 408, code: "request_timeout" },
            { provider: "beta", status: 200 },
          ],
        },
      ]),
    );
  });
});
