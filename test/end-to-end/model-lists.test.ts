import { gzipSync } from "node:zlib";
import OpenAI from "openai";
import { describe, expect, it } from "vitest";
import { startTestGateway } from "../support/gateway.ts";
import { startRawUpstream } from "../support/raw-upstream.ts";

const gatewayBefore = (vendor: string) =>
  startTestGateway(`
plugins:
  auth-open: {}
  routing: { default: google }
  proxy: {}
  metrics: {}
providers:
  google: { baseUrl: "${vendor}", apiKey: key-of-google }
`);

const body = JSON.stringify({ models: [{ name: "models/gemini-2.5-pro", version: "2.5" }] });

describe("the list of a vendor's models (inference-api.md section 17)", () => {
  it.each(["as it is", "packed"])("is one for OpenAI's clients when it comes %s", async (how) => {
    let asked: string | undefined;
    const vendor = await startRawUpstream((incoming, response) => {
      const packed = how === "packed";
      asked = incoming.url;
      response.writeHead(200, { "content-type": "application/json", ...(packed && { "content-encoding": "gzip" }) });
      response.end(packed ? gzipSync(body) : body);
    });
    const { url } = await gatewayBefore(vendor);
    const client = new OpenAI({ baseURL: `${url}/v1`, apiKey: "unused", maxRetries: 0 });
    const page = await client.models.list({
      headers: { "x-gateway-provider": "@google" },
      query: { pageSize: 5 },
    });
    expect(asked).toBe("/v1beta/models?pageSize=5");
    expect(page.object).toBe("list");
    expect(page.data).toMatchObject([{ id: "gemini-2.5-pro", object: "model", created: 0, owned_by: "google" }]);
  });

  it.each([
    ["huggingface", "", "", "/v1/models?x=1"],
    ["databricks", "", "workspace: w", "/api/2.0/serving-endpoints?x=1"],
    ["workers-ai", "/client/v4/accounts/a1/ai/run", "account: a1", "/client/v4/accounts/a1/ai/models/search?x=1"],
    ["bedrock", "", "region: us-east-1", "/foundation-models?x=1"],
  ])("is asked for where %s has it", async (slug, base, option, path) => {
    let asked: string | undefined;
    const vendor = await startRawUpstream((incoming, response) => {
      asked = incoming.url;
      response.writeHead(200, { "content-type": "application/json" }).end('{"data":[]}');
    });
    const { url } = await startTestGateway(`
plugins:
  auth-open: {}
  routing: {}
  proxy: {}
providers:
  ${slug}: { baseUrl: "${vendor}${base}", apiKey: key-0123456789, ${option} }
`);
    const answer = await fetch(`${url}/v1/models?x=1`, { headers: { "x-gateway-provider": `@${slug}` } });
    expect([answer.status, asked]).toEqual([200, path]);
  });

  it("stays as it is when it is a refusal", async () => {
    const vendor = await startRawUpstream((_, response) => {
      response.writeHead(403, { "content-type": "application/json" }).end('{"data":[]}');
    });
    const { url } = await gatewayBefore(vendor);
    const answer = await fetch(`${url}/v1/models`, { headers: { "x-gateway-provider": "@google" } });
    expect([answer.status, await answer.text()]).toEqual([403, '{"data":[]}']);
  });
});
