import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { GoogleGenAI } from "@google/genai";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Recording, startRecording } from "../../plugins/request-log/testing.ts";
import { lines } from "../support/procedures.ts";
import { json } from "../support/upstream.ts";

// 1000 tokens in and 100 out are 0.12 cents, in a batch 0.06.
const message = (more: object = {}) => ({
  custom_id: "a",
  result: {
    type: "succeeded",
    message: {
      type: "message",
      model: "priced",
      content: [],
      usage: { input_tokens: 1000, output_tokens: 100, service_tier: "batch" },
      ...more,
    },
  },
});
const expired = { custom_id: "b", result: { type: "expired" } };
const refused = { custom_id: "c", result: { type: "errored", error: { type: "error", error: { message: "no" } } } };
const generated = {
  response: {
    candidates: [{ content: { parts: [{ text: "Tea." }] } }],
    usageMetadata: { promptTokenCount: 1000, candidatesTokenCount: 100, totalTokenCount: 1100 },
    modelVersion: "priced",
  },
};
const completion = {
  custom_id: "a",
  response: {
    status_code: 200,
    body: { model: "priced", choices: [], usage: { prompt_tokens: 1000, completion_tokens: 100 } },
  },
};
const vertex = "projects/p/locations/l/batchPredictionJobs";
const vertexJob = (id: number, state: string) => ({
  ...{ name: `${vertex}/${id}`, state, model: "publishers/google/models/priced" },
  ...{ outputInfo: { gcsOutputDirectory: "gs://a/b" }, completionStats: { successfulCount: "2" } },
});
const arn = "arn:aws:bedrock:us-east-1:123456789012:model-invocation-job/a1b2";
const operation = (output: object, state = "BATCH_STATE_SUCCEEDED") => ({
  name: "batches/b",
  metadata: { model: "models/priced", state, output },
  done: true,
});
const inlined = { inlinedResponses: { inlinedResponses: [generated, { error: { code: 3 } }, generated] } };
const vectors = {
  inlinedEmbedContentResponses: {
    inlinedResponses: [{ response: { embedding: { values: [0.1] }, tokenCount: "1000" } }],
  },
};

/** What vendors answer, by the end of the path. */
const answers: Readonly<Record<string, object | string>> = {
  "batches/one/results": lines(message(), expired, message(), refused),
  "batches/two/results": lines(message()),
  "batches/parts/results": lines(message(), message()),
  "batches/all/results": lines(message()),
  "batches/spelled/result%73/": lines(message()),
  "batches/broken/results": lines(message(), message()),
  "batches/silent/results": lines(message(), message({ usage: undefined })),
  "batches/mine/cancel": { id: "mine", type: "message_batch" },
  "batches/mine/results": lines(message()),
  "batches/none/results": lines(expired, refused),
  "batches/inline": operation(inlined),
  "batches/running": operation(inlined, "BATCH_STATE_RUNNING"),
  "batches/vectors": operation(vectors),
  "batches/filed": operation({ responsesFile: "files/out" }),
  "files/out:download": lines({ key: "a", ...generated }),
  "batches/loaded": operation({ responsesFile: "files/loaded" }),
  "download/v1beta/files/loaded:download": lines({ key: "a", ...generated }),
  "batches/sdk": operation(inlined),
  "openai/batches/proxied": { id: "proxied", object: "batch", status: "completed", output_file_id: "file-p" },
  "openai/files/file-p/content": lines(completion),
  "batch/jobs/kept": { object: "batch", status: "SUCCESS", output_file: "file-m" },
  "files/file-m/content": lines(completion),
  "batch/jobs/running": { object: "batch", status: "RUNNING", model: "priced", outputs: [completion] },
  [vertex]: { name: `${vertex}/7`, state: "JOB_STATE_PENDING" },
  [`${vertex}/7`]: vertexJob(7, "JOB_STATE_SUCCEEDED"),
  [`${vertex}/8`]: vertexJob(8, "JOB_STATE_RUNNING"),
  [`${vertex}/9`]: vertexJob(9, "JOB_STATE_PARTIALLY_SUCCEEDED"),
  [`${vertex}/10`]: vertexJob(10, "JOB_STATE_FAILED"),
  [`model-invocation-job/${encodeURIComponent(arn)}`]: { jobArn: arn, status: "Completed", modelId: "priced" },
  "batch/jobs/inline": { object: "batch", status: "SUCCESS", model: "priced", outputs: [completion] },
};

let vendor: Server;
let recording: Recording;
let breaks = true;
/** The id of the batch that is made next. */
let madeNext = "made";

