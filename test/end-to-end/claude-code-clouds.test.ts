import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { explain } from "../../core/cli/explain.ts";
import { environmentOf } from "../../core/config/index.ts";
import { startGateway } from "../../core/test-kit/index.ts";
import { folderOfFile } from "../support/folder-of-file.ts";

const wire = {
  model: "claude-sonnet-4-5",
  anthropic_beta: ["a"],
  max_tokens: 9,
  messages: [{ role: "user", content: "Hi" }],
};
const answered = { type: "message", content: [{ type: "text", text: "Hi" }], input_tokens: 1 };
const profile = "us.anthropic.claude-sonnet-4-5";
const publisher = "projects/p/locations/us-east5/publishers/anthropic";

/**
 * Claude Code speaks the APIs of Bedrock and Vertex AI as well (`ANTHROPIC_BEDROCK_BASE_URL`, `ANTHROPIC_VERTEX_BASE_URL`): what it sends
 * has to come there as it is (code.claude.com, Gateway protocol reference).
 */
const calls: readonly (readonly [string, string, string, string])[] = [
  ["bedrock", "bedrock-2023-05-31", `model/${profile}/invoke-with-response-stream`, "/model"],
  ["bedrock", "bedrock-2023-05-31", `model/${profile}/invoke`, "/model"],
  ["vertex-ai", "vertex-2023-10-16", `${publisher}/models/claude-sonnet-4-5:streamRawPredict`, "/v1/projects"],
  ["vertex-ai", "vertex-2023-10-16", `${publisher}/models/count-tokens:rawPredict`, "/v1/projects"],
];

/** As messages, and as raw calls where no plugin knows messages. */
const ways = [{}, { "format-anthropic-messages": {} }];

it.each(ways.flatMap((more) => calls.map((call) => [...call, more] as const)))(
  "Claude Code reaches %s in its own API (%s) at /v1/%s",
  async (provider, anthropic_version, path, begin, more) => {
    const gateway = await startGateway({
      config: {
        plugins: { "auth-open": {}, routing: {}, proxy: {}, ...more },
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
      upstreams: { VENDOR: { json: answered } },
    });
    onTestFinished(gateway.close);
    const body = JSON.stringify({ anthropic_version, ...wire }, null, 1);
    const answer = await fetch(`${gateway.url}/v1/${path}`, {
      method: "POST",
      headers: { "content-type": "application/json", "anthropic-beta": "b", "x-gateway-provider": provider },
      body,
    });
    expect(answer.status).toBe(200);
    // A stream, which this vendor answers in one piece, is one for a client who is known to want it.
    if (!/stream/i.test(path)) expect(await answer.json()).toEqual(answered);
    const [call] = gateway.upstreams.VENDOR.calls;
    expect(call?.body.toString()).toBe(body);
    expect(call?.url).toBe(`${begin}${path.slice(path.indexOf("/"))}`);
    expect(call?.headers.authorization).toMatch(/^(?:AWS4-HMAC-SHA256|Bearer ya29)/);
    if (provider === "vertex-ai") expect(call?.headers["anthropic-beta"]).toBe("b");
  },
);

/** What else is asked at these paths stays a raw call, and is not found where nobody passes those on. */
it.each([
  ["model/amazon.titan-embed-text-v2%3A0/invoke", '{"inputText":"x"}', "application/json"],
  ["model/anthropic.claude-v2/invoke", '{"anthropic_version":"bedrock-2023-05-31","prompt":"x"}', "application/json"],
  ["model/amazon.nova-pro-v1%3A0/invoke", '{"messages":[]}', "application/json"],
  ["model/a/invoke", '\ufeff ["x"]', "application/json"],
  ["model/a/invoke", "a form", "multipart/form-data; boundary=x"],
  [`${publisher}/models/claude-x:rawPredict`, '{"messages":[]}', "application/json"],
])("a body that is no message is sent on as it is: %s with %s", async (path, body, type) => {
  for (const proxy of [true, false]) {
    const gateway = await startGateway({
      config: {
        plugins: {
          "auth-open": {},
          routing: { default: "openai" },
          "format-anthropic-messages": {},
          ...(proxy && { proxy: {} }),
        },
        providers: { openai: { baseUrl: "${VENDOR}", apiKey: "key" } },
      },
      upstreams: { VENDOR: { json: { ok: true } } },
    });
    onTestFinished(gateway.close);
    const headers = { "content-type": type, "x-gateway-nitro-mode": "true" };
    for (const nitro of [true, false]) {
      const sent = nitro ? headers : { "content-type": type };
      const { status } = await fetch(`${gateway.url}/v1/${path}`, { method: "POST", headers: sent, body });
      expect(status).toBe(proxy ? 200 : 404);
    }
    const { calls } = gateway.upstreams.VENDOR;
    expect(calls.map((call) => [call.url, call.body.toString()])).toEqual(
      proxy ? Array(2).fill([`/${path}`, body]) : [],
    );
  }
});

it.each([
  [`model/anthropic%2Fclaude-x/invoke`, "2026-10-21", "2026-10-21"],
  [`model/anthropic%2Fclaude-x/invoke`, "bedrock-2023-05-31", "2023-06-01"],
  [`${publisher}/models/anthropic/claude-x:rawPredict`, "vertex-2023-10-16", "2023-06-01"],
])(
  "what clouds have in the body is told Anthropic in headers: /v1/%s of %s",
  async (path, anthropic_version, version) => {
    const gateway = await startGateway({
      config: {
        plugins: { "auth-open": {}, routing: {}, "format-anthropic-messages": {} },
        providers: { anthropic: { baseUrl: "${VENDOR}", apiKey: "key" } },
      },
      upstreams: { VENDOR: { json: answered } },
    });
    onTestFinished(gateway.close);
    const body = JSON.stringify({ ...wire, anthropic_version, thread: { type: "new" } });
    // Nothing can leave a body unread that has to be read to know what it is.
    const nitro = { "x-gateway-nitro-mode": "true" };
    const headers = { "content-type": "application/json", "anthropic-beta": "b", ...nitro };
    const answer = await fetch(`${gateway.url}/v1/${path}`, { method: "POST", headers, body });
    expect([answer.status, answer.headers.get("x-gateway-dropped-params")]).toEqual([200, null]);
    const [call] = gateway.upstreams.VENDOR.calls;
    // Nothing is refused or left out as it is for vendors of other formats.
    expect(call?.json).toEqual({ ...wire, model: "claude-x", anthropic_beta: undefined, thread: { type: "new" } });
    expect(call?.headers).toMatchObject({ "anthropic-version": version, "anthropic-beta": "b,a" });
  },
);

it("what is asked there is explained as what its body makes of it", async () => {
  const folder = folderOfFile();
  const plugins = { "auth-open": {}, routing: { default: "simulator" }, "format-anthropic-messages": {}, proxy: {} };
  writeFileSync(join(folder, "gateway.json"), JSON.stringify({ plugins, providers: { simulator: {} } }));
  const endpointOf = async (body: object) => {
    writeFileSync(join(folder, "body.json"), JSON.stringify(body));
    const asked = { request: join(folder, "body.json"), path: "/model/m/invoke", json: true, header: [] };
    const { out } = await explain(join(folder, "gateway.json"), asked, { environment: environmentOf({}) });
    const { request, refused } = JSON.parse(out);
    return [request.endpoint, refused];
  };
  expect(await endpointOf({ ...wire, anthropic_version: "bedrock-2023-05-31" })).toEqual(["messages", undefined]);
  expect(await endpointOf({ inputText: "x" })).toEqual(["proxy", undefined]);
});
