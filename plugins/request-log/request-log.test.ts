import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { question, type Recording, startRecording } from "./testing.ts";

let recording: Recording;
beforeAll(async () => {
  const prompts = { greeting: { string: "Tea for {{name}}", model: "m", virtual_key: "simulator" } };
  recording = await startRecording(
    { headersToMetadata: "X-Team, x-region", sensitiveHeaders: ["x-customer"] },
    { plugins: { prompts: { prompts }, checks: {}, guardrails: {} } },
  );
});
afterAll(() => recording.stop());

const uuid = expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7/);
const spanId = expect.stringMatching(/^[0-9a-f]{16}$/);
const { messages } = question;

const changing = JSON.stringify({
  provider: "@simulator",
  input_guardrails: [{ addPrefix: { prefix: "Milk, not " } }],
});

const fallback = (first: string, more: object = {}) => ({
  strategy: { mode: "fallback" },
  targets: [
    { provider: "@simulator", override_params: { model: first }, ...more },
    { provider: "@claude", override_params: { model: "second" } },
  ],
});

describe("labels of a request", () => {
  const labels = async (headers: Record<string, string>) => {
    const { id } = await recording.ask(question, { headers });
    const { metrics } = await recording.record(id);
    const keys = metrics["metadata.key"] as string[];
    return Object.fromEntries(keys.map((key, at) => [key, metrics["metadata.value"][at]]));
  };

  it("are those of the header, of the config, of headers that stand for labels, and of baggage last", async () => {
    const metadata = { a: "config", b: "config", c: "config", "x-team": "config" };
    const config = JSON.stringify({ provider: "@simulator", metadata });
    const baggage = "a=baggage,b=baggage,d=baggage,x-team=baggage,x-region=baggage";
    const headers = { baggage, "x-team": "captured", "x-region": "captured" };
    expect(await labels({ ...headers, "x-gateway-config": config, "x-gateway-metadata": '{"a":"header"}' })).toEqual({
      a: "header",
      b: "config",
      c: "config",
      d: "baggage",
      "x-team": "config",
      "x-region": "captured",
    });
    expect((await labels({ ...headers, "x-gateway-metadata": '{"x-team":"baggage"}' }))["x-team"]).toBe("baggage");
  });

  it("are read as UTF-8, and never end in half a character", async () => {
    const text = (value: string) => Buffer.from(value).toString("latin1");
    const metadata = JSON.stringify({ city: "München", long: `${"x".repeat(127)}😀` });
    expect(await labels({ "x-gateway-metadata": text(metadata), "x-team": text("Größe"), "x-region": "\xe9" })).toEqual(
      {
        city: "München",
        long: "x".repeat(127),
        "x-team": "Größe",
        "x-region": "é",
      },
    );
  });
});

