import { describe, expect, it, vi } from "vitest";
import { folderOfFile } from "../../test/support/folder-of-file.ts";
import { startManagement, supportPlugin } from "../../test/support/management.ts";
import { converse, type Dialled, refusal, startVendor } from "./testing.ts";

// biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
type Shown = any;

/** A gateway that keeps records of what passes on its sockets. */
async function startRecorded(options: object = {}, prices?: object) {
  const vendor = await startVendor();
  const folder = folderOfFile();
  const { gateway, admin, organisation, workspace } = await startManagement(
    {
      ...(prices ?? { "penny-prices": supportPlugin(folder, "penny-prices") }),
      routing: {},
      "format-openai-chat": {},
      "logs-file": {},
      "access-log": {},
      metrics: { modelLabel: true },
      "request-log": { batchMilliseconds: 1, ...options },
      realtime: {},
    },
    { folder, providers: { oai: { use: "openai", apiKey: "sk-of-the-vendor", baseUrl: vendor.url } } },
  );
  const principal = { id: "caller", name: "team", organisation, workspace: workspace.id };
  const headers = { "x-test-principal": JSON.stringify(principal), "x-gateway-trace-id": "session-1" };
  const dialled: Dialled = { headers, query: "model=@oai/gpt-realtime&key=abc" };
  /** The rows of the session once there are so many, in any order: several may be of one millisecond. */
  const rows = (count: number): Promise<Shown[]> =>
    vi.waitFor(async () => {
      const { data } = (await admin("GET", "/logs?trace_id=session-1")).body;
      expect(data).toHaveLength(count);
      return data;
    }, 15_000);
  const record = async (id: string): Promise<Shown> => (await admin("GET", `/logs/${id}`)).body;
  return { vendor, gateway, headers, rows, record, dialled, open: () => converse(gateway, vendor, dialled) };
}

const say = (id: string, previous: string | null, role: string, content: object) => ({
  type: "conversation.item.created",
  previous_item_id: previous,
  item: { id, type: "message", role, content: [content] },
});

const done = (id: string, output: object[], usage: object) => ({
  type: "response.done",
  event_id: `event-${id}`,
  response: { id, object: "realtime.response", status: "completed", output, usage },
});

const usage = {
  total_tokens: 30,
  input_tokens: 20,
  output_tokens: 10,
  input_token_details: {
    text_tokens: 12,
    audio_tokens: 8,
    cached_tokens: 4,
    cached_tokens_details: { text_tokens: 4 },
  },
  output_token_details: { text_tokens: 3, audio_tokens: 7 },
};

