import { inspect } from "node:util";
import { describe, expect, it, onTestFinished } from "vitest";
import { addressRules } from "../../core/http/upstream/address-rules.ts";
import { outbound } from "../../core/http/upstream/outbound.ts";
import { undiciTransport } from "../../core/http/upstream/undici-transport.ts";
import { CheckError, type CheckRequest, type CheckUse, defineCheck, z } from "../../core/index.ts";
import { silentLogger } from "../../core/log.ts";
import { type Answering, json, startUpstream } from "../../test/support/upstream.ts";
import { askerFor } from "./asking.ts";
import { CheckRegistry } from "./registry.ts";

/** What checks ask with, over sockets of this machine. */
function outboundHere() {
  const rules = addressRules({ trustedHosts: [], ownHosts: [] });
  const transport = undiciTransport({ connectionsPerHost: 2, connectTimeout: 1_000, rules });
  onTestFinished(() => transport.close());
  return outbound(transport, rules, silentLogger);
}

async function service(answer: Answering) {
  const upstream = await startUpstream(answer);
  const clock = { now: 0 };
  const asker = askerFor(outboundHere(), () => clock.now);
  const ask = (request: Partial<CheckRequest> = {}, family = "acme", trusted = true, signal?: AbortSignal) =>
    asker({ url: `${upstream.url}/v1/scan`, timeout: 2_000, ...request }, { trusted, family, signal });
  return { ...upstream, clock, ask };
}

const failure = (asked: Promise<unknown>): Promise<CheckError> =>
  asked.then(
    () => expect.fail("it answered"),
    (error: unknown) => (error instanceof CheckError ? error : expect.fail(`no CheckError: ${inspect(error)}`)),
  );

describe("a call of a check", () => {
  it("is a POST of JSON unless it says otherwise, and reads JSON", async () => {
    const { ask, received } = await service((_, response) => json(response, 200, { ok: true }));
    expect(await ask({ body: { a: "ü" }, headers: { "x-key": "k" } })).toMatchObject({
      status: 200,
      json: { ok: true },
    });
    await ask({ method: "GET", headers: { accept: "text/plain" } });
    await ask({ body: "a=1", headers: { "content-type": "application/x-www-form-urlencoded" } });
    expect(received.map(({ method, headers, body }) => [method, headers["content-type"], String(body)])).toEqual([
      ["POST", "application/json", '{"a":"ü"}'],
      ["GET", undefined, ""],
      ["POST", "application/x-www-form-urlencoded", "a=1"],
    ]);
    expect(received[0]?.headers).toMatchObject({ "x-key": "k", accept: "application/json" });
    expect(received[1]?.headers.accept).toBe("text/plain");
  });

  it("is sent elsewhere by nobody; where it wants to be told, it is", async () => {
    const { ask, received } = await service((_, response) =>
      response.writeHead(302, { location: "/there" }).end("gone"),
    );
    expect(await failure(ask())).toMatchObject({ label: "HttpError", message: "HTTP error! status: 302" });
    expect(await ask({ redirections: true })).toMatchObject({ status: 302, headers: { location: "/there" } });
    expect(received).toHaveLength(2);
  });

  it("gives what is no JSON as text", async () => {
    const { ask } = await service((_, response) => response.end("<html>busy"));
    expect((await ask()).json).toBe("<html>busy");
  });

  it.each<[string, Answering, Partial<CheckRequest>, object]>([
    ["is too late", () => undefined, { timeout: 20 }, { label: "TimeoutError" }],
    ["breaks off", (_, response) => response.destroy(), {}, { label: "NetworkError" }],
    [
      "breaks off in the middle",
      (_, response) => void response.writeHead(200, { "content-length": "9" }).write("{", () => response.destroy()),
      {},
      { label: "NetworkError" },
    ],
    ["is 10 MB", (_, response) => response.end("x".repeat(10_000_000)), {}, { label: "AnswerTooLarge" }],
    [
      "is a redirect",
      (_, response) => json(response, 302, {}, { location: "/other" }),
      {},
      { label: "HttpError", data: { status: 302, body: {} } },
    ],
    [
      "is no 2xx",
      (_, response) => json(response, 422, { why: "no" }),
      {},
      { label: "HttpError", message: "HTTP error! status: 422", data: { status: 422, body: { why: "no" } } },
    ],
    ["has no address", () => undefined, { url: "scan" }, { label: "InvalidUrl" }],
  ])("whose answer %s is an error", async (_, answer, request, error) => {
    const { ask } = await service(answer);
    expect(await failure(ask(request))).toMatchObject(error);
  });

  it("may have an answer as large as it says", async () => {
    const { ask } = await service((_, response) => response.end(JSON.stringify("x".repeat(2_000_000))));
    expect((await ask({ mostBytes: 3_000_000 })).json).toHaveLength(2_000_000);
    // What it was sent may come back, however it is written.
    expect((await ask({ body: "ü".repeat(200_000) })).json).toHaveLength(2_000_000);
  });

  it("goes to no private address on anybody's word but the operator's", async () => {
    const { ask, received } = await service((_, response) => json(response, 200, {}));
    expect(await failure(ask({}, "acme", false))).toMatchObject({ label: "AddressBlocked" });
    for (const url of ["http://10.0.0.1/", "http://169.254.169.254/latest", "http://localhost:1/", "http://[::1]:1/"])
      expect(await failure(ask({ url }, "acme", false))).toMatchObject({ label: "AddressBlocked" });
    expect(received).toEqual([]);
  });

  it("tells of no header that was sent, though the service quotes it", async () => {
    const { ask } = await service(({ headers }, response) =>
      json(response, 401, { error: `bad key ${headers.authorization?.slice(7)}`, all: headers }),
    );
    const error = await failure(ask({ headers: { authorization: "Bearer sk-secret-1", "x-key": "another-secret" } }));
    expect(error).toMatchObject({ data: { status: 401, body: { error: "bad key [hidden]" } } });
    expect(inspect(error, { depth: 9 })).not.toMatch(/sk-secret-1|another-secret/);
  });

  it("tells of none either where the service writes its letters by number", async () => {
    const { ask } = await service((_, response) =>
      response.writeHead(401).end('{"error":"bad key sk\\u002Dsecret\\/1"}'),
    );
    const error = await failure(ask({ headers: { authorization: "Bearer sk-secret/1" } }));
    expect(error).toMatchObject({ data: { body: { error: "bad key [hidden]" } } });
  });
});