describe("a request", () => {
  it("is recorded with everything that became known of it", async () => {
    const { id, status } = await recording.ask(
      { ...question, user: "u-1" },
      {
        headers: {
          "x-gateway-metadata": JSON.stringify({
            plan: "pro",
            _environment: "test",
            deep: { a: 1 },
            long: "x".repeat(200),
          }),
          "x-gateway-trace-id": "case-1",
          "x-gateway-span-id": "span-1",
          "x-team": "claims",
          "x-customer": "acme",
          "x-stainless-runtime": "node",
          "x-stainless-runtime-version": "v22.1.0",
          "x-stainless-package-version": "5.0.1",
        },
      },
    );
    expect(status).toBe(200);
    const { metrics, ...object } = await recording.record(id);
    expect(metrics).toMatchObject({
      id,
      organisation_id: recording.organisation,
      organisation_name: "Organisation",
      workspace_slug: recording.workspace.slug,
      api_key_name: "team",
      is_success: true,
      ai_org: "simulator",
      ai_model: "m",
      req_units: 4,
      res_units: 8,
      total_units: 12,
      cost: null,
      request_url: "https://simulator.invalid/chat/completions",
      request_method: "POST",
      response_status_code: 200,
      is_proxy_call: false,
      stream_mode: 0,
      retry_success_count: 0,
      mode: "single",
      last_used_option_index: 0,
      provider_slug: "simulator",
      config: null,
      trace_id: "case-1",
      span_id: "span-1",
      parent_span_id: null,
      internal_trace_id: id,
      source: "gateway",
      runtime: "node",
      runtime_version: "v22.1.0",
      sdk_version: "5.0.1",
      _user: "u-1",
      _environment: "test",
      "metadata.key": ["plan", "deep", "long", "x-team"],
      "metadata.value": ["pro", '{"a":1}', "x".repeat(128), "claims"],
      endpoint_type: "chatComplete",
    });
    expect(metrics.response_time).toBeGreaterThanOrEqual(metrics.ttlt);
    expect(object).toMatchObject({
      _id: id,
      organisation_id: recording.organisation,
      created_at: metrics.created_at,
      request: {
        url: "https://simulator.invalid/chat/completions",
        method: "POST",
        body: { model: "m", messages, user: "u-1" },
        gatewayHeaders: { "x-gateway-trace-id": "case-1" },
      },
      response: { status: 200, lastUsedOptionJsonPath: "config", body: { choices: [{ finish_reason: "stop" }] } },
      finalUntransformedRequest: { body: { model: "m", messages } },
      transformedRequest: { method: "POST", headers: { "content-type": "application/json" } },
      originalResponse: { body: { usage: { total_tokens: 12 } } },
      log_format: "v1",
    });
    expect(object.response.headers["x-gateway-request-id"]).toBe(id);
  });

  it.each<[string, string, object, object]>([
    ["of another format", "/v1/messages", { ...question, max_tokens: 9 }, { endpoint_type: "messages" }],
    ["for a completion", "/v1/completions", { model: "m", prompt: "once" }, { endpoint_type: "complete" }],
    [
      "for anything else",
      "/v1/proxy/things?key=hidden&a=1",
      { a: 1 },
      { is_proxy_call: true, source: "proxy", request_url: "https://simulator.invalid/things?a=1" },
    ],
  ])("%s is recorded as what it is", async (_, path, body, wanted) => {
    const { id } = await recording.ask(body, { path, headers: { "x-gateway-provider": "@simulator" } });
    const { metrics, request } = await recording.record(id);
    expect(metrics).toMatchObject({ response_status_code: 200, ...wanted });
    expect(request.body).toMatchObject(body);
  });

  it.each([
    ["what it was rendered with", {}, { variables: { name: "Ana", cups: [1, 2] } }],
    ["nothing of that where nothing is kept", { "x-gateway-debug": "false" }, {}],
    ["nothing of that where a guardrail changed what it came to", { "x-gateway-config": changing }, {}],
  ])("made of a prompt is recorded with %s", async (_, headers, kept) => {
    const body = { variables: { name: "Ana", cups: [1, 2] } };
    const { id, status } = await recording.ask(body, { path: "/v1/prompts/greeting/completions", headers });
    expect(status).toBe(200);
    const record = await recording.record(id);
    expect(record.metrics).toMatchObject({ prompt_slug: "greeting" });
    expect("variables" in record ? { variables: record.variables } : {}).toEqual(kept);
  });

  it("for vectors is recorded without them", async () => {
    const { id, text } = await recording.ask({ model: "m", input: ["a", "b"] }, { path: "/v1/embeddings" });
    expect(JSON.parse(text).data[0].embedding.length).toBeGreaterThan(1);
    const { response, originalResponse, metrics } = await recording.record(id);
    for (const { body } of [response, originalResponse])
      expect(body).toMatchObject({ model: "m", data: [{ embedding: [] }, { embedding: [] }], usage: {} });
    expect(metrics.req_units).toBeGreaterThan(0);
  });

  it("with a file is recorded without its content", async () => {
    const form = new FormData();
    form.append("model", "simulator/m");
    form.append("file", new Blob(["sound".repeat(1000)], { type: "audio/wav" }), "voice.wav");
    const { id } = await recording.ask(form, { path: "/v1/audio/transcriptions" });
    const { finalUntransformedRequest } = await recording.record(id);
    expect(finalUntransformedRequest.body).toEqual({
      model: "simulator/m",
      file: { filename: "voice.wav", content_type: "audio/wav", bytes: 5000 },
    });
  });

  it("that is refused before it goes anywhere is recorded with its answer", async () => {
    const { id, status, text } = await recording.ask(undefined, { headers: { "x-gateway-config": "no-such-config" } });
    expect(status).toBe(400);
    const { metrics, response, request } = await recording.record(id);
    expect(metrics).toMatchObject({
      response_status_code: 400,
      is_success: false,
      ai_org: null,
      request_url: "/v1/chat/completions",
    });
    expect(response.body).toEqual(JSON.parse(text));
    expect(request.body).toEqual(question);
  });

  it("of nobody, and one of the management API, is not recorded", async () => {
    const { id, status } = await recording.ask(undefined, { as: null });
    expect(status).toBe(401);
    const { id: managed } = await recording.ask(null, { path: "/v1/admin/workspaces", method: "GET" });
    const { id: later } = await recording.ask();
    await recording.record(later);
    for (const one of [id, managed]) expect((await recording.admin("GET", `/logs/${one}`)).status).toBe(404);
  });
});

