import { createServer, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { RateLimit, UsageLimits } from "../../core/index.ts";
import { type Recording, startRecording } from "../../plugins/request-log/testing.ts";
import { jobOutputs as outputs, jobsSaid as said, usedByLine as usage } from "../support/job-outputs.ts";

const frame = (event: { readonly type: string; readonly [name: string]: unknown }): string =>
  `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`;

function vendor(url: string, response: ServerResponse, streamed: boolean): void {
  const [, kind = "", id = "", rest] = url.split("/");
  const type = (name: string) => response.setHeader("content-type", name);
  if (kind === "chat") {
    type("application/json");
    return void response.end(JSON.stringify({ object: "chat.completion", model: "priced", choices: [], usage }));
  }
  if (kind === "batches") {
    type("application/json");
    if (id === "") return void response.end(JSON.stringify({ id: next, object: "batch", status: "validating" }));
    const body = { id, object: "batch", status: "completed", output_file_id: `of-${id}`, ...said[id] };
    return void response.end(JSON.stringify(body));
  }
  if (kind === "responses") {
    type("application/json");
    const told = { object: "response", background: true, model: "priced-1", output: [] };
    const [asked = "", cancel] = [id, rest];
    const status = ended.has(asked) || cancel ? "completed" : "in_progress";
    const used = { input_tokens: 1000, output_tokens: 100, total_tokens: 1100 };
    if (response.req.url?.includes("stream=true")) {
      const [at = ""] = asked.split("?");
      const last = { ...told, id: at, status: "completed", usage: used };
      type("text/event-stream");
      response.write(frame({ type: "response.output_text.delta", delta: "Tea." }));
      if (cutStreams) return void response.destroy();
      return void response.end(frame({ type: "response.completed", response: last }));
    }
    if (streamed) {
      type("text/event-stream");
      const created = {
        type: "response.created",
        response: { ...told, id: "bg-left", status: "in_progress", usage: null },
      };
      return void response.write(frame(created));
    }
    const begun = { ...told, id: `bg-${begunCount++}`, status: "queued", usage: null };
    return void response.end(
      JSON.stringify(asked ? { ...told, id: asked, status, usage: status === "completed" ? used : null } : begun),
    );
  }
  if (kind !== "files" || rest !== "content") return void response.writeHead(404).end();
  const bytes = Buffer.from(outputs[id.replace("of-", "")] ?? outputs.plain ?? "");
  type("application/octet-stream");
  if (id === "of-packed") {
    response.setHeader("content-encoding", "gzip");
    return void response.end(gzipSync(bytes));
  }
  if (id === "of-breaking" && breaks) return void response.write(bytes.subarray(0, 50), () => response.destroy());
  // Lines come in pieces that do not end where they do.
  response.write(bytes.subarray(0, 7));
  response.end(bytes.subarray(7));
}

let breaks = true;
let cutStreams = false;
/** The id of the batch that is made next. */
let next = "";
/** Responses in the background: how many there are, and which are over. */
let begunCount = 0;
const ended = new Set<string>();
let server: Server;
let vendorUrl = "";
let recording: Recording;

beforeAll(async () => {
  server = createServer((incoming, response) => {
    let body = "";
    incoming.on("data", (piece: Buffer) => {
      body += piece;
    });
    incoming.on("end", () => vendor(incoming.url ?? "", response, body.includes('"stream":true')));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  vendorUrl = baseUrl;
  const plain = { input: 1, output: 2 };
  recording = await startRecording(
    {},
    {
      plugins: {
        "format-openai-files": {},
        routing: { default: "simulator", configs: { usual: { provider: "@other" } } },
        "responses-store": {},
        "counters-memory": {},
        "usage-limits": {},
        "rate-limits": {},
        pricing: {
          models: {
            "@own/priced": plain,
            "@own/by-length": { ...plain, above: [{ tokens: 200_000, input: 100 }] },
            "@own/by-call": { ...plain, request: 0.5 },
          },
        },
      },
      providers: {
        own: { use: "openai", apiKey: "own-key-0123", baseUrl },
        other: { use: "openai", apiKey: "other-key-0123", baseUrl },
      },
    },
  );
});

afterAll(async () => {
  await recording.stop();
  server.closeAllConnections();
  server.close();
});

type Row = Readonly<Record<string, unknown>>;

let traces = 0;
/** The record of asking for something. */
async function rowOf(path: string, asked: object = {}, provider = "@own") {
  const trace = `trace-${traces++}`;
  const headers = { "x-gateway-provider": provider, "x-gateway-trace-id": trace, "accept-encoding": "gzip" };
  const reply = await recording.ask(null, { path, method: "GET", headers, ...asked }).catch(() => undefined);
  const [row] = await recording.trace(trace, 1);
  return { ...row, text: reply?.text };
}

const nothing = { cost: 0, total_units: null };

describe("a batch of a provider's", () => {
  it.each<[string, string, object]>([
    ["in its output", "plain", { cost: 0.12, req_units: 2000, res_units: 200, ai_model: "priced" }],
    ["line by line: long prompts are dearer, many short ones are not", "long", { cost: 15.02, req_units: 300_000 }],
    ["in an output without its last line end", "no-newline", { cost: 0.06, total_units: 1100 }],
    ["as unknown where a line does not say", "silent", { cost: null, total_units: 1100 }],
    ["as unknown where a line has no price", "mixed", { cost: null, total_units: 2200 }],
    ["as nothing where no line was answered", "failing", nothing],
  ])("is billed %s", async (_, id, row) => {
    const found = await rowOf(`/v1/batches/${id}/output`);
    expect(found).toMatchObject(row);
    expect(found.text).toBe(outputs[id]);
  });

  it("is billed to who has made it, whoever reads it first", async () => {
    const caller = (id: string) => ({
      "x-gateway-provider": "@own",
      "x-gateway-trace-id": `made-${id}`,
      "x-test-principal": JSON.stringify({
        ...{ id, name: id, organisation: recording.organisation, workspace: recording.workspace.id },
      }),
    });
    const batch = { input_file_id: "in", endpoint: "/v1/chat/completions", completion_window: "24h" };
    for (const path of ["/v1/batches", "/v1/proxy/batches"]) {
      const [maker, reader] = [`maker ${path}`, `reader ${path}`];
      next = `mine-${path.length}`;
      await recording.ask(batch, { path, headers: caller(maker) });
      await recording.ask(null, { path: `/v1/batches/${next}/output`, method: "GET", headers: caller(reader) });
      const rows = await recording.trace(`made-${reader}`, 1);
      expect(rows).toMatchObject([{ cost: 0, total_units: null, api_key_name: reader }]);
      const found = async () => {
        const { data } = (await recording.admin("GET", "/logs?page_size=100")).body as { data: Row[] };
        return data.filter(({ api_key_name }) => api_key_name === maker);
      };
      await expect.poll(async () => (await found()).map(({ cost }) => cost).sort()).toEqual([0, 0.12]);
      expect((await found()).find(({ cost }) => cost !== 0)).toMatchObject({ total_units: 2200, ai_model: "priced" });
    }
  });

  it("is its maker's at the provider that has it, whatever config requests of theirs go by", async () => {
    const asked = (id: string, config?: object) => ({
      ...(config && { config }),
      as: { id, name: id, ...(id === "bea" && { defaultConfig: { slug: "usual", mayReplace: true } }) },
      headers: { ...(!config && { "x-gateway-provider": "@own" }), "x-gateway-trace-id": `at-${id}` },
    });
    const batch = { input_file_id: "in", endpoint: "/v1/chat/completions", completion_window: "24h" };
    next = "mine-elsewhere";
    await recording.ask(batch, { path: "/v1/batches", ...asked("bea", { provider: "@own" }) });
    await recording.ask(null, { path: `/v1/batches/${next}/output`, method: "GET", ...asked("reader") });
    const found = async () => {
      const { data } = (await recording.admin("GET", "/logs?page_size=100")).body as { data: Row[] };
      return data.filter(({ api_key_name, cost }) => api_key_name === "bea" && cost === 0.12);
    };
    await expect.poll(found).toMatchObject([{ provider_slug: "own" }]);
  });

  it("is not its maker's by the word of a host that somebody else has chosen", async () => {
    const asked = (id: string, more: object = {}) => ({
      as: { id, name: id },
      headers: { "x-gateway-provider": "@own", "x-gateway-trace-id": `word-${id}`, ...more },
    });
    const batch = { input_file_id: "in", endpoint: "/v1/chat/completions", completion_window: "24h" };
    next = "mine-by-hosts";
    const output = { path: `/v1/batches/${next}/output`, method: "GET" };
    await recording.ask(batch, { path: "/v1/batches", ...asked("cai") });
    const elsewhere = { "x-gateway-custom-host": vendorUrl, authorization: "Bearer their-key-0123" };
    await recording.ask(null, { ...output, ...asked("stranger", elsewhere) });
    expect(await recording.trace("word-stranger", 1)).toMatchObject([{ cost: 0.12, api_key_name: "stranger" }]);
    await recording.ask(null, { ...output, ...asked("cai") });
    expect(await recording.trace("word-cai", 2)).toMatchObject([{ cost: 0 }, { cost: 0.12, api_key_name: "cai" }]);
  });

  it("is billed once for each organisation", async () => {
    const output = "/v1/batches/again/output";
    expect(await rowOf(output)).toMatchObject({ cost: 0.06, total_units: 1100 });
    expect(await rowOf(output)).toMatchObject(nothing);
    expect(await rowOf("/v1/files/of-again/content")).toMatchObject(nothing);
    expect(await rowOf(output, {}, "@other")).toMatchObject({ cost: null, total_units: 1100 });
  });

  it("is billed when its output is read as a file, once it is known whose that is", async () => {
    expect(await rowOf("/v1/files/of-file/content")).toMatchObject(nothing);
    expect(await rowOf("/v1/batches/file")).toMatchObject(nothing);
    expect(await rowOf("/v1/files/of-file/content")).toMatchObject({ cost: 0.06, total_units: 1100 });
    expect(await rowOf("/v1/batches/file/output")).toMatchObject(nothing);
  });

  it("is billed off packed bytes, too", async () => {
    await rowOf("/v1/batches/packed");
    expect(await rowOf("/v1/files/of-packed/content")).toMatchObject({ cost: 0.06, text: outputs.packed });
  });

  it("is not billed by half of its output", async () => {
    expect(await rowOf("/v1/batches/breaking/output")).toMatchObject(nothing);
    breaks = false;
    expect(await rowOf("/v1/batches/breaking/output")).toMatchObject({ cost: 0.12 });
  });

  it.each<[string, string, object]>([
    ["by what it says it used", "counted", { cost: 0.12, req_units: 2000, res_units: 200, ai_model: "priced" }],
    ["not while it runs", "running", nothing],
    ["not by counts of nothing", "zero", nothing],
    ["by the length of its prompts on average", "counted-by-length", { cost: 15.02 }],
  ])("is billed %s", async (_, id, row) => {
    expect(await rowOf(`/v1/batches/${id}`)).toMatchObject(row);
  });

  it("is not billed again by its output when it was billed by what it says", async () => {
    expect(await rowOf("/v1/batches/counted-and-read")).toMatchObject({ cost: 0.12 });
    expect(await rowOf("/v1/batches/counted-and-read")).toMatchObject(nothing);
    expect(await rowOf("/v1/batches/counted-and-read/output")).toMatchObject(nothing);
  });

  const unbounded = {
    alert_threshold: null,
    periodic_reset: null,
    periodic_reset_days: null,
    next_usage_reset_at: null,
  };
  const limitedTo = (id: string, limits: { usage?: UsageLimits[]; rate?: RateLimit[] }) => ({
    as: { id, limits: { level: "api_key", id, subject: id, usage: [], rate: [], ...limits } as never },
  });

  // A chat is 1100 tokens and $0.0012; the batch is twice as many tokens for as much money.
  it.each<[string, ReturnType<typeof limitedTo>, number]>([
    ["budgets", limitedTo("B1", { usage: [{ ...unbounded, type: "cost", credit_limit: 0.002 }] }), 412],
    ["rates of tokens", limitedTo("B2", { rate: [{ type: "tokens", unit: "rpw", value: 3000 }] }), 429],
  ])("uses up %s, which reading it is not asked about", async (kind, tight, refused) => {
    const chat = async () =>
      (
        await recording.ask(
          { model: "priced", messages: [{ role: "user", content: "Hi" }] },
          { headers: { "x-gateway-provider": "@own" }, ...tight },
        )
      ).status;
    const output = `/v1/batches/used-by-${kind.split(" ")[0]}/output`;
    expect(await chat()).toBe(200);
    expect(await rowOf(output, tight)).toMatchObject({ cost: 0.12, response_status_code: 200 });
    expect(await chat()).toBe(refused);
    expect((await rowOf(output, tight)).response_status_code).toBe(200);
  });
});

describe("a response that is made in the background", () => {
  const nothingYet = { cost: 0, total_units: null };
  async function begun(model = "priced"): Promise<string> {
    const trace = `trace-${traces++}`;
    const headers = { "x-gateway-provider": "@own", "x-gateway-trace-id": trace };
    const body = { model, input: "Think for long.", background: true };
    const { text } = await recording.ask(body, { path: "/v1/responses", headers });
    const [row] = await recording.trace(trace, 1);
    expect(row).toMatchObject(nothingYet);
    return JSON.parse(text).id;
  }

  it("is counted once, by the first call that tells of its end", async () => {
    const id = await begun();
    expect(await rowOf(`/v1/responses/${id}`)).toMatchObject(nothingYet);
    ended.add(id);
    const counted = { cost: 0.12, req_units: 1000, res_units: 100, ai_model: "priced" };
    expect(await rowOf(`/v1/responses/${id}`)).toMatchObject(counted);
    expect(await rowOf(`/v1/responses/${id}`)).toMatchObject(nothingYet);
  });

  it("is counted, once, by its stream", async () => {
    const id = await begun();
    const stream = `/v1/responses/${id}?stream=true&starting_after=1`;
    expect(await rowOf(stream)).toMatchObject({ cost: 0.12, total_units: 1100, ai_model: "priced" });
    expect(await rowOf(stream)).toMatchObject(nothingYet);
    ended.add(id);
    expect(await rowOf(`/v1/responses/${id}`)).toMatchObject(nothingYet);
  });

  it("is not counted by a stream that is cut off", async () => {
    cutStreams = true;
    const id = await begun();
    expect(await rowOf(`/v1/responses/${id}?stream=true`)).toMatchObject(nothingYet);
    cutStreams = false;
    expect(await rowOf(`/v1/responses/${id}?stream=true`)).toMatchObject({ cost: 0.12 });
  });

  it("is paid for once where a call has a price of its own", async () => {
    const id = await begun("by-call");
    ended.add(id);
    expect(await rowOf(`/v1/responses/${id}`)).toMatchObject({ cost: 50.12, total_units: 1100 });
  });

  it("is counted when it is cancelled, and what was begun elsewhere is not", async () => {
    const id = await begun();
    const cancel = (one: string) => rowOf(`/v1/responses/${one}/cancel`, { method: "POST" });
    expect(await cancel(id)).toMatchObject({ cost: 0.12, total_units: 1100 });
    expect(await cancel(id)).toMatchObject(nothingYet);
    expect(await cancel("elsewhere")).toMatchObject(nothingYet);
  });

  it("is counted where its stream was left", async () => {
    const left = new AbortController();
    const principal = { id: "caller", organisation: recording.organisation, workspace: recording.workspace.id };
    const reply = await fetch(`${recording.gateway.url}/v1/responses`, {
      method: "POST",
      headers: {
        "content-type": "application/json",
        "x-test-principal": JSON.stringify(principal),
        "x-gateway-provider": "@own",
        "x-gateway-trace-id": "left",
      },
      body: JSON.stringify({ model: "priced", input: "Think for long.", background: true, stream: true }),
      signal: left.signal,
    });
    await reply.body?.getReader().read();
    left.abort();
    await recording.trace("left", 1);
    ended.add("bg-left");
    expect(await rowOf("/v1/responses/bg-left")).toMatchObject({ cost: 0.12, total_units: 1100 });
    expect(await rowOf("/v1/responses/bg-left")).toMatchObject(nothingYet);
  });
});