beforeAll(async () => {
  vendor = createServer(({ url: asked = "", headers: { range } }, response) => {
    const path = (asked.split("?")[0] ?? "").slice(1).replace(/^(?:v1\w*\/)?(?:messages\/)?/, "");
    const answer = answers[path] ?? { id: madeNext, type: "message_batch" };
    if (typeof answer !== "string") return json(response, 200, answer);
    response.setHeader("content-type", "application/x-jsonl");
    if (path === "batches/broken/results" && breaks)
      return void response.write(answer.slice(0, 300), () => response.destroy());
    // `bytes=0-99` is as far as any client goes here.
    const [, last] = /-(\d+)$/.exec(range ?? "") ?? [];
    const part = last === undefined ? answer : answer.slice(0, Number(last) + 1);
    if (last !== undefined) response.writeHead(206, { "content-range": `bytes 0-${part.length - 1}/${answer.length}` });
    response.end(part);
  });
  await new Promise<void>((resolve) => vendor.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(vendor.address() as AddressInfo).port}`;
  recording = await startRecording(
    {},
    {
      plugins: {
        "format-gemini": {},
        "format-bedrock-converse": {},
        "format-openai-files": {},
        pricing: { models: { priced: { input: 1, output: 2 } } },
      },
      providers: {
        claude: { use: "anthropic", apiKey: "key-0123456", baseUrl: url },
        google: { apiKey: "key-0123456", baseUrl: url },
        openai: { apiKey: "key-0123456", baseUrl: url },
      },
    },
  );
});

afterAll(async () => {
  await recording.stop();
  vendor.closeAllConnections();
  vendor.close();
});

let traces = 0;
async function rowOf(provider: string, path: string, method = "GET", more = {}) {
  const trace = `trace-${traces++}`;
  const headers = { "x-gateway-provider": provider, "x-gateway-trace-id": trace, ...more };
  const body = method === "GET" ? null : { requests: [] };
  await recording.ask(body, { path, method, headers }).catch(() => undefined);
  return (await recording.trace(trace, 1))[0];
}

const nothing = { cost: 0, total_units: null };
const unknown = { cost: null, total_units: null };
const oneLine = { cost: 0.06, total_units: 1100, ai_model: "priced" };
const twoLines = { cost: 0.12, total_units: 2200, ai_model: "priced" };

describe("a batch that is read in the words of its vendor", () => {
  it.each<[string, string, string, object, string?]>([
    ["has used nothing when it is made", "@claude", "/v1/messages/batches", nothing, "POST"],
    ["nor when it is ended", "@claude", "/v1/messages/batches/one/cancel", nothing, "POST"],
    ["nor when it is looked at", "@claude", "/v1/messages/batches/one", nothing],
    ["is billed by its results", "@claude", "/v1/messages/batches/one/results", twoLines],
    ["once", "@claude", "/v1/messages/batches/one/results", nothing],
    ["wherever they are read", "@claude", "/v1/proxy/v1/messages/batches/one/results", nothing],
    ["in the words of another, too", "@claude", "/v1/batches/one/output", nothing],
    ["however they are spelled", "@claude", "/v1/messages/batches/spelled/result%73/", oneLine],
    ["below the proxy", "@claude", "/v1/proxy/messages/batches/two/results", oneLine],
    ["as unknown where a line does not say", "@claude", "/v1/messages/batches/silent/results", { cost: null }],
    ["as nothing where no line was answered", "@claude", "/v1/messages/batches/none/results", nothing],
    ["made of a model", "@google", "/v1beta/models/priced:batchGenerateContent", nothing, "POST"],
    ["not while it runs", "@google", "/v1beta/batches/running", nothing],
    ["by what stands in it", "@google", "/v1beta/batches/inline", twoLines],
    ["by what stands in it once", "@google", "/v1beta/batches/inline", nothing],
    ["by vectors", "@google", "/v1beta/batches/vectors", { cost: 0.05, total_units: 1000 }],
    ["not by a file nobody knows", "@google", "/v1beta/files/out:download?alt=media", nothing],
    ["not by the name of its file", "@google", "/v1beta/batches/filed", nothing],
    ["by its file", "@google", "/v1beta/files/out:download?alt=media", oneLine],
    ["by its file once, at another version", "@google", "/v1beta1/files/out:download?alt=media", nothing],
    ["not by the name of a file elsewhere", "@google", "/v1beta/batches/loaded", nothing],
    ["by its file elsewhere", "@google", "/download/v1beta/files/loaded:download?alt=media", oneLine],
    ["by its file elsewhere once", "@google", "/v1/proxy/download/v1beta/files/loaded:download?alt=media", nothing],
    ["made below the proxy", "@openai", "/v1/proxy/batches", nothing, "POST"],
    ["made below the proxy, with a slash behind", "@openai", "/v1/proxy/batches/", nothing, "POST"],
    ["not by the name of a file below the proxy", "@openai", "/v1/proxy/openai/batches/proxied", nothing],
    ["by its file below the proxy", "@openai", "/v1/proxy/openai/files/file-p/content", oneLine],
    ["by its file once, wherever", "@openai", "/v1/files/file-p/content", nothing],
    ["made as a job", "@openai", "/v1/batch/jobs", nothing, "POST"],
    ["not by the name of the file of a job", "@openai", "/v1/batch/jobs/kept", nothing],
    ["by the file of a job", "@openai", "/v1/files/file-m/content", oneLine],
    ["not by what stands in a job that goes on", "@openai", "/v1/batch/jobs/running", nothing],
    ["made of results in a bucket: nobody knows what it costs", "@google", `/v1/proxy/${vertex}`, unknown, "POST"],
    ["and that once", "@google", `/v1/proxy/${vertex}/7`, nothing],
    ["not when it is ended, of results in a bucket", "@google", `/v1/proxy/${vertex}/7:cancel`, nothing, "POST"],
    ["not while it runs, of results in a bucket", "@google", `/v1/proxy/${vertex}/8`, nothing],
    ["as unknown, of results in a bucket, made elsewhere", "@google", `/v1/proxy/${vertex}/9`, unknown],
    ["as unknown once, of results in a bucket", "@google", `/v1/proxy/${vertex}/9`, nothing],
    ["as nothing where none came of it", "@google", `/v1/proxy/${vertex}/10`, nothing],
    ["as unknown, of Bedrock's", "@openai", `/v1/proxy/model-invocation-job/${encodeURIComponent(arn)}`, unknown],
    ["as unknown once, of Bedrock's", "@openai", `/v1/proxy/model-invocation-job/${encodeURIComponent(arn)}`, nothing],
    ["by what stands in a job", "@openai", "/v1/batch/jobs/inline", oneLine],
  ])("%s", async (_, provider, path, row, method) => {
    expect(await rowOf(provider, path, method)).toMatchObject(row);
  });

  it("is billed to who has made it", async () => {
    const caller = (id: string) => ({
      "x-test-principal": JSON.stringify({
        ...{ id, name: id, organisation: recording.organisation, workspace: recording.workspace.id },
      }),
    });
    madeNext = "mine";
    await rowOf("@claude", "/v1/messages/batches", "POST", caller("maker"));
    await rowOf("@claude", "/v1/messages/batches/mine/cancel", "POST", caller("another"));
    expect(await rowOf("@claude", "/v1/messages/batches/mine/results", "GET", caller("reader"))).toMatchObject(nothing);
    const rows = async () => (await recording.admin("GET", "/logs?page_size=100")).body.data as { cost: number }[];
    const paid = async () => (await rows()).filter((row) => "api_key_name" in row && row.api_key_name === "maker");
    await expect.poll(async () => (await paid()).map(({ cost }) => cost).sort()).toEqual([0, 0.06]);
  });

  it("is not billed by half of its results", async () => {
    const results = "/v1/messages/batches/broken/results";
    expect(await rowOf("@claude", results)).toMatchObject(nothing);
    breaks = false;
    expect(await rowOf("@claude", results)).toMatchObject(twoLines);
  });

  it("is not billed by a part of its results that was asked for, unless that is all of them", async () => {
    const whole = Buffer.byteLength(answers["batches/all/results"] as string);
    const asking = (path: string) => rowOf("@claude", path, "GET", { range: `bytes=0-${whole - 1}` });
    expect(await asking("/v1/messages/batches/parts/results")).toMatchObject(nothing);
    expect(await rowOf("@claude", "/v1/messages/batches/parts/results")).toMatchObject(twoLines);
    expect(await asking("/v1/messages/batches/all/results")).toMatchObject(oneLine);
  });

  it("is billed to a client of the vendor's", async () => {
    const { url, organisation, workspace } = { ...recording, url: recording.gateway.url };
    const principal = { id: "caller", organisation, workspace: workspace.id };
    const headers = {
      "x-gateway-provider": "@google",
      "x-gateway-trace-id": "google-sdk",
      "x-test-principal": JSON.stringify(principal),
    };
    const { batches } = new GoogleGenAI({ apiKey: "k", apiVersion: "v1", httpOptions: { baseUrl: url, headers } });
    expect((await batches.get({ name: "batches/sdk" })).dest?.inlinedResponses).toHaveLength(3);
    expect((await recording.trace("google-sdk", 1))[0]).toMatchObject(twoLines);
  });
});