describe("targets that are tried", () => {
  it("continues no trace that is none, and has the name it was given", async () => {
    const traceparent = `00-${"0".repeat(32)}-b7ad6b7169203331-01`;
    const name = Buffer.from("Übersicht").toString("latin1");
    const { id } = await recording.ask(question, { headers: { traceparent, "x-gateway-span-name": name } });
    expect((await recording.record(id)).metrics).toMatchObject({
      trace_id: id,
      parent_span_id: null,
      span_name: "Übersicht",
    });
  });

  it("have a record each, in one trace, below the one the client was answered from", async () => {
    const { id, status } = await recording.ask(undefined, {
      config: fallback("fault-status-503"),
      headers: { traceparent: "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01" },
    });
    expect(status).toBe(200);
    const rows = await recording.trace("0af7651916cd43dd8448eb211c80319c", 2);
    // Both may have begun in the same millisecond.
    const [first, last] = rows.toSorted((one, other) => one.last_used_option_index - other.last_used_option_index);
    expect(first).toMatchObject({
      id: uuid,
      internal_trace_id: id,
      response_status_code: 503,
      is_success: false,
      mode: "fallback",
      config: "inline",
      last_used_option_index: 0,
      ai_model: "fault-status-503",
      total_units: null,
      span_id: spanId,
      parent_span_id: last.span_id,
    });
    expect(last).toMatchObject({
      id,
      internal_trace_id: id,
      response_status_code: 200,
      last_used_option_index: 1,
      ai_model: "second",
      virtual_key: "claude",
      total_units: 12,
      parent_span_id: "b7ad6b7169203331",
      span_name: "POST /v1/chat/completions",
    });
    const [failed, answered] = [await recording.record(first.id), await recording.record(id)];
    expect(failed.response).toMatchObject({ status: 503, lastUsedOptionJsonPath: "config.targets[0]" });
    expect(failed.response.body.error.message).toContain("Simulated failure");
    expect(answered.response.body.object).toBe("chat.completion");
    expect(answered.originalResponse.body.type).toBe("message");
    expect(answered.transformedRequest.body).toMatchObject({ model: "second", max_tokens: expect.any(Number) });
    expect(answered.finalUntransformedRequest.body).toMatchObject({ model: "second", messages });
  });

  it("are one record with their retries", async () => {
    const config = {
      provider: "@simulator",
      retry: { attempts: 2, on_status_codes: [503] },
      override_params: { model: "fault-flaky-2:logs" },
    };
    const { id, status } = await recording.ask(undefined, { config, headers: { "x-gateway-trace-id": "retried" } });
    expect(status).toBe(200);
    const rows = await recording.trace("retried", 1);
    expect(rows).toMatchObject([
      { id, retry_success_count: 2, mode: "single", request_parsing_time: expect.any(Number) },
    ]);
    expect(rows[0].gateway_processing_time).toBeLessThan(rows[0].response_time);
  });

  it("are recorded when they are given up for another, and when they are only shadows", async () => {
    const hedged = {
      // Records are in the order in which calls began, by the millisecond.
      strategy: { mode: "hedge", delay: 20 },
      targets: [{ provider: "@simulator", override_params: { model: "fault-slow-5000" } }, { provider: "@claude" }],
    };
    const { id } = await recording.ask(undefined, { config: hedged, headers: { "x-gateway-trace-id": "hedged" } });
    const rows = await recording.trace("hedged", 2);
    expect(rows.map((row) => [row.id === id, row.response_status_code, row.ai_model])).toEqual([
      [false, 499, "fault-slow-5000"],
      [true, 200, "m"],
    ]);
    const shadowed = { strategy: { mode: "shadow" }, targets: [{ provider: "@simulator" }, { provider: "@claude" }] };
    await recording.ask(undefined, { config: shadowed, headers: { "x-gateway-trace-id": "shadowed" } });
    expect((await recording.trace("shadowed", 2)).map(({ virtual_key }) => virtual_key).sort()).toEqual([
      "claude",
      "simulator",
    ]);
  });
});

