import { expect, it, onTestFinished } from "vitest";
import { startGateway } from "../../core/test-kit/index.ts";

const wire = { anthropic_beta: ["a"], max_tokens: 9, messages: [{ role: "user", content: "Hi" }] };
const profile = "us.anthropic.claude-sonnet-4-5";
const publisher = "projects/p/locations/us-east5/publishers/anthropic";

/**
 * Claude Code speaks the APIs of Bedrock and Vertex AI as well (`ANTHROPIC_BEDROCK_BASE_URL`, `ANTHROPIC_VERTEX_BASE_URL`): what it sends
 * has to come there as it is (code.claude.com, Gateway protocol reference).
 */
it.each<[string, string, string, string]>([
  ["bedrock", "bedrock-2023-05-31", `model/${profile}/invoke-with-response-stream`, "/model"],
  ["bedrock", "bedrock-2023-05-31", `model/${profile}/invoke`, "/model"],
  ["vertex-ai", "vertex-2023-10-16", `${publisher}/models/claude-sonnet-4-5:streamRawPredict`, "/v1/projects"],
  ["vertex-ai", "vertex-2023-10-16", `${publisher}/models/count-tokens:rawPredict`, "/v1/projects"],
])("Claude Code reaches %s in its own API (%s) at /v1/%s", async (provider, anthropic_version, path, begin) => {
  const gateway = await startGateway({
    config: {
      plugins: { "auth-open": {}, routing: {}, proxy: {} },
      providers: {
        bedrock: {
          baseUrl: "${VENDOR}",
          region: "us-east-1",
          accessKeyId: "AKIA0123456789",
          secretAccessKey: "secret-0123456789",
        },
        "vertex-ai": { baseUrl: "${VENDOR}", projectId: "p", region: "us-east5", apiKey: "ya29.0123456789" },
      },
    },
    upstreams: { VENDOR: { json: { type: "message" } } },
  });
  onTestFinished(gateway.close);
  const body = { anthropic_version, ...wire };
  const answer = await fetch(`${gateway.url}/v1/${path}`, {
    method: "POST",
    headers: { "content-type": "application/json", "anthropic-beta": "b", "x-gateway-provider": provider },
    body: JSON.stringify(body),
  });
  expect([answer.status, await answer.json()]).toEqual([200, { type: "message" }]);
  const [call] = gateway.upstreams.VENDOR.calls;
  expect(call?.json).toEqual(body);
  expect(call?.url).toBe(`${begin}${path.slice(path.indexOf("/"))}`);
  expect(call?.headers.authorization).toMatch(/^(?:AWS4-HMAC-SHA256|Bearer ya29)/);
  if (provider === "vertex-ai") expect(call?.headers["anthropic-beta"]).toBe("b");
});
