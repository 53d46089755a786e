import type { ServerResponse } from "node:http";
import { pathToFileURL } from "node:url";
import { describe, expect, it } from "vitest";
import { temporaryFolder } from "../../core/cli/testing.ts";
import { eventually } from "../support/calm.ts";
import { startTestGateway } from "../support/gateway.ts";
import { json, startUpstream } from "../support/upstream.ts";

const core = (path: string) => pathToFileURL(new URL(`../../core/${path}`, import.meta.url).pathname).href;

/** Says in the log how far a request has come, and each time a target is called once more. */
const witness = `
import { definePlugin, z } from "${core("index.ts")}";
export default definePlugin({
  name: "witness",
  summary: "Says how far requests have come.",
  options: z.strictObject({}),
  setup({ hooks, log }) {
    const again = () => log.info("called again");
    hooks.beforeRequest.tap({ name: "witness", again }, (request, exchange) => {
      (exchange.trunk ?? exchange).signal.addEventListener("abort", () => log.info("left"));
      return request;
    });
    hooks.afterRequest.tap("witness", (answer) => (log.info("answered"), answer));
  },
});
`;

/** A vendor whose calls need a token each. */
const guarded = `
import { defineProvider, GatewayError } from "${core("provider-kit/index.ts")}";
export default defineProvider({
  name: "guarded",
  summary: "Needs a token for each call.",
  authenticate: ({ baseUrl }) => async () => {
    const response = await fetch(baseUrl + "/token");
    if (!response.ok) throw new GatewayError("credential_missing", "There is no token.");
    return { authorization: "Bearer " + (await response.text()) };
  },
  operations: { chat: { format: "openai-chat", path: "/chat" } },
});
`;

type Answering = (response: ServerResponse) => void;

const busy = (headers: Record<string, string>) => (response: ServerResponse) =>
  json(response, 429, { error: { message: "No." } }, headers);
const soon = busy({ "retry-after-ms": "1" });
const later = busy({ "retry-after": "30" });
const token: Answering = (response) => response.end("token");
const noToken: Answering = (response) => json(response, 403, {});
const silent: Answering = () => undefined;
const well: Answering = (response) =>
  json(response, 200, {
    id: "c",
    object: "chat.completion",
    created: 1,
    model: "m",
    choices: [{ index: 0, message: { role: "assistant", content: "Hello" }, finish_reason: "stop" }],
  });

/** A gateway before a vendor that answers as it is told, one call after the other. */
async function start(script: { readonly chat: Answering[]; readonly tokens: Answering[] }) {
  const held: ServerResponse[] = [];
  const upstream = await startUpstream(({ url }, response) => {
    held.push(response);
    (url === "/token" ? script.tokens : script.chat).shift()?.(response);
  });
  const gateway = await startTestGateway(
    JSON.stringify({
      plugins: {
        witness: { use: "./witness.ts" },
        "auth-open": {},
        routing: {},
        retry: {},
        "strategy-hedge": {},
        "format-openai-chat": {},
        "access-log": { trace: true },
      },
      providers: { guarded: { use: "./guarded.ts", apiKey: "vendor-key-0123456789", baseUrl: upstream.url } },
    }),
    {},
    temporaryFolder({ "witness.ts": witness, "guarded.ts": guarded }),
  );
  const said = () => gateway.log.lines.map(({ message }) => message);
  const record = () => gateway.log.lines.find(({ message }) => message === "request")?.fields;
  const leaving = new AbortController();
  const ask = (config: object) =>
    fetch(`${gateway.url}/v1/chat/completions`, {
      method: "POST",
      signal: leaving.signal,
      headers: { "content-type": "application/json", "x-gateway-config": JSON.stringify(config) },
      body: JSON.stringify({ model: "m", messages: [{ role: "user", content: "Hi" }] }),
    });
  /** What the record says of a client that leaves as soon as `when` is so. */
  async function left(config: object, when: () => void, then: () => void = () => undefined) {
    const asked = ask(config).catch(() => undefined);
    await eventually(when);
    leaving.abort();
    await asked;
    await eventually(() => expect(said()).toContain("left"));
    then();
    await eventually(() => expect(record()).toBeDefined());
    return record();
  }
  return { ask, left, said, record, held, upstream };
}

const retry = { attempts: 2, use_retry_after_headers: true };
const leaf = { provider: "@guarded", retry };
const oneCall = { ending: "client-gone", status: 499, attempts: 1 };

describe("a client that leaves", () => {
  it("before a retry is due is recorded with the calls that were made", async () => {
    const { left, said, upstream } = await start({ chat: [later], tokens: [token] });
    const record = await left(leaf, () => expect(said()).toContain("answered"));
    expect(record).toMatchObject({ ...oneCall, calls: [{ status: 429 }] });
    expect(upstream.received.map(({ url }) => url)).toEqual(["/token", "/chat"]);
  });

  it("before a retry has its credential is recorded with the calls that were made", async () => {
    const { left, held, upstream } = await start({ chat: [soon], tokens: [token, silent] });
    const isWaiting = () => expect(upstream.received).toHaveLength(3);
    const record = await left(leaf, isWaiting, () => void held[2]?.end("token"));
    expect(record).toMatchObject({ ...oneCall, calls: [{ status: 429 }] });
    expect(upstream.received).toHaveLength(3);
  });

  it("a hedge that waits to ask somebody else is recorded with the calls that were made", async () => {
    const { left, upstream } = await start({ chat: [silent], tokens: [token, token] });
    const targets = [{ provider: "@guarded" }, { provider: "@guarded" }];
    const config = { strategy: { mode: "hedge", delay: 3_600_000 }, targets };
    const record = await left(config, () => expect(upstream.received).toHaveLength(2));
    expect(record).toMatchObject({ ...oneCall, calls: [{ path: "config.targets[0]" }] });
    expect(upstream.received).toHaveLength(2);
  });
});

describe("a retry without a credential", () => {
  it("is no call: neither its client is told of it, nor who counts calls", async () => {
    const { ask, said, record } = await start({ chat: [soon], tokens: [token, noToken] });
    const response = await ask(leaf);
    expect(response.status).toBe(401);
    expect(response.headers.get("x-gateway-retry-attempt-count")).toBe("0");
    expect(said()).not.toContain("called again");
    await eventually(() => expect(record()).toMatchObject({ calls: [{ status: 429 }, { status: 401 }] }));
  });

  it("behind one that was made tells of that one", async () => {
    const { ask, said } = await start({ chat: [soon, soon], tokens: [token, token, noToken] });
    const response = await ask(leaf);
    expect(response.headers.get("x-gateway-retry-attempt-count")).toBe("1");
    expect(said().filter((message) => message === "called again")).toHaveLength(1);
  });

  it("is counted as ever where it has one", async () => {
    const { ask, said } = await start({ chat: [soon, well], tokens: [token, token] });
    const response = await ask(leaf);
    expect([response.status, response.headers.get("x-gateway-retry-attempt-count")]).toEqual([200, "1"]);
    expect(said().filter((message) => message === "called again")).toHaveLength(1);
  });
});