describe("a stream", () => {
  it.each<[string, string, object]>([
    ["passed through", "simulator/m", {}],
    ["translated", "claude/m", {}],
    ["with its usage", "simulator/m", { stream_options: { include_usage: true } }],
  ])("%s is recorded as the answer it was", async (_, model, more) => {
    const { id, text } = await recording.ask({ model, messages, stream: true, ...more });
    expect(text).toContain("data: [DONE]");
    const { metrics, response } = await recording.record(id);
    expect(response.body).toMatchObject({
      object: "chat.completion",
      choices: [{ message: { content: "Simulated answer from m: What is the time?" }, finish_reason: "stop" }],
    });
    expect(metrics).toMatchObject({ stream_mode: 1, is_success: true, ttft: expect.any(Number) });
    // What a vendor does not report is not known: it is not nothing.
    expect(metrics.total_units).toBe("stream_options" in more || model.startsWith("claude") ? 12 : null);
  });

  it("that is cut is no success, and is kept as far as it came", async () => {
    const { id, text } = await recording.ask({ model: "simulator/fault-cut-after-3", messages, stream: true });
    expect(text).not.toContain("[DONE]");
    const { metrics, response, truncated } = await recording.record(id);
    expect(metrics).toMatchObject({ response_status_code: 200, is_success: false });
    expect(truncated).toBe(true);
    expect(response.body.choices[0].message.content).toMatch(/^Simulated/);
    expect(response.body.choices[0]).not.toHaveProperty("finish_reason");
  });

  it("whose client leaves is recorded with what it got", async () => {
    const leaving = new AbortController();
    const { url } = recording.gateway;
    const response = await fetch(`${url}/v1/chat/completions`, {
      method: "POST",
      signal: leaving.signal,
      headers: {
        "content-type": "application/json",
        "x-test-principal": JSON.stringify({
          id: "c",
          organisation: recording.organisation,
          workspace: recording.workspace.id,
        }),
      },
      body: JSON.stringify({ model: "simulator/fault-stall-after-3", messages, stream: true }),
    });
    await response.body?.getReader().read();
    leaving.abort();
    const {
      metrics,
      client_disconnected,
      response: kept,
    } = await recording.record(response.headers.get("x-gateway-request-id") ?? "");
    expect(metrics).toMatchObject({ response_status_code: 499, is_success: false });
    expect(client_disconnected).toBe(true);
    expect(kept.body.choices[0].message.content).toMatch(/^Simulated/);
    expect(kept.body.choices[0]).not.toHaveProperty("finish_reason");
  });
});

describe("the times of a record", () => {
  const cached = { mode: "simple", max_age: 60 };
  const took = expect.any(Number);

  it.each<[string, object, object, unknown, unknown]>([
    ["neither", { provider: "@simulator" }, {}, null, null],
    ["a search of the cache", { provider: "@simulator", cache: cached }, {}, took, null],
    ["a translation", { provider: "@claude" }, {}, null, took],
    ["both, and a retry", { provider: "@claude", cache: cached, retry: { attempts: 1 } }, {}, took, took],
    ["a stream, translated", { provider: "@claude" }, { stream: true }, null, null],
  ])("know of %s", async (said, config, more, cache, translation) => {
    const model = "retry" in config ? "fault-flaky-1" : "m";
    const { id } = await recording.ask({ ...question, ...more, model, user: said }, { config });
    expect((await recording.record(id)).metrics).toMatchObject({
      response_status_code: 200,
      cache_processing_time: cache,
      response_parsing_time: translation,
    });
  });
});