describe("a service that fails", () => {
  it.each<[string, Answering]>([
    ["with a status", (_, response) => json(response, 503, {})],
    ["by breaking off", (_, response) => response.destroy()],
  ])("%s is not asked for a while after five times in a row", async (_, failing) => {
    const state = { well: false };
    const { ask, received, clock } = await service((request, response, incoming) =>
      state.well ? json(response, 200, { well: true }) : failing(request, response, incoming),
    );
    for (let at = 0; at < 5; at++) await failure(ask());
    const before = received.length;
    expect(await failure(ask())).toMatchObject({ label: "CircuitOpen" });
    clock.now = 29_999;
    expect(await failure(ask())).toMatchObject({ label: "CircuitOpen" });
    expect(received).toHaveLength(before);

    // One tries, and fails: the rest begins anew.
    clock.now = 30_000;
    expect((await failure(ask())).label).not.toBe("CircuitOpen");
    expect(await failure(ask())).toMatchObject({ label: "CircuitOpen" });
    expect(received).toHaveLength(before + 1);

    clock.now = 60_000;
    state.well = true;
    expect((await ask()).json).toEqual({ well: true });
    expect((await ask()).json).toEqual({ well: true });

    // It takes five again.
    state.well = false;
    for (let at = 0; at < 5; at++) expect((await failure(ask())).label).not.toBe("CircuitOpen");
    expect(await failure(ask())).toMatchObject({ label: "CircuitOpen" });
  });

  it("has not failed where nobody waited for it", async () => {
    const state = { well: false };
    const { ask, clock } = await service((_, response) => json(response, state.well ? 200 : 503, {}));
    const givenUp = () => failure(ask({}, "acme", true, AbortSignal.abort()));
    for (let at = 0; at < 5; at++) expect(await givenUp()).toMatchObject({ label: "ClientGone" });
    for (let at = 0; at < 5; at++) expect(await failure(ask())).toMatchObject({ label: "HttpError" });
    expect(await failure(ask())).toMatchObject({ label: "CircuitOpen" });
    // One tries, and is given up: the next one may.
    clock.now = 30_000;
    expect(await givenUp()).toMatchObject({ label: "ClientGone" });
    state.well = true;
    expect((await ask()).status).toBe(200);
  });

  it("is asked by other families, and at other hosts, all the same", async () => {
    const { ask, received } = await service((_, response) => json(response, 500, {}));
    const other = await startUpstream((_, response) => json(response, 200, {}));
    for (let at = 0; at < 5; at++) await failure(ask());
    expect(await failure(ask({}, "other"))).toMatchObject({ label: "HttpError" });
    expect(await ask({ url: other.url })).toMatchObject({ status: 200 });
    expect(received).toHaveLength(6);
  });

  it.each<[string, number, boolean]>([
    ["refuses", 429, true],
    ["answers", 200, false],
  ])("only when it fails: not when it %s with %d", async (_, status, isError) => {
    const { ask, received } = await service((_, response) => json(response, status, {}));
    for (let at = 0; at < 7; at++) await (isError ? failure(ask()) : ask());
    expect(received).toHaveLength(7);
  });
});

