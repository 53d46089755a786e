import { expect, it } from "vitest";
import { specified } from "../../test/control-plane/operations.ts";
import { startTestGateway } from "../../test/support/gateway.ts";
import { call } from "../../test/support/raw-call.ts";
import { startRawUpstream } from "../../test/support/raw-upstream.ts";

it.each([
  ["POST", "/v1/otel/v1/traces", 404],
  ["POST", "/v1/logs/otel/v1/traces", 404],
  ["POST", "/v1/v1/logs?a=b", 404],
  ["POST", "/v1/feedback", 404],
  ["GET", "/v1/analytics/graphs/cost", 404],
  ["GET", "/v1/traces/t-1", 404],
  ["POST", "/v1/integrations", 404],
  ["PATCH", "/v1/api-keys/k-1", 404],
  ["POST", "/v1/providers", 404],
  ["PATCH", "/v1/prompts/p-1", 404],
  ["PUT", "/v1/workspace-exclusions/input-guardrails", 404],
  ["POST", "/v1//integrations", 404],
  ["POST", "/v1/%69ntegrations", 404],
  ["POST", "/v1/integration%73?a=%zz", 404],
  ["POST", "/v2/integrations", 404],
  ["PATCH", "/v2/prompts/p-1", 404],
  ["GET", "/v1/providers", 200],
  ["POST", "/v1/traces/ingest", 200],
  ["GET", "/v1/logsheets", 200],
  ["POST", "/v1/proxy/logs", 200],
])("%s %s is a %i where nobody else answers it", async (method, path, status) => {
  const { url, asked } = await startBefore("{}");
  const headers = { "content-type": "application/json" };
  const answer = await fetch(url + path, { method, headers, ...(method !== "GET" && { body: '{"secret":1}' }) });
  expect([answer.status, asked.length]).toEqual([status, status === 200 ? 1 : 0]);
});

it("no vendor is asked to change what management keeps", async () => {
  const { url, asked } = await startBefore("{}");
  const later = [
    "/mcp-integrations/i",
    "/mcp-servers/s",
    "/model-configs",
    "/agent-integrations/i",
    "/agent-servers/s",
  ];
  const headers = { "content-type": "application/json" };
  for (const path of new Set([...specified.map((operation) => operation.path), ...later]))
    for (const place of [`/v1${path}`, `/v1${path}/`, `/v2${path}`]) {
      const answer = await fetch(url + place, { method: "PATCH", headers, body: '{"secret":1}' });
      expect([place, answer.status]).toEqual([place, 404]);
    }
  expect(asked).toEqual([]);
});

it.each([
  ["/v1/models/gemini-2.5-pro:generateContent", 400],
  ["/v1/proxy/models/gemini-2.5-pro:generateContent", 200],
  ["/v1/models/imagen-4:predict", 200],
  ["/v1/models/gemini-2.5-pro", 200],
  ["/v1beta/models/gemini-2.5-pro:generateContent", 400],
  ["/v1beta/models/veo-3.1:predictLongRunning", 200],
  ["/v1beta/cachedContents", 200],
  ["/v2/batches", 200],
  ["/model/amazon.titan-embed-text-v2%3A0/invoke", 200],
  ["/v1/projects/p/locations/l/publishers/anthropic/models/m:rawPredict", 200],
  ["/v3/batches", 404],
])("a format that has some of the paths leaves the others: POST %s is a %i", async (path, status) => {
  const { url, asked } = await startBefore(
    "{}",
    "  format-gemini: {}\n  format-openai-chat: {}\n  format-anthropic-messages: {}\n",
  );
  const answer = await fetch(url + path, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: "{}",
  });
  expect([answer.status, asked.length]).toEqual([status, status === 200 ? 1 : 0]);
});

it.each([
  ["/model/amazon.titan-embed-text-v2%3A0/invoke", "{}", 200],
  ["/model/amazon.titan-embed-text-v2%3A0/invoke", "no JSON", 400],
  ["/upload/v1beta/files", "no JSON", 200],
  ["/v1/anything", "{}", 400],
])(
  "bytes are JSON for a model of Bedrock, unread where files are taken, and nothing else takes them: POST %s with %s is a %i",
  async (path, body, status) => {
    const { url, asked } = await startBefore("{}");
    const headers = { "content-type": "application/octet-stream" };
    const answer = await fetch(url + path, { method: "POST", headers, body });
    expect([answer.status, asked.length]).toEqual([status, status === 200 ? 1 : 0]);
  },
);

it("the list of models is asked for by its own name, however it was written", async () => {
  const { url, asked } = await startBefore('{"data":[{"id":"m"}]}');
  for (const path of ["/v1/models/", "/v1/models/?limit=1", "/v1/models/a-model/"])
    expect((await fetch(url + path)).status).toBe(200);
  expect(asked).toEqual(["/v1/models", "/v1/models?limit=1", "/v1/models/a-model/"]);
});

it.each([
  ["/v1/proxy/../admin", false],
  ["/v1/proxy/models/one:run/%2e%2E/other:run", false],
  ["/v1/files/..%2f..%2fadmin", false],
  ["/v1/files/a%5c..", false],
  ["/v1/files/..?a=b", false],
  ["/v1/files/..;a=b/c", false],
  ["/v1/files/..#a", false],
  ["/v1/files/a#b", false],
  ["/v1/files/a..b/...?path=/../c", true],
  ["/v1/files/./a//b", true],
])("no path leads out of the base URL: %s", async (path, passes) => {
  const { url, asked } = await startBefore("{}");
  const { status } = await call(`${url}/v1/never`, { path, headers: { "x-gateway-provider": "" } });
  expect([status, asked.length]).toEqual(passes ? [200, 1] : [400, 0]);
});

it.each([
  ["GET", "http://any.example/v1/proxy/a/b?c=/d", 200, ["/v1/a/b?c=/d"]],
  ["GET", "https://any.example/v1/models?limit=1", 200, ["/v1/models?limit=1"]],
  ["POST", "http://any.example/v1/integrations", 404, []],
  ["GET", "HTTP://any.example?a=b", 200, []],
])("the host in the URL of a request is no part of its path: %s %s is a %i", async (method, path, status, paths) => {
  const { url, asked } = await startBefore('{"data":[]}');
  const answer = await call(`${url}/v1/never`, { method, path, headers: { "x-gateway-provider": "" } });
  expect([answer.status, asked]).toEqual([status, paths]);
});

/** A gateway before a vendor that always answers the same; `asked` are the addresses it was asked for. */
async function startBefore(answer: string, plugins = "") {
  const asked: (string | undefined)[] = [];
  const vendor = await startRawUpstream((incoming, response) => {
    asked.push(incoming.url);
    response.writeHead(200, { "content-type": "application/json" }).end(answer);
  });
  const { url } = await startTestGateway(`
plugins:
  auth-open: {}
  routing: { default: openai }
  proxy: {}
${plugins}providers:
  openai: { baseUrl: "${vendor}/v1", apiKey: key-of-openai }
`);
  return { url, asked };
}