describe("a cached answer", () => {
  it("is recorded as one that cost nothing", async () => {
    const config = { provider: "@simulator", cache: { mode: "simple", max_age: 60 } };
    const asked = { ...question, messages: [{ role: "user", content: "cached?" }] };
    const statuses = [];
    for (let n = 0; n < 2; n++) {
      const { metrics, cache, response, transformedRequest } = await recording.record(
        (await recording.ask(asked, { config })).id,
      );
      statuses.push([
        metrics.cache_status,
        metrics.cache_type,
        metrics.cost,
        metrics.cache_savings,
        cache,
        transformedRequest !== undefined,
      ]);
      expect(response.body.object).toBe("chat.completion");
    }
    const field = { mode: "simple", max_age: 60 };
    expect(statuses).toEqual([
      ["MISS", "SIMPLE", null, 0, { ...field, status: "MISS" }, true],
      ["HIT", "SIMPLE", 0, null, { ...field, status: "HIT" }, false],
    ]);
  });
});

describe("with x-gateway-debug: false", () => {
  const headers = { "x-gateway-debug": "false", "x-gateway-metadata": '{"plan":"free"}' };

  it.each([false, true])("no content is kept (streamed: %s)", async (stream) => {
    const { id } = await recording.ask({ ...question, stream }, { headers });
    const record = await recording.record(id);
    expect(record.metrics).toMatchObject({ response_status_code: 200, ai_model: "m", "metadata.value": ["free"] });
    expect(record.request).toEqual({
      url: "https://simulator.invalid/chat/completions",
      method: "POST",
      gatewayHeaders: headers,
    });
    expect(Object.keys(record.response)).toEqual(["status", "responseTime", "lastUsedOptionJsonPath"]);
    for (const phase of ["finalUntransformedRequest", "transformedRequest", "originalResponse"])
      expect(record).not.toHaveProperty(phase);
  });

  it("a failure keeps its answer, and nothing of what was asked", async () => {
    const { id } = await recording.ask({ ...question, model: "fault-status-500" }, { headers });
    const record = await recording.record(id);
    expect(record.response).toMatchObject({ status: 500, headers: {}, body: { error: {} } });
    expect(JSON.stringify(record)).not.toContain("What is the time?");
  });
});

describe("what the organisation has decided", () => {
  const decide = (request_logging: object) =>
    recording.admin("PUT", "/admin/organisation", { settings: { request_logging } });
  const decisions: readonly (readonly [string, object, string | undefined, boolean])[] = [
    ["keeps no content where it wants none", { mode: "metrics_only" }, undefined, false],
    ["whatever the client wants", { mode: "metrics_only" }, "true", false],
    [
      "and keeps it against the client's word where that is enforced",
      { enforce_debug_log_setting: true },
      "false",
      true,
    ],
    ["which it need not be", { enforce_debug_log_setting: false }, "false", false],
  ];

  it.each(decisions)("%s", async (_, logging, debug, kept) => {
    const decided = { mode: "full", enforce_debug_log_setting: false, ...logging };
    expect((await decide(decided)).status).toBe(200);
    const headers = debug === undefined ? {} : { "x-gateway-debug": debug };
    for (const stream of [false, true]) {
      const { id } = await recording.ask({ ...question, stream }, { headers });
      const { request, response } = await recording.record(id);
      expect([request.body !== undefined, response.body !== undefined]).toEqual([kept, kept]);
    }
    await decide({ mode: "full", enforce_debug_log_setting: false });
  });
});

describe("secrets", () => {
  const secret = "sk-caller-0123456789abcdef";
  it("are kept nowhere", async () => {
    const config = { provider: "openai", api_key: secret, custom_host: "http://127.0.0.1:1/v1" };
    const { id } = await recording.ask(undefined, {
      config,
      headers: {
        authorization: `Bearer ${secret}`,
        "x-gateway-api-key": secret,
        "x-customer": "acme-0123456789",
        "x-tenant": "tenant-0123456789",
        "x-gateway-forward-headers": "x-customer, x-tenant, x-plain",
        "x-gateway-sensitive-headers": "x-tenant",
        "x-plain": "plain-0123456789",
      },
    });
    const text = JSON.stringify(await recording.record(id));
    for (const hidden of [secret, "acme-0123456789", "tenant-0123456789", "plain-0123456789"])
      expect(text).not.toContain(hidden);
    expect(text).toContain("sk********def");
  });
});

it("tells how records fare", async () => {
  const { id } = await recording.ask();
  await recording.record(id);
  const { text } = await recording.ask(null, { path: "/v1/health/logs", method: "GET" });
  expect(JSON.parse(text)).toMatchObject({
    object: "log_health",
    state: "closed",
    failures: 0,
    open_until: null,
    lost: { records: 0, contents: 0 },
  });
});
