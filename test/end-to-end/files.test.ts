import { once } from "node:events";
import { type IncomingMessage, request } from "node:http";
import { toFile } from "openai";
import { describe, expect, it } from "vitest";
import { openAiClient } from "../support/clients.ts";
import { startTestGateway } from "../support/gateway.ts";
import { call } from "../support/raw-call.ts";
import { type Answering, json, startUpstream } from "../support/upstream.ts";

const plugins = {
  "auth-open": {},
  routing: { default: "alpha" },
  "strategy-fallback": {},
  retry: {},
  "format-openai-chat": {},
  "format-openai-files": {},
};
const key = "vendor-key-0123456789";

/** A gateway before two vendors of one server, told by the first word of the path. */
async function start(answer: Answering, more: object = {}, providers: object = {}) {
  const upstream = await startUpstream(answer);
  const provider = (slug: string) => ({ use: "openai", apiKey: key, baseUrl: `${upstream.url}/${slug}` });
  const gateway = await startTestGateway(
    JSON.stringify({
      plugins: { ...plugins, ...more },
      providers: { alpha: provider("alpha"), beta: provider("beta"), ...providers },
    }),
  );
  const client = (headers: Record<string, string> = {}) => openAiClient({ url: gateway.url, headers });
  return { client, gateway, received: upstream.received };
}

const file = { id: "file-1", object: "file", bytes: 3, created_at: 1, filename: "a.jsonl", purpose: "batch", x: [1.0] };
const batch = { id: "batch_1", object: "batch", status: "completed", output_file_id: "file-2", errors: null };
const job = { id: "ftjob-1", object: "fine_tuning.job", status: "queued", model: "gpt-4o" };

describe("vendors of OpenAI's API", () => {
  const answers: Readonly<Record<string, unknown>> = {
    "POST /alpha/files": file,
    "GET /alpha/files?purpose=batch&limit=2": { object: "list", data: [file], has_more: false },
    "GET /alpha/files/file-1": file,
    "DELETE /alpha/files/file-1": { id: "file-1", object: "file", deleted: true },
    "POST /alpha/batches": batch,
    "GET /alpha/batches?limit=2": { object: "list", data: [batch], has_more: false },
    "GET /alpha/batches/batch_1": batch,
    "POST /alpha/batches/batch_1/cancel": { ...batch, status: "cancelling" },
    "POST /alpha/fine_tuning/jobs": job,
    "GET /alpha/fine_tuning/jobs": { object: "list", data: [job], has_more: false },
    "GET /alpha/fine_tuning/jobs/ftjob-1": job,
    "POST /alpha/fine_tuning/jobs/ftjob-1/cancel": { ...job, status: "cancelled" },
    "GET /alpha/fine_tuning/jobs/ftjob-1/events": { object: "list", data: [{ id: "ev" }], has_more: false },
    "GET /alpha/fine_tuning/jobs/ftjob-1/checkpoints": { object: "list", data: [{ id: "cp" }], has_more: false },
  };
  const vendor: Answering = ({ method, url }, response) => {
    const answer = answers[`${method} ${url}`];
    if (answer) return json(response, 200, answer);
    if (!url.endsWith("/content")) return json(response, 404, { error: { message: `no ${method} ${url}` } });
    response.writeHead(200, { "content-type": "application/x-own" });
    response.end(Buffer.from([0, 255, 13, 10]));
  };

  it("are asked by the OpenAI client as it asks, in every call", async () => {
    const { client, received } = await start(vendor);
    const { files, batches, fineTuning } = client();
    const bytes = Buffer.from([123, 0, 255, 10]);
    expect(await files.create({ file: await toFile(bytes, "a.jsonl"), purpose: "batch" })).toEqual(file);
    expect((await files.list({ purpose: "batch", limit: 2 })).data).toEqual([file]);
    expect(await files.retrieve("file-1")).toEqual(file);
    const content = await files.content("file-1");
    expect(content.headers.get("content-type")).toBe("application/x-own");
    expect(Buffer.from(await content.arrayBuffer())).toEqual(Buffer.from([0, 255, 13, 10]));
    expect((await files.delete("file-1")).deleted).toBe(true);
    const asked = { input_file_id: "file-1", endpoint: "/v1/chat/completions", completion_window: "24h" } as const;
    expect(await batches.create(asked)).toEqual(batch);
    expect((await batches.list({ limit: 2 })).data).toEqual([batch]);
    expect(await batches.retrieve("batch_1")).toEqual(batch);
    expect((await batches.cancel("batch_1")).status).toBe("cancelling");
    expect(await fineTuning.jobs.create({ model: "gpt-4o", training_file: "file-1" })).toEqual(job);
    expect((await fineTuning.jobs.list()).data).toEqual([job]);
    expect(await fineTuning.jobs.retrieve("ftjob-1")).toEqual(job);
    expect((await fineTuning.jobs.cancel("ftjob-1")).status).toBe("cancelled");
    expect((await fineTuning.jobs.listEvents("ftjob-1")).data).toEqual([{ id: "ev" }]);
    expect((await fineTuning.jobs.checkpoints.list("ftjob-1")).data).toEqual([{ id: "cp" }]);
    expect(received[0]?.body.includes(bytes)).toBe(true);
    expect(`${received.find(({ url, method }) => method === "POST" && url === "/alpha/batches")?.body}`).toBe(
      JSON.stringify(asked),
    );
    expect(received.every(({ headers }) => headers.authorization === `Bearer ${key}`)).toBe(true);
    const cancel = received.find(({ url }) => url.endsWith("/batch_1/cancel"));
    expect(cancel?.body).toHaveLength(0);
  });

  it("take fine-tuning in both spellings of the path", async () => {
    const { gateway, received } = await start(vendor);
    for (const rest of ["", "/ftjob-1", "/ftjob-1/events", "/ftjob-1/checkpoints"])
      expect((await fetch(`${gateway.url}/v1/fine-tuning/jobs${rest}`)).status).toBe(200);
    expect(received.map(({ url }) => url)).toEqual(
      ["", "/ftjob-1", "/ftjob-1/events", "/ftjob-1/checkpoints"].map((rest) => `/alpha/fine_tuning/jobs${rest}`),
    );
  });

  it("have the output of a batch in a file of theirs", async () => {
    const { gateway, received } = await start(vendor);
    const response = await fetch(`${gateway.url}/v1/batches/batch_1/output`);
    expect(response.headers.get("content-type")).toBe("application/octet-stream");
    expect(response.headers.get("x-gateway-provider")).toBe("openai");
    expect(Buffer.from(await response.arrayBuffer())).toEqual(Buffer.from([0, 255, 13, 10]));
    expect(received.map(({ url }) => url)).toEqual(["/alpha/batches/batch_1", "/alpha/files/file-2/content"]);
  });

  it.each([
    ["errors only", { status: "failed", errors: { object: "list", data: [{ message: "no" }] } }, 200, '"message":"no"'],
    ["a file of errors only", { status: "completed", error_file_id: "file-3" }, 200, "\u0000"],
    ["nothing yet", { status: "in_progress" }, 400, "The batch is in_progress"],
  ])("have %s of other batches", async (_, answer, status, text) => {
    const { gateway } = await start((request, response, incoming) =>
      request.url.endsWith("/content") ? vendor(request, response, incoming) : json(response, 200, answer),
    );
    const response = await fetch(`${gateway.url}/v1/batches/batch_1/output`);
    expect([response.status, await response.text()]).toEqual([status, expect.stringContaining(text)]);
  });

  it("refuse in their own words, and what a batch's output takes is told as theirs", async () => {
    const { gateway } = await start((_, response) =>
      json(response, 404, { error: { message: `no ${key}`, code: "c" } }),
    );
    const raw = await fetch(`${gateway.url}/v1/files/file-9`);
    expect([raw.status, await raw.json()]).toMatchObject([404, { error: { code: "c" } }]);
    const output = await fetch(`${gateway.url}/v1/batches/b/output`);
    expect([output.status, await output.json()]).toEqual([
      404,
      { error: { message: "openai error: no ***", type: null, param: null, code: "c" }, provider: "openai" },
    ]);
  });
});