describe("what happens on a socket", () => {
  it("is recorded: sessions, answers with what came before them, and errors", async () => {
    const { open, rows, record } = await startRecorded();
    const { client, server } = await open();
    const events = [
      { type: "session.created", session: { id: "s1", voice: "alloy", client_secret: { value: "ek_0123456789abc" } } },
      { type: "session.updated", session: { id: "s1", voice: "verse" } },
      say("i2", "i1", "user", { type: "input_audio", audio: "UklGRg==", transcript: "And now?" }),
      say("i1", null, "system", { type: "input_text", text: "Be kind." }),
      { type: "response.created", response: { id: "r1" } },
      say("i3", "i2", "assistant", { type: "audio", transcript: "Now, yes." }),
      { type: "response.audio.delta", response_id: "r1", delta: "QUFB" },
      done("r1", [{ id: "i3", type: "message", content: [{ type: "audio", transcript: "Now, yes." }] }], usage),
      say("i4", "i3", "user", { type: "input_text", text: "Thanks." }),
      { type: "conversation.item.deleted", item_id: "i1" },
      { type: "response.created", response: { id: "r2" } },
      done("r2", [{ id: "i5", type: "message" }], { input_tokens: 1, output_tokens: 1 }),
      { type: "error", error: { type: "invalid_request_error", code: "unknown", message: "What?" } },
    ];
    for (const event of events) server.send(event);
    for (const event of events) expect(await client.event()).toEqual(event);
    client.socket.close();
    await server.closed;
    const found = await Promise.all((await rows(5)).map(({ id }) => record(id)));
    const spanOf = (name: string) => found.find(({ metrics }) => metrics.span_name === name);
    const answer = (id: string) => found.find(({ response }) => response.body.response?.id === id);
    const records = [spanOf("session.created"), spanOf("session.updated"), answer("r1"), answer("r2"), spanOf("error")];
    const [created, updated, first, second, error] = records;
    expect(created.response.body).toEqual({ id: "s1", voice: "alloy", client_secret: { value: "ek********abc" } });
    expect(updated.response.body).toEqual({ id: "s1", voice: "verse" });
    expect(first.request.body).toEqual({
      conversation: [
        { id: "i1", type: "message", role: "system", content: [{ type: "input_text", text: "Be kind." }] },
        { id: "i2", type: "message", role: "user", content: [{ type: "input_audio", transcript: "And now?" }] },
      ],
    });
    expect(first.response.body.response.id).toBe("r1");
    expect(second.request.body.conversation.map(({ id }: { id: string }) => id)).toEqual(["i2", "i3", "i4"]);
    expect(error.response.body).toEqual({
      error: { type: "invalid_request_error", code: "unknown", message: "What?" },
    });
    expect(JSON.stringify(records)).not.toMatch(/UklGRg|QUFB|sk-of-the-vendor|ek_0123456789abc/);
    expect(records.map(({ metrics }) => metrics.response_status_code)).toEqual([200, 200, 200, 200, 400]);
    expect(first.metrics).toMatchObject({
      source: "realtime",
      endpoint_type: "realtime",
      is_success: true,
      is_proxy_call: false,
      ai_org: "openai",
      ai_model: "gpt-realtime",
      provider_slug: "oai",
      req_units: 20,
      res_units: 10,
      total_units: 30,
      cost: 30,
      api_key_name: "team",
      span_name: "response.done",
      request_url: expect.stringMatching(/^ws:\/\/127\.0\.0\.1:\d+\/v1\/realtime\?model=gpt-realtime$/),
    });
    expect(second.metrics).toMatchObject({ total_units: 2, cost: 2 });
    expect(new Set(records.map(({ metrics }) => metrics.trace_id))).toEqual(new Set(["session-1"]));
    const spans = records.map(({ metrics }) => metrics.span_id);
    expect(new Set(spans).size).toBe(5);
    const parents = new Set(records.map(({ metrics }) => metrics.parent_span_id));
    expect(parents.size).toBe(1);
    expect(spans).not.toContain([...parents][0]);
  });

  it("is recorded without content where none is kept", async () => {
    const { open, rows, record } = await startRecorded({ capture: "metrics_only" });
    const { client, server } = await open();
    server.send(say("i1", null, "user", { type: "input_text", text: "A secret of mine" }));
    server.send(done("r1", [], usage));
    await client.next();
    await client.next();
    const [row] = await rows(1);
    expect(row).toMatchObject({ source: "realtime", total_units: 30, cost: 30 });
    expect(JSON.stringify(await record(row.id))).not.toContain("A secret of mine");
    client.socket.close();
  });

  it("is in the log of the process and in the metrics: one request, and what its answers used", async () => {
    const { gateway, open } = await startRecorded();
    const { client, server } = await open();
    server.send(done("r1", [], usage));
    server.send(done("r2", [], usage));
    await client.next();
    await client.next();
    client.socket.close();
    await server.closed;
    const metrics = async (name: string) =>
      (await (await fetch(`${gateway.url}/metrics`)).text())
        .split("\n")
        .filter((line) => line.startsWith(name) && line.includes('endpoint="/v1/realtime"'));
    let counted: string[] = [];
    while (counted.length === 0) counted = await metrics("request_count");
    expect(counted).toEqual([expect.stringMatching(/code="101".* 1$/)]);
    expect(await metrics("llm_token_sum")).toEqual([expect.stringMatching(/source="gateway".* 60$/)]);
    const lines = gateway.log.lines
      .map(({ fields }) => fields)
      .filter((one) => "path" in one && one.path === "/v1/realtime");
    expect(lines).toMatchObject([
      { role: "turn", event: "response.done", trace: "session-1", status: 200 },
      { role: "turn", event: "response.done", trace: "session-1", status: 200 },
      { status: 101, path: "/v1/realtime" },
    ]);
    expect(lines[2]).not.toHaveProperty("role");
  });
});

