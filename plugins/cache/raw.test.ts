import { describe, expect, it, vi } from "vitest";
import { keys, startCached } from "./testing.ts";

const path = "/v1/proxy/tools/run";
const body = { tool: "clock", input: { zone: "UTC" } };

describe("answers to raw calls", () => {
  it("are kept and given again, whole and as they were", async () => {
    const { ask, calls } = await startCached();
    const first = await ask(body, { path });
    const again = await ask({ input: { zone: "UTC" }, tool: "clock" }, { path });
    expect([first.cache, again.cache]).toEqual(["MISS", "HIT"]);
    expect(again).toMatchObject({ status: 200, text: first.text });
    expect(again.headers.get("content-type")).toBe("application/json");
    expect(calls()).toBe(1);
  });

  it.each<[string, object, object]>([
    ["another body", { ...body, input: { zone: "CET" } }, {}],
    ["another field that other formats leave aside", { ...body, includeUsage: true }, {}],
    ["another model", { ...body, model: "m" }, {}],
    ["another path", body, { path: "/v1/proxy/tools/stop" }],
    ["another query", body, { path: `${path}?dry=true` }],
    ["another tenant", body, { key: keys.B }],
    ["another provider", body, { config: { provider: "@elsewhere", cache: "simple" } }],
    [
      "another body by its config",
      body,
      { config: { provider: "@openai", cache: "simple", override_params: { a: 1 } } },
    ],
    ["another header that goes on", body, { headers: { "openai-beta": "tools=v2" } }],
    ["other metadata", body, { headers: { "x-gateway-metadata": '{"_user":"ana"}' } }],
  ])("are not those of %s", async (_, other, asked) => {
    const { ask, calls } = await startCached();
    await ask(body, { path });
    expect((await ask(other, { path, ...asked })).cache).toBe("MISS");
    expect((await ask(body, { path })).cache).toBe("HIT");
    expect(calls()).toBe(2);
  });

  it("are shared by clients that differ only in what says nothing of the question", async () => {
    const { ask } = await startCached();
    await ask(body, { path, headers: { "user-agent": "one", traceparent: "a", "x-stainless-retry-count": "0" } });
    const other = { "user-agent": "two", traceparent: "b", "x-stainless-retry-count": "1", "accept-encoding": "gzip" };
    expect((await ask(body, { path, headers: other })).cache).toBe("HIT");
  });

  it("are looked for below a path that says the same again and again, which is soon read", async () => {
    const { ask } = await startCached();
    const endless = { path: `${"/v1".repeat(2000)}${"/models/:".repeat(1000)}` };
    const found: unknown[] = [];
    for (let time = 0; time < 3; time++) found.push((await ask(body, endless)).cache);
    expect(found).toEqual(["MISS", "HIT", "HIT"]);
  });

  it.each<[string, object, object]>([
    ["that are to be streamed", { ...body, stream: true }, {}],
    ["that a vendor keeps", { ...body, store: true }, {}],
    ["that go on from one that a vendor kept", { ...body, previous_response_id: "resp_1" }, {}],
    ["for a credential of the client's own", body, { headers: { "x-api-key": "own-key-0123456789" } }],
    [
      "for a credential of the config's own",
      body,
      { config: { provider: "openai", api_key: "sk-1", cache: "simple" } },
    ],
    ["about things a vendor keeps", body, { path: "/v1/threads/runs" }],
    ["about a response a vendor keeps", body, { path: "/v1/responses/resp_1/cancel" }],
    ["about a batch", body, { path: "/v1/batches" }],
    ["about a video that is being made", body, { path: "/v1/proxy/v1/projects/p/models/veo:fetchPredictOperation" }],
    ["about a task of a vendor's", body, { path: "/v1/proxy/contents/generations/tasks" }],
    ["about a batch of Anthropic's", body, { path: "/v1/messages/batches" }],
    ["about a batch of Google's", body, { path: "/v1/models/gemini-2.5-flash:batchGenerateContent" }],
    ["that begins a conversation", body, { path: "/v1/conversations" }],
    ["that begins one below /v1/proxy", body, { path: "/v1/proxy/conversations" }],
    ["that keeps a prompt, at a version below it", body, { path: "/v1/proxy/v1beta/cachedContents" }],
    ["that begins a video", body, { path: "/v1/videos" }],
    ["that makes an agent", body, { path: "/v1/agents" }],
    ["about a batch at another version", body, { path: "/v2/batches" }],
    ["about a tuning job", body, { path: "/v1/fine-tuning/jobs" }],
    ["made for one client", body, { path: "/v1/realtime/client_secrets" }],
    ["of a config without a cache", body, { config: { provider: "@openai" } }],
  ])("are not kept %s", async (_, asked, more) => {
    const { ask, calls } = await startCached();
    for (let time = 0; time < 2; time++) expect((await ask(asked, { path, ...more })).cache).toBe("DISABLED");
    expect(calls()).toBe(2);
  });

  it.each<[string, object]>([
    ["is a failure", { fails: 500 }],
    ["is no JSON", { says: "plain" }],
    ["is cut", { says: "cut" }],
    ["only says that it is JSON", { says: "broken" }],
  ])("are not kept where what comes %s", async (_, asked) => {
    const { ask, calls } = await startCached();
    for (let time = 0; time < 2; time++)
      await ask({ ...body, ...asked }, { path }).then(
        ({ cache }) => expect(cache).toBe("MISS"),
        // Of an answer that is cut a client has nothing.
        () => undefined,
      );
    expect(calls()).toBe(2);
  });

  it("are kept plain, however they were packed for the client", async () => {
    const { ask } = await startCached();
    const first = await ask({ ...body, says: "packed" }, { path });
    // Unpacking takes a thread of its own, and is not waited for.
    const again = await vi.waitFor(async () => {
      const found = await ask({ ...body, says: "packed" }, { path, headers: { "accept-encoding": "identity" } });
      expect(found.cache).toBe("HIT");
      return found;
    });
    expect(Object.keys(JSON.parse(again.text))).toEqual(Object.keys(JSON.parse(first.text)));
    expect(again.headers.get("content-encoding")).toBeNull();
  });

  it("are replaced where the client wants a new one", async () => {
    const { ask, calls } = await startCached();
    await ask(body, { path });
    const fresh = await ask(body, { path, headers: { "x-gateway-cache-force-refresh": "true" } });
    expect([fresh.cache, (await ask(body, { path })).text]).toEqual(["REFRESH", fresh.text]);
    expect(calls()).toBe(2);
  });

  it("are those of the target that answered", async () => {
    const { ask } = await startCached();
    const config = {
      cache: "simple",
      strategy: { mode: "fallback" },
      targets: [{ provider: "@openai", override_params: { fails: 500 } }, { provider: "@other" }],
    };
    const [first, again] = [await ask(body, { path, config }), await ask(body, { path, config })];
    expect([first.cache, again.cache]).toEqual(["MISS", "HIT"]);
    expect(again.text).toBe(first.text);
    expect((await ask(body, { path, config: { provider: "@other", cache: "simple" } })).cache).toBe("HIT");
  });

  it("may be those of paths below /v1 that nobody else serves", async () => {
    const { ask, calls } = await startCached();
    expect((await ask(body, { path: "/v1/tools/run" })).cache).toBe("MISS");
    expect((await ask(body, { path: "/v1/tools/run" })).cache).toBe("HIT");
    expect(calls()).toBe(1);
  });
});