describe("an upload", () => {
  const form = `--b\r\ncontent-disposition: form-data; name="file"; filename="a"\r\n\r\nx\r\n--b--\r\n`;
  const type = "multipart/form-data; boundary=b";
  const both = { strategy: { mode: "fallback" }, targets: [{ provider: "@alpha" }, { provider: "@beta" }] };
  const upload = (url: string, config: object, contentType = type) =>
    fetch(`${url}/v1/files`, {
      method: "POST",
      headers: { "content-type": contentType, "x-gateway-config": JSON.stringify(config) },
      body: form,
    });

  it.each([
    ["several targets", both, {}, 400],
    ["several targets, where that is allowed", both, { anyConfig: true }, 200],
    ["one target", { ...both, targets: [{ provider: "@beta" }] }, {}, 200],
    ["none but the provider", { provider: "@beta" }, {}, 200],
  ])("with a config of %s", async (_, config, options, status) => {
    const { gateway, received } = await start((__, response) => json(response, 200, file), {
      "format-openai-files": options,
    });
    const response = await upload(gateway.url, config);
    expect(response.status).toBe(status);
    expect(received).toHaveLength(status === 200 ? 1 : 0);
    if (status !== 200) expect(await response.text()).toContain("several targets");
  });

  it("is not kept for a retry", async () => {
    const { gateway, received } = await start((_, response) => json(response, 503, { error: { message: "down" } }));
    const response = await upload(gateway.url, { provider: "@alpha", retry: { attempts: 3, on_status_codes: [503] } });
    expect(response.status).toBe(503);
    expect(received).toHaveLength(1);
  });

  it("has to be a form", async () => {
    const { gateway, received } = await start((_, response) => json(response, 200, file));
    const response = await upload(gateway.url, { provider: "@alpha" }, "application/json");
    expect([response.status, await response.json()]).toMatchObject([400, { error: { param: "content-type" } }]);
    expect(received).toHaveLength(0);
  });

  it.each([["as it is"], ["in lines"]])("that goes on %s is given up where its client falls silent", async (how) => {
    const upstream = await startUpstream((_, response) => json(response, 200, file));
    const lined = { region: "us-central1", projectId: "p", storageUrl: upstream.url, storageBucketName: "bucket-1" };
    const gateway = await startTestGateway(
      JSON.stringify({
        server: { clocks: { body: 50 } },
        plugins,
        providers: {
          alpha: { use: "openai", apiKey: key, baseUrl: upstream.url },
          vertex: { use: "vertex-ai", apiKey: key, fileModel: "gemini-2.5-flash", ...lined },
        },
      }),
    );
    const provider = how === "as it is" ? "@alpha" : "@vertex";
    const headers = { "content-type": type, "x-gateway-provider": provider, "transfer-encoding": "chunked" };
    const outgoing = request(`${gateway.url}/v1/files`, { method: "POST", headers });
    outgoing.write(form.slice(0, 20));
    const [response] = (await once(outgoing, "response")) as [IncomingMessage];
    expect(response.statusCode).toBe(408);
    outgoing.destroy();
    expect(upstream.received).toHaveLength(0);
  });

  it("may not be larger than the server allows, announced or not", async () => {
    const upstream = await startUpstream((_, response) => json(response, 200, file));
    const gateway = await startTestGateway(
      JSON.stringify({
        server: { limits: { uploadBodyBytes: 50 } },
        plugins,
        providers: { alpha: { use: "openai", apiKey: key, baseUrl: upstream.url } },
      }),
    );
    const send = (headers: Record<string, string>) =>
      call(
        `${gateway.url}/v1/files`,
        { method: "POST", headers: { "content-type": type, "x-gateway-provider": "@alpha", ...headers } },
        form,
      );
    expect((await send({})).status).toBe(413);
    expect((await send({ "transfer-encoding": "chunked" })).status).toBe(413);
  });
});

