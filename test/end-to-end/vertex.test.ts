import { describe, expect, it } from "vitest";
import { answers, bodyOf, message, messages, startClouds } from "../support/clouds.ts";

const vertexPath = "/vertex/v1/projects/p2/locations/us-central1";

describe("vertex-ai", () => {
  it("fetches nothing at the start, and one token for all calls", async () => {
    const { upstream, post } = await startClouds();
    expect(upstream.received).toEqual([]);
    const model = "vertex/gemini-2.5-pro";
    const both = await Promise.all([0, 1].map(() => post("/v1/chat/completions", { model, messages })));
    expect(both.map(({ status }) => status)).toEqual([200, 200]);
    const [token, ...calls] = upstream.received;
    expect(token?.url).toBe("/google/token");
    expect(calls.map(({ url }) => url)).toEqual(
      Array(2).fill(`${vertexPath}/publishers/google/models/gemini-2.5-pro:generateContent`),
    );
    expect(calls.map(({ headers }) => headers.authorization)).toEqual(Array(2).fill("Bearer google-token-0123456789"));
    expect(JSON.parse(both[0]?.text ?? "")).toMatchObject({
      choices: [{ message: { content: "Hi" }, finish_reason: "stop" }],
      usage: { prompt_tokens: 3, completion_tokens: 2 },
    });
    expect(both[0]?.headers.get("x-gateway-provider")).toBe("vertex-ai");
  });

  it("streams Gemini to clients of every format", async () => {
    const { upstream, post } = await startClouds();
    const model = "vertex/gemini-2.5-pro";
    const chat = await post("/v1/chat/completions", { model, messages, stream: true });
    expect(chat.text).toContain('"content":"H"');
    expect(chat.text).toMatch(/data: \[DONE\]\n\n$/);
    const claude = await post("/v1/messages", { model, messages, max_tokens: 5, stream: true });
    expect(claude.text).toContain("event: message_stop");
    const contents = [{ role: "user", parts: [{ text: "How are you?" }] }];
    const own = await post(`/v1beta/models/${model}:streamGenerateContent?alt=sse`, { contents });
    expect(own.text).toBe(answers.find(([path]) => path.test(":streamGenerateContent"))?.[1]);
    expect(new Set(upstream.received.slice(1).map(({ url }) => url))).toEqual(
      new Set([`${vertexPath}/publishers/google/models/gemini-2.5-pro:streamGenerateContent?alt=sse`]),
    );
    expect(bodyOf(upstream.received.at(-1))).toEqual({ contents });
  });

  it("asks Claude in its own format, with the version in the body and fewer betas", async () => {
    const { upstream, post } = await startClouds();
    const model = "vertex/anthropic.claude-sonnet-4@20250514";
    const body = { model, messages, max_tokens: 5, output_config: { effort: "low" } };
    const beta = { "anthropic-beta": "files-api-2025-04-14,context-1m-2025-08-07" };
    const whole = await post("/v1/messages", body, beta);
    expect(JSON.parse(whole.text)).toEqual(message);
    expect(whole.headers.get("x-gateway-dropped-params")).toBe("output_config");
    const [, asked] = upstream.received;
    expect(asked?.url).toBe(`${vertexPath}/publishers/anthropic/models/claude-sonnet-4@20250514:rawPredict`);
    expect(asked?.headers["anthropic-beta"]).toBe("context-1m-2025-08-07");
    expect(bodyOf(asked)).toEqual({ messages, max_tokens: 5, anthropic_version: "vertex-2023-10-16" });

    const chat = await post("/v1/chat/completions", { model, messages, stream: true });
    expect(chat.text).toContain('"content":"Hi"');
    expect(chat.text).toMatch(/data: \[DONE\]\n\n$/);
    expect(upstream.received.at(-1)?.url).toMatch(/:streamRawPredict$/);
    expect(bodyOf(upstream.received.at(-1))).toMatchObject({ stream: true });
  });

  it("asks Claudes from 4.6 on for the effort and the schema that clients of its own format name (decision 0057)", async () => {
    const { upstream, post } = await startClouds();
    const format = { type: "json_schema", schema: { type: "object", properties: {}, additionalProperties: false } };
    const output_config = { effort: "low", format };
    const own = { messages, max_tokens: 5, output_config };
    for (const name of ["claude-opus-4-6", "claude-sonnet-5-5@20261001", "claude-mythos-preview"]) {
      const reply = await post("/v1/messages", { model: `vertex/anthropic.${name}`, ...own });
      expect(reply.headers.get("x-gateway-dropped-params")).toBeNull();
      expect(bodyOf(upstream.received.at(-1))).toEqual({ ...own, anthropic_version: "vertex-2023-10-16" });
    }
    const earlier = await post("/v1/messages", { model: "vertex/anthropic.claude-haiku-4-5@20251001", ...own });
    expect(earlier.headers.get("x-gateway-dropped-params")).toBe("output_config");
    expect(bodyOf(upstream.received.at(-1))).not.toHaveProperty("output_config");
  });

  it("asks newer Claudes to leave thinking out that is no longer theirs, besides what the client asks in the header", async () => {
    const { upstream, post } = await startClouds();
    const thinking = { type: "thinking", thinking: "Hm.", signature: "PROOF" };
    const answer = { role: "assistant", content: "Yes?", content_blocks: [thinking, { type: "text", text: "Yes?" }] };
    const later = [...messages, answer, { role: "system", content: "Shout." }, ...messages];
    const body = { model: "vertex/anthropic.claude-opus-5-5", messages: later };
    const chat = await post("/v1/chat/completions", body, { "anthropic-beta": "context-1m-2025-08-07" });
    expect(chat.status).toBe(200);
    const asked = upstream.received.at(-1);
    expect(asked?.headers["anthropic-beta"]).toBe("context-1m-2025-08-07,thinking-binding-controls-2026-08-01");
    const block_binding = { prefix_mismatch_behavior: "drop_block" };
    expect(bodyOf(asked)).toMatchObject({ thinking: { type: "adaptive", block_binding } });
    expect(bodyOf(asked)).not.toHaveProperty("anthropic_beta");
    expect(bodyOf(asked)).toMatchObject({ messages: [{}, { content: [thinking, {}] }, {}, { role: "system" }] });
  });

  it("labels calls of Gemini with the metadata of the request, and with what the body says", async () => {
    const { upstream, post } = await startClouds();
    const model = "vertex/gemini-2.5-pro";
    const about = { "x-gateway-metadata": JSON.stringify({ Team: "R&D", empty: "", _user: "ann@x" }) };
    const labels = { gateway_team: "r_d", gateway__user: "ann_x" };
    await post("/v1/chat/completions", { model, messages, labels: { own: "1" } }, about);
    expect(bodyOf(upstream.received.at(-1))).toMatchObject({ labels: { own: "1", ...labels } });
    const contents = [{ role: "user", parts: [{ text: "Hi" }] }];
    await post(`/v1beta/models/${model}:generateContent`, { contents, labels: { gateway_team: "own" } }, about);
    expect(bodyOf(upstream.received.at(-1))).toEqual({ contents, labels: { ...labels, gateway_team: "own" } });
  });

  it("says nothing beside the alternatives of a schema", async () => {
    const { upstream, post } = await startClouds();
    const anyOf = [{ type: "string" }, { type: "integer" }];
    const parameters = {
      type: "object",
      properties: { anyOf: { type: "string", title: "A" }, b: { title: "B", default: 1, description: "d", anyOf } },
    };
    const tools = [{ type: "function", function: { name: "f", parameters } }];
    await post("/v1/chat/completions", { model: "vertex/gemini-2.5-pro", messages, tools });
    const sent = { ...parameters, properties: { ...parameters.properties, b: { description: "d", anyOf } } };
    expect(bodyOf(upstream.received.at(-1))).toMatchObject({
      tools: [{ functionDeclarations: [{ parameters: sent }] }],
    });
    expect(JSON.stringify(bodyOf(upstream.received.at(-1)))).not.toContain('"title":"B"');
  });

  it("asks Gemini without the ids of calls, which its own API takes and this host refuses", async () => {
    const { upstream, post } = await startClouds();
    const model = "vertex/gemini-2.5-pro";
    const call = { id: "call_1", type: "function", function: { name: "f", arguments: '{"id":1}' } };
    const history = [...messages, { role: "assistant", content: null, tool_calls: [call] }];
    await post("/v1/chat/completions", {
      model,
      messages: [...history, { role: "tool", tool_call_id: "call_1", content: "r" }],
    });
    const [, called, answered] = (bodyOf(upstream.received.at(-1)) as { contents: unknown[] }).contents;
    expect(called).toEqual({ role: "model", parts: [{ functionCall: { name: "f", args: { id: 1 } } }] });
    const result = { name: "f", response: { output: "r" } };
    expect(answered).toEqual({ role: "function", parts: [{ functionResponse: result }] });
    const told = (ids: object) => ({
      contents: [
        { role: "model", parts: [{ function_call: { name: "f", ...ids } }] },
        { role: "user", parts: { functionResponse: { ...result, ...ids } } },
      ],
    });
    for (const action of ["generateContent", "countTokens"]) {
      await post(`/v1beta/models/${model}:${action}`, told({ id: "1" }));
      expect(bodyOf(upstream.received.at(-1))).toEqual(told({}));
    }
  });

  it("tells Gemini from 3 on the ids of calls, which this host has by now", async () => {
    const { upstream, post } = await startClouds();
    const model = "vertex/gemini-3.5-flash";
    const contents = [
      { role: "model", parts: [{ functionCall: { id: "1", name: "f", args: {} } }] },
      { role: "user", parts: [{ functionResponse: { id: "1", name: "f", response: {} } }] },
    ];
    for (const action of ["generateContent", "countTokens"]) {
      await post(`/v1beta/models/${model}:${action}`, { contents });
      expect(bodyOf(upstream.received.at(-1))).toEqual({ contents });
    }
  });

  it("names the tier of a request in a header, whoever asks for it", async () => {
    const { upstream, post } = await startClouds();
    const model = "vertex/gemini-2.5-pro";
    const header = "x-vertex-ai-llm-shared-request-type";
    const contents = [{ role: "user", parts: [{ text: "Hi" }] }];
    const own = `/v1beta/models/${model}:generateContent`;
    for (const [path, body, headers, tier] of [
      ["/v1/chat/completions", { model, messages, service_tier: "flex" }, {}, "flex"],
      [own, { contents, serviceTier: "SERVICE_TIER_PRIORITY" }, {}, "priority"],
      [own, { contents, serviceTier: "unspecified" }, {}, undefined],
      [own, { contents }, { [header]: "priority" }, "priority"],
    ] as const) {
      expect((await post(path, body, headers)).headers.get("x-gateway-dropped-params")).toBeNull();
      expect(upstream.received.at(-1)?.headers[header]).toBe(tier);
      expect(bodyOf(upstream.received.at(-1))).not.toHaveProperty("serviceTier");
    }
  });

  it("asks Claude for the schema and the effort of a chat", async () => {
    const { upstream, post } = await startClouds();
    const schema = { type: "object", properties: { a: { type: "string" } }, additionalProperties: false };
    const answered = await post("/v1/chat/completions", {
      model: "vertex/anthropic.claude-opus-4-6",
      messages,
      reasoning_effort: "low",
      response_format: { type: "json_schema", json_schema: { name: "a", schema } },
    });
    expect(answered.headers.get("x-gateway-dropped-params")).toBeNull();
    expect(bodyOf(upstream.received.at(-1))).toMatchObject({
      thinking: { type: "adaptive" },
      output_config: { effort: "low", format: { type: "json_schema", schema } },
    });
  });

  it.each([
    [
      "meta.llama-4",
      "/vertex/v1beta1/projects/p2/locations/us-central1/endpoints/openapi/chat/completions",
      "meta/llama-4",
    ],
    ["endpoints.123", `${vertexPath}/endpoints/123/chat/completions`, undefined],
  ])("asks %s in OpenAI's format", async (model, path, named) => {
    const { upstream, post } = await startClouds();
    const { status } = await post("/v1/chat/completions", { model: `vertex/${model}`, messages, max_tokens: 9 });
    expect(status).toBe(200);
    expect(upstream.received.at(-1)?.url).toBe(path);
    expect(bodyOf(upstream.received.at(-1))).toEqual({ ...(named && { model: named }), messages, max_tokens: 9 });
  });

  it("embeds by prediction", async () => {
    const { upstream, post } = await startClouds();
    const { text } = await post("/v1/embeddings", { model: "vertex/text-embedding-005", input: ["a"], dimensions: 1 });
    expect(bodyOf(upstream.received.at(-1))).toEqual({
      instances: [{ content: "a" }],
      parameters: { outputDimensionality: 1 },
    });
    expect(JSON.parse(text)).toMatchObject({
      data: [{ embedding: [0.5], index: 0 }],
      usage: { prompt_tokens: 2, total_tokens: 2 },
    });
  });

  it("tells its errors, also those in a list, and never the token in them", async () => {
    const { post } = await startClouds();
    const { status, text } = await post("/v1/chat/completions", { model: "vertex/absent", messages });
    expect(status).toBe(404);
    const { error } = JSON.parse(text);
    expect(error).toMatchObject({ type: "NOT_FOUND", param: null, code: "404" });
    expect(error.message).toMatch(/^vertex-ai error: no model for /);
    expect(text).not.toContain("google-token-0123456789");
  });

  it("lets a request choose the region, but no project with the stored account", async () => {
    const { upstream, post } = await startClouds();
    const ask = (headers: Record<string, string>) =>
      post("/v1/chat/completions", { model: "vertex/gemini-2.5-pro", messages }, headers);
    await ask({ "x-gateway-vertex-region": "europe-west4" });
    expect(upstream.received.at(-1)?.url).toContain("/locations/europe-west4/");
    const bad = await ask({ "x-gateway-vertex-region": "evil.example/" });
    expect(bad.status).toBe(400);
    expect(bad.text).toContain("vertex-region");
    const calls = upstream.received.length;
    const other = await ask({ "x-gateway-vertex-project-id": "other" });
    expect(other.status).toBe(401);
    expect(upstream.received).toHaveLength(calls);
  });

  it("is called for callers with a token and a project of their own, where they say", async () => {
    const { upstream, post } = await startClouds();
    const headers = {
      "x-gateway-provider": "vertex-ai",
      "x-gateway-custom-host": `${upstream.url}/own`,
      "x-gateway-vertex-region": "global",
      authorization: "Bearer callers-token",
    };
    const body = { model: "gemini-2.5-pro", messages };
    const without = await post("/v1/chat/completions", body, headers);
    expect(without.status).toBe(400);
    expect(without.text).toContain("vertex-project-id");
    const { status } = await post("/v1/chat/completions", body, { ...headers, "x-gateway-vertex-project-id": "own-p" });
    expect(status).toBe(200);
    const [asked] = upstream.received;
    expect(asked?.url).toBe(
      "/own/v1/projects/own-p/locations/global/publishers/google/models/gemini-2.5-pro:generateContent",
    );
    expect(asked?.headers.authorization).toBe("Bearer callers-token");
  });
});
