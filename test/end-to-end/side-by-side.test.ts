import type { IncomingMessage, ServerResponse } from "node:http";
import { describe, expect, it } from "vitest";
import { eventually } from "../support/calm.ts";
import { startTestGateway } from "../support/gateway.ts";
import { call } from "../support/raw-call.ts";
import { json, startUpstream } from "../support/upstream.ts";

interface Arrived {
  readonly response: ServerResponse;
  readonly incoming: IncomingMessage;
  readonly stream: boolean;
}

type Vendor = (arrived: Arrived) => void;

const chunk = (delta: object, finish_reason: string | null = null) =>
  `data: ${JSON.stringify({
    id: "c",
    object: "chat.completion.chunk",
    created: 1,
    model: "m",
    choices: [{ index: 0, delta, finish_reason }],
  })}\n\n`;

const opening = (response: ServerResponse) => {
  response.writeHead(200, { "content-type": "text/event-stream" });
  response.write(chunk({ role: "assistant", content: "" }));
};

const well =
  (name: string): Vendor =>
  ({ response, stream }) => {
    if (!stream) {
      const message = { role: "assistant", content: `from ${name}` };
      const choices = [{ index: 0, message, finish_reason: "stop" }];
      return json(response, 200, { id: "c", object: "chat.completion", created: 1, model: "m", choices });
    }
    opening(response);
    response.end(`${chunk({ content: `from ${name}` })}${chunk({}, "stop")}data: [DONE]\n\n`);
  };

const silent: Vendor = () => undefined;
const failing: Vendor = ({ response }) => json(response, 503, { error: { message: "No." } });
const dyingAtOnce: Vendor = ({ response }) => {
  opening(response);
  response.end();
};
const dyingLater: Vendor = ({ response }) => {
  opening(response);
  response.write(chunk({ content: "half a" }), () => response.destroy());
};

/** A gateway before two vendors, and what it asked of them. */
async function start(vendors: Record<"alpha" | "beta", Vendor>) {
  const asked: (Arrived & { readonly name: string })[] = [];
  const upstream = await startUpstream(({ url, body }, response, incoming) => {
    const name = url.split("/")[1] as "alpha" | "beta";
    const arrived = { name, response, incoming, stream: JSON.parse(`${body}`).stream === true };
    asked.push(arrived);
    vendors[name](arrived);
  });
  const gateway = await startTestGateway(
    JSON.stringify({
      plugins: {
        "auth-open": {},
        routing: {},
        "strategy-fallback": {},
        "strategy-hedge": {},
        "strategy-shadow": {},
        "stream-resume": {},
        retry: {},
        "format-openai-chat": {},
        "access-log": {},
      },
      providers: Object.fromEntries(
        ["alpha", "beta"].map((slug) => [
          slug,
          { use: "openai", apiKey: `${slug}-key-012345`, baseUrl: `${upstream.url}/${slug}` },
        ]),
      ),
    }),
  );
  const lines = () => gateway.log.lines.filter(({ message }) => message === "request").map(({ fields }) => fields);
  async function ask(strategy: object, more: { stream: boolean; headers?: Record<string, string>; leaf?: object }) {
    const config = { strategy, targets: [{ provider: "@alpha", ...more.leaf }, { provider: "@beta" }] };
    const headers = {
      "content-type": "application/json",
      "x-gateway-config": JSON.stringify(config),
      "x-gateway-debug": "true",
      ...more.headers,
    };
    const body = JSON.stringify({ model: "m", stream: more.stream, messages: [{ role: "user", content: "Hi" }] });
    const answered = await call(`${gateway.url}/v1/chat/completions`, { method: "POST", headers }, body);
    return {
      status: answered.status,
      text: answered.body.toString(),
      used: answered.headers["x-gateway-last-used-option-index"],
    };
  }
  return { ask, asked, lines, gateway };
}

const hour = 3_600_000;

describe.each([
  ["whole", false],
  ["streamed", true],
])("a hedge, %s", (_, stream) => {
  it("takes the second answer where the first is slow, and gives the first call up", async () => {
    const { ask, asked, lines } = await start({ alpha: silent, beta: well("beta") });
    const answered = await ask({ mode: "hedge", delay: 5 }, { stream });
    expect(answered).toMatchObject({ status: 200, used: "config.targets[1]" });
    expect(answered.text).toContain("from beta");
    await eventually(() => expect(asked.find(({ name }) => name === "alpha")?.incoming.destroyed).toBe(true));
    await eventually(() =>
      expect(lines()).toMatchObject([{ ending: "complete", provider: "beta", attempts: 2, calls: { length: 2 } }]),
    );
  });

  it("never asks the second where the first is in time", async () => {
    const { ask, asked } = await start({ alpha: well("alpha"), beta: silent });
    expect(await ask({ mode: "hedge", delay: hour }, { stream })).toMatchObject({
      status: 200,
      used: "config.targets[0]",
    });
    expect(asked.map(({ name }) => name)).toEqual(["alpha"]);
  });

  it("does not wait for the delay where the first fails", async () => {
    const { ask } = await start({ alpha: failing, beta: well("beta") });
    const answered = await ask({ mode: "hedge", delay: hour }, { stream });
    expect(answered).toMatchObject({ status: 200, used: "config.targets[1]" });
  });

  it("answers with the last failure where all fail", async () => {
    const { ask, asked } = await start({ alpha: failing, beta: failing });
    expect(await ask({ mode: "hedge", delay: 1 }, { stream })).toMatchObject({ status: 503 });
    expect(asked).toHaveLength(2);
  });

  it("ends both calls when the client leaves", async () => {
    const { asked, gateway } = await start({ alpha: silent, beta: silent });
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
    await eventually(() => expect(asked.every(({ incoming }) => incoming.destroyed)).toBe(true));
    await eventually(() => expect(gateway.generation.active).toBe(0));
  });
});