it("begins a batch once, where copies of requests go to others", async () => {
  const { gateway, received } = await start((_, response) => json(response, 200, batch), { "strategy-shadow": {} });
  const config = { strategy: { mode: "shadow" }, targets: [{ provider: "@alpha" }, { provider: "@beta" }] };
  const headers = { "content-type": "application/json", "x-gateway-config": JSON.stringify(config) };
  const response = await fetch(`${gateway.url}/v1/batches`, { method: "POST", headers, body: "{}" });
  expect(response.status).toBe(200);
  await response.text();
  expect(
    (await fetch(`${gateway.url}/v1/batches/b`, { headers: { "x-gateway-config": headers["x-gateway-config"] } }))
      .status,
  ).toBe(200);
  await expect.poll(() => received.length).toBe(3);
  expect(received.map(({ method, url }) => `${method} ${url}`).sort()).toEqual([
    "GET /alpha/batches/b",
    "GET /beta/batches/b",
    "POST /alpha/batches",
  ]);
});

it("calls no private address that a vendor names", async () => {
  const inside = await startUpstream((_, response) => json(response, 200, {}));
  const urls = { filenameToSignedUrls: { "ds-1.jsonl": `${inside.url}/secret` } };
  const upstream = await startUpstream((_, response) => json(response, 200, urls));
  const fireworks = { apiKey: key, baseUrl: `${upstream.url}/inference/v1`, accountId: "acc-1" };
  const gateway = await startTestGateway(
    JSON.stringify({
      server: { trustedHosts: [] },
      plugins: { ...plugins, routing: {} },
      providers: { "fireworks-ai": fireworks },
    }),
  );
  const headers = { "x-gateway-provider": "@fireworks-ai" };
  const response = await fetch(`${gateway.url}/v1/files/ds-1/content`, { headers });
  expect([response.status, upstream.received.length, inside.received.length]).toEqual([400, 1, 0]);
});

describe("a provider without files", () => {
  it.each([
    ["GET", "/v1/files", "listFiles"],
    ["POST", "/v1/batches", "createBatch"],
    ["GET", "/v1/batches/b/output", "getBatchOutput"],
    ["POST", "/v1/fine_tuning/jobs/f/cancel", "cancelFinetune"],
  ])("refuses %s %s", async (method, path, type) => {
    const google = { google: { apiKey: key } };
    const { gateway } = await start((_, response) => json(response, 200, {}), { "format-gemini": {} }, google);
    const response = await fetch(gateway.url + path, { method, headers: { "x-gateway-provider": "@google" } });
    expect([response.status, await response.text()]).toEqual([
      400,
      expect.stringContaining(`${type} is not supported by google.`),
    ]);
  });

  it("is not the gateway itself, which runs no batches", async () => {
    const { gateway } = await start((_, response) => json(response, 200, {}));
    const response = await fetch(`${gateway.url}/v1/batches`, { headers: { "x-gateway-provider": "gateway" } });
    const { message } = (await response.json()) as { message: string };
    expect([response.status, message]).toEqual([400, expect.stringContaining('no provider "gateway"')]);
  });
});
