import { toFile } from "@anthropic-ai/sdk";
import { GoogleGenAI } from "@google/genai";
import { expect, it } from "vitest";
import { anthropicClient } from "../support/clients.ts";
import { startTestGateway } from "../support/gateway.ts";
import { call } from "../support/raw-call.ts";
import { type Answering, json, startUpstream } from "../support/upstream.ts";

const claudes = { id: "file_1", type: "file", filename: "a.txt", size_bytes: 3, created_at: "2026-01-01T00:00:00Z" };
const batch = { id: "msgbatch_1", results_url: "https://vendor.example/v1/messages/batches/msgbatch_1/results" };
const geminis = { name: "files/1", mimeType: "text/plain", sizeBytes: "3", state: "ACTIVE" };

/** What the two vendors have at paths of their own, by method and path; the rest is not there. */
const vendors: Readonly<Record<string, object>> = {
  "POST /claude/files": claudes,
  "GET /claude/files": { data: [claudes], next_page: "page_2" },
  "GET /claude/files?page=page_2": { data: [{ ...claudes, id: "file_2" }], next_page: null },
  "GET /claude/files/file_1": claudes,
  "DELETE /claude/files/file_1": { id: "file_1", type: "file_deleted" },
  "GET /claude/messages/batches/msgbatch_1": batch,
  "GET /claude/messages/batches": { data: [{ ...batch, results_url: null }], has_more: false },
  "GET /claude/messages/batches/msgbatch_1/results": { custom_id: "a", result: { type: "expired" } },
  "GET /claude/models/m": { id: "m", type: "model", display_name: "M" },
  "GET /v1/files/1": geminis,
  "GET /v1/files?pageSize=1": { files: [geminis] },
  "GET /v1/batches/b": { name: "batches/b", metadata: { displayName: "mine" } },
  "GET /v1beta/models?pageSize=1": { models: [{ name: "models/gemini-a", displayName: "A" }] },
};

/** Files come to Google in two calls: the first is told where, the second has the bytes. */
const vendor: Answering = ({ method, url, headers }, response) => {
  if (url.startsWith("/upload/")) {
    const ends = headers["x-goog-upload-command"] === "upload, finalize";
    response.setHeader("x-goog-upload-status", ends ? "final" : "active");
    response.setHeader("x-goog-upload-url", `https://google.example${url}?upload_id=u`);
    return json(response, 200, { file: geminis });
  }
  const answer = vendors[`${method} ${url}`];
  return answer ? json(response, 200, answer) : json(response, 404, { error: { message: `no ${method} ${url}` } });
};

async function start() {
  const upstream = await startUpstream(vendor);
  const plugins = { "auth-open": {}, routing: {}, "format-openai-chat": {}, "format-openai-files": {}, proxy: {} };
  const formats = { "format-anthropic-messages": {}, "format-gemini": {} };
  const providers = {
    anthropic: { apiKey: "k", baseUrl: `${upstream.url}/claude`, version: "2023-06-01" },
    google: { apiKey: "k", baseUrl: upstream.url },
  };
  const { url } = await startTestGateway(JSON.stringify({ plugins: { ...plugins, ...formats }, providers }));
  return { url, received: upstream.received };
}

it.each(["files/..", "files/%2e%2e/content", "batches/.."])("no name leads to another place: %s", async (path) => {
  const { url, received } = await start();
  const headers = { "x-gateway-provider": "@anthropic" };
  const answer = await call(`${url}/v1/never`, { path: `/v1/${path}`, headers });
  expect([answer.status, answer.body.toString()]).toEqual([400, expect.stringContaining("leads upwards")]);
  expect(received).toEqual([]);
});

it("Anthropic's client has its files in Anthropic's words, and says the version of the API", async () => {
  const { url, received } = await start();
  const { files, models } = anthropicClient({ url, headers: { "x-gateway-provider": "@anthropic" } });
  expect(await files.upload({ file: await toFile(Buffer.from("abc"), "a.txt") })).toEqual(claudes);
  const all: string[] = [];
  for await (const { id } of files.list()) all.push(id);
  expect(all).toEqual(["file_1", "file_2"]);
  expect(await files.retrieveMetadata("file_1")).toEqual(claudes);
  expect((await files.delete("file_1")).type).toBe("file_deleted");
  expect((await models.retrieve("m")).display_name).toBe("M");
  const versions = new Set(received.map(({ headers }) => headers["anthropic-version"]));
  expect(versions.size).toBe(1);
  expect(versions).not.toContain("2023-06-01");
});

it("Anthropic's client has the results of a batch by the gateway, wherever the vendor says they are", async () => {
  const { url } = await start();
  const { batches } = anthropicClient({ url, headers: { "x-gateway-provider": "@anthropic" } }).messages;
  expect((await batches.list()).data).toMatchObject([{ id: "msgbatch_1", results_url: null }]);
  const results: string[] = [];
  for await (const { custom_id } of await batches.results("msgbatch_1")) results.push(custom_id);
  expect(results).toEqual(["a"]);
});

it("Google's client has files, batches and models at v1, and uploads in pieces", async () => {
  const { url, received } = await start();
  const httpOptions = { baseUrl: url, headers: { "x-gateway-provider": "@google" } };
  const { files, batches, models } = new GoogleGenAI({ apiKey: "k", apiVersion: "v1", httpOptions });
  expect(await files.upload({ file: new Blob(["abc"]), config: { mimeType: "text/plain" } })).toMatchObject(geminis);
  expect(received.at(-1)).toMatchObject({
    url: expect.stringMatching(/^\/upload\/v1\w*\/files\?upload_id=u$/),
    body: Buffer.from("abc"),
  });
  expect(await files.get({ name: "files/1" })).toMatchObject(geminis);
  expect((await files.list({ config: { pageSize: 1 } })).page).toMatchObject([geminis]);
  expect((await batches.get({ name: "batches/b" })).displayName).toBe("mine");
  expect((await models.list({ config: { pageSize: 1 } })).page).toMatchObject([{ name: "models/gemini-a" }]);
});