describe.each([
  ["whole", false],
  ["streamed", true],
])("a shadow, %s", (_, stream) => {
  it("is asked the same and recorded, and nobody waits for it", async () => {
    const { ask, asked, lines, gateway } = await start({ alpha: well("alpha"), beta: silent });
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

  it("may fail without anybody noticing but the record", async () => {
    const { ask, lines } = await start({ alpha: well("alpha"), beta: failing });
    expect(await ask({ mode: "shadow" }, { stream })).toMatchObject({ status: 200 });
    await eventually(() => expect(lines()).toHaveLength(2));
    const shadow = lines().find((line) => "role" in line);
    expect(shadow).toMatchObject({ role: "shadow", ending: "error", status: 503 });
  });
});

describe("a stream that dies", () => {
  const fallback = { mode: "fallback" };
  const restart = { stream_resume: "restart" };

  it("before it said anything is begun elsewhere, where the config says so", async () => {
    const { ask } = await start({ alpha: dyingAtOnce, beta: well("beta") });
    const answered = await ask(fallback, { stream: true, leaf: restart });
    expect(answered).toMatchObject({ status: 200, used: "config.targets[1]" });
    expect(answered.text).toContain("from beta");
    expect(answered.text).not.toContain("error");
    expect(answered.text.match(/\[DONE\]/g)).toHaveLength(1);
  });

  it("before it said anything is an error otherwise", async () => {
    const { ask, asked } = await start({ alpha: dyingAtOnce, beta: well("beta") });
    const answered = await ask(fallback, { stream: true });
    expect(answered.text).toContain("upstream_truncated");
    expect(answered.text).not.toContain("[DONE]");
    expect(asked).toHaveLength(1);
  });

  it("half-way is an error to a client that has not said it can begin anew", async () => {
    const { ask, asked, lines } = await start({ alpha: dyingLater, beta: well("beta") });
    const answered = await ask(fallback, { stream: true, leaf: restart });
    expect(answered.text).toMatch(/half a.*error/s);
    expect(answered.text).not.toContain("[DONE]");
    expect(asked).toHaveLength(1);
    await eventually(() => expect(lines()).toMatchObject([{ ending: "truncated" }]));
  });

  it("half-way is replaced by a whole new answer for a client that can", async () => {
    const { ask, lines } = await start({ alpha: dyingLater, beta: well("beta") });
    const headers = { "x-gateway-resume": "restart" };
    const { text } = await ask(fallback, { stream: true, leaf: restart, headers });
    const [before, after] = text.split('event: gateway-restart\ndata: {"type":"gateway_restart"}\n\n');
    expect(before).toContain("half a");
    expect(before).not.toMatch(/error|\[DONE\]/);
    expect(after).toContain("from beta");
    expect(after?.endsWith("data: [DONE]\n\n")).toBe(true);
    await eventually(() => expect(lines()).toMatchObject([{ ending: "complete", attempts: 2, provider: "beta" }]));
  });

  it("half-way with nobody left ends in an error, once", async () => {
    const { ask, asked, lines } = await start({ alpha: dyingLater, beta: failing });
    const headers = { "x-gateway-resume": "restart" };
    const { text } = await ask(fallback, { stream: true, leaf: restart, headers });
    expect(text).toContain("half a");
    expect(text).not.toMatch(/gateway-restart|\[DONE\]/);
    expect(text.match(/"error"/g)).toHaveLength(1);
    expect(asked).toHaveLength(2);
    await eventually(() => expect(lines()).toMatchObject([{ ending: "truncated" }]));
  });

  it("twice is begun anew twice", async () => {
    const { ask } = await start({ alpha: dyingLater, beta: dyingLater });
    const headers = { "x-gateway-resume": "restart" };
    const { text } = await ask(fallback, { stream: true, leaf: restart, headers });
    expect(text.match(/gateway-restart/g)).toHaveLength(1);
    expect(text.match(/half a/g)).toHaveLength(2);
    expect(text.match(/"error"/g)).toHaveLength(1);
    expect(text).not.toContain("[DONE]");
  });
});

describe("clocks of a target", () => {
  it("send a request on when the first piece of a stream is late", async () => {
    const { ask } = await start({
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
    const { ask, lines } = await start({ alpha: silent, beta: well("beta") });
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