it("is priced by what it was: text, sound, and what of both was in the cache", async () => {
  const prices = { input: 5, output: 20, cacheRead: 2.5, audioInput: 40, audioOutput: 80, audioCacheRead: 1 };
  const { open, rows } = await startRecorded({}, { pricing: { models: { "openai/gpt-realtime": prices } } });
  const { client, server } = await open();
  const million = {
    input_tokens: 1_000_000,
    output_tokens: 1_000_000,
    input_token_details: {
      audio_tokens: 500_000,
      cached_tokens: 200_000,
      cached_tokens_details: { text_tokens: 100_000, audio_tokens: 100_000 },
    },
    output_token_details: { text_tokens: 500_000, audio_tokens: 500_000 },
  };
  server.send(done("r1", [], million));
  await client.next();
  const [row] = await rows(1);
  // Dollars: 0.4 × 5 + 0.4 × 40 + 0.1 × 2.5 + 0.1 × 1 + 0.5 × 20 + 0.5 × 80.
  expect(row).toMatchObject({ cost: 6_835, total_units: 2_000_000 });
  client.socket.close();
});

it("counts what was written down of what was said, at the price of the model that did", async () => {
  const prices = { pricing: { models: { "openai/writer": { input: 1, audioInput: 6, output: 10 } } } };
  const { open, rows } = await startRecorded({}, prices);
  const { client, server } = await open();
  const session = { audio: { input: { transcription: { model: "writer" } } } };
  const details = { input_token_details: { audio_tokens: 600_000, text_tokens: 400_000 } };
  const used = { type: "tokens", input_tokens: 1_000_000, output_tokens: 100_000, ...details };
  server.send({ type: "session.created", session });
  server.send({ type: "conversation.item.input_audio_transcription.completed", transcript: "Hi", usage: used });
  await client.next();
  await client.next();
  const row = (await rows(2)).find(({ ai_model }) => ai_model === "writer");
  // Dollars: 0.4 × 1 + 0.6 × 6 + 0.1 × 10.
  expect(row).toMatchObject({ cost: 500, req_units: 1_000_000, res_units: 100_000, source: "realtime" });
  client.socket.close();
});

it.each([
  ["its client leaves", "client", { response_status_code: 499 }, { client_disconnected: true }],
  ["its vendor leaves", "vendor", { response_status_code: 200 }, { truncated: true }],
  ["the gateway ends", "gateway", { response_status_code: 200 }, { truncated: true }],
])("records an answer under way when %s as one that broke off, whose usage nobody knows", async (_, who, row, more) => {
  const { gateway, open, rows, record } = await startRecorded();
  const { client, server } = await open();
  server.send(say("i1", null, "user", { type: "input_text", text: "Hi" }));
  server.send({ type: "response.created", response: { id: "r1", status: "in_progress" } });
  server.send({ type: "response.created", response: { id: "r2" } });
  server.send(done("r2", [], { input_tokens: 1, output_tokens: 1 }));
  for (let n = 0; n < 4; n++) await client.next();
  if (who === "client") client.socket.terminate();
  else if (who === "vendor") server.socket.terminate();
  else gateway.generation.leave("now");
  await Promise.all([client.closed, server.closed]);
  const found = await rows(2);
  const { id, ...shown } = found.find(({ span_name }) => span_name === "response.created");
  expect(shown).toMatchObject({ ...row, is_success: false, cost: null, total_units: null });
  expect(await record(id)).toMatchObject({
    ...more,
    request: { body: { conversation: [{ id: "i1" }] } },
    response: { body: { response: { id: "r1", status: "in_progress" } } },
  });
});

it("records a handshake that was refused like any other request", async () => {
  const { gateway, rows, headers } = await startRecorded();
  await refusal(gateway, { headers, query: "model=m" });
  const [row] = await rows(1);
  expect(row).toMatchObject({ response_status_code: 400, is_success: false, source: "realtime" });
});