const asksThere = defineCheck({
  id: "acme.scan",
  summary: "Passes what the service answers.",
  parameters: z.object({ url: z.string() }),
  async run(_, { url }, tools) {
    const { json } = await tools.ask({
      url,
      headers: { ...tools.forwarded, authorization: `Bearer ${tools.credentials.apiKey}`, "x-acme-key": "own" },
      body: { a: 1 },
    });
    return { verdict: true, data: json };
  },
});

describe("the tools of a check", () => {
  const toolsFor = (use: Partial<CheckUse> = {}, credentials = { acme: { apiKey: "of-the-deployment" } }) => {
    const call = () => Promise.reject(new Error("nobody is called"));
    const surroundings = { ask: outboundHere(), call, log: silentLogger, credentials, timeout: undefined };
    return new CheckRegistry(surroundings).tools(asksThere, { trusted: false, ...use });
  };
  const run = (url: string, tools: ReturnType<typeof toolsFor>) =>
    Promise.resolve(asksThere.run({ text: "", texts: [], target: "request" }, { url }, tools));

  it("ask no longer than somebody waits for the check", async () => {
    const ending = new AbortController();
    const { url } = await startUpstream(() => ending.abort());
    const { label } = await failure(run(url, toolsFor({ signal: ending.signal, trusted: true })));
    expect([label, toolsFor({ signal: ending.signal }).signal?.aborted]).toEqual(["ClientGone", true]);
  });

  it("forward what is named of the client's headers, and never in place of the check's own", async () => {
    const { url, received } = await startUpstream((_, response) => json(response, 200, {}));
    const headers = {
      authorization: "Bearer of-the-client",
      "x-acme-key": "of-the-client",
      "content-type": "text/evil",
      "content-encoding": "gzip",
      accept: "text/html",
      "accept-encoding": "br",
      "x-tenant": ["a", "b"],
      "x-not-named": "1",
    };
    const forwardHeaders = Object.keys(headers).filter((name) => name !== "x-not-named");
    await run(url, toolsFor({ headers, forwardHeaders }));
    expect(received[0]?.headers).toMatchObject({
      authorization: "Bearer of-the-deployment",
      "x-acme-key": "own",
      "content-type": "application/json",
      accept: "application/json",
      "x-tenant": "a, b",
    });
    for (const name of ["content-encoding", "accept-encoding", "x-not-named"])
      expect(received[0]?.headers).not.toHaveProperty(name);
  });

  it.each<[string, Partial<CheckUse>, boolean]>([
    ["the deployment's credentials", {}, true],
    ["a guardrail's own, of the operator", { credentials: { apiKey: "own" }, trusted: true }, true],
    ["a guardrail's own, of anybody", { credentials: { apiKey: "own" } }, false],
  ])("with %s: %j", async (_, use, reaches) => {
    const { url, received } = await startUpstream((_, response) => json(response, 200, {}));
    const tools = toolsFor(use);
    expect(tools.trusted).toBe(reaches);
    const ran = run(url, tools);
    if (reaches) await ran;
    else expect(await failure(ran)).toMatchObject({ label: "AddressBlocked" });
    expect(received).toHaveLength(reaches ? 1 : 0);
  });

  it("keep to the guardrail's deadline before the check's", async () => {
    const { url } = await startUpstream(() => undefined);
    expect(await failure(run(url, toolsFor({ timeout: 20 })))).toMatchObject({
      label: "TimeoutError",
      message: expect.stringContaining("20 ms"),
    });
  });
});
