import { existsSync, readdirSync, readFileSync } from "node:fs";
import { beforeEach, describe, expect, it } from "vitest";
import { configFor, gatewayKey, secrets } from "../support/deployment.ts";
import { startTestGateway, type TestGateway } from "../support/gateway.ts";
import { startUpstream, type TestUpstream } from "../support/upstream.ts";

const fixture = (path: string) => new URL(`../../plugins/${path}`, import.meta.url);

/** A stream of the vendor as it was recorded: odd spacing, comments, fields newer than this gateway and all. */
const formats = [
  {
    provider: "openai",
    path: "/v1/chat/completions",
    streams: "format-openai-chat/fixtures",
    whole:
      '{\n  "id": "chatcmpl-1", "object":"chat.completion","later": {"a":1e2},"choices" : [{"index":0,"message":{"role":"assistant","content":"\\u00fcber"},"finish_reason":"stop"}] }\n',
    messages: '[{"role":"user","content":"h\\u00fc\\/"}]',
  },
  {
    provider: "openai",
    path: "/v1/responses",
    streams: "format-openai-responses/fixtures",
    whole:
      '{\n  "id": "resp_1", "object":"response","later": {"a":1e2},"status" : "completed","output":[{"type":"message","id":"msg_1","role":"assistant","status":"completed","content":[{"type":"output_text","text":"\\u00fcber","annotations":[]}]}] }\n',
    messages: '[{"role":"user","content":"h\\u00fc\\/"}]',
  },
  {
    provider: "anthropic",
    path: "/v1/messages",
    streams: "format-anthropic-messages/fixtures",
    whole:
      '{\n "type": "message", "id":"x", "role":"assistant","model":"m","later":[1.0], "content":[{"type":"text","text":"\\u00fcber"}],"stop_reason":"end_turn","stop_sequence":null,"usage":{"input_tokens":1,"output_tokens":1}}\n',
    messages: '[{"role":"user","content":[{"type":"text","text":"h\\u00fc\\/","later":true}]}]',
  },
  {
    provider: "cohere",
    path: "/v2/chat",
    streams: "format-cohere-chat/fixtures",
    whole:
      '{\n "id":"x", "later":[1.0],"finish_reason":"COMPLETE", "message":{"role":"assistant","content":[{"type":"text","text":"\\u00fcber"}]},"usage":{"tokens":{"input_tokens":1,"output_tokens":1}}}\n',
    messages: '[{"role":"user","content":[{"type":"text","text":"h\\u00fc\\/","later":true}]}]',
  },
] as const;

describe.each(formats)("$provider in front and behind", ({ provider, path, streams, whole, messages }) => {
  let gateway: TestGateway;
  let upstream: TestUpstream;
  let answer: { readonly type: string; readonly bytes: Buffer };
  beforeEach(async () => {
    upstream = await startUpstream((_, response) => {
      response.writeHead(200, { "content-type": answer.type, "x-request-id": "req_1" });
      response.end(answer.bytes);
    });
    gateway = await startTestGateway(configFor(upstream.url), secrets);
  });
  const post = async (body: string) => {
    const headers = { "content-type": "application/json", authorization: `Bearer ${gatewayKey}` };
    const response = await fetch(gateway.url + path, { method: "POST", headers, body });
    return { response, bytes: Buffer.from(await response.arrayBuffer()) };
  };
  const bodyFor = (model: string, stream: boolean) =>
    `{ "max_tokens" : 1.0e2,"messages":${messages},\n  "unheard_of": [1, 2.50],  "model" :"${model}" , "stream": ${stream} }\n`;

  it("passes the request on with nothing changed but the model", async () => {
    answer = { type: "application/json", bytes: Buffer.from(whole) };
    await post(bodyFor(`${provider}/small-1`, false));
    expect(upstream.received[0]?.url).toBe(path);
    expect(upstream.received[0]?.body.toString()).toBe(bodyFor("small-1", false));
  });

  it("passes the request on untouched when even the model is right", async () => {
    answer = { type: "application/json", bytes: Buffer.from(whole) };
    const headers = {
      "content-type": "application/json",
      "x-gateway-provider": `@${provider}`,
      authorization: gatewayKey,
    };
    await fetch(gateway.url + path, { method: "POST", headers, body: bodyFor("small-1", false) });
    expect(upstream.received[0]?.body.toString()).toBe(bodyFor("small-1", false));
  });

  it("passes the whole answer on byte for byte, with the vendor's headers", async () => {
    answer = { type: "application/json", bytes: Buffer.from(whole) };
    const { response, bytes } = await post(bodyFor(`${provider}/small-1`, false));
    expect(bytes.toString()).toBe(whole);
    expect(response.headers.get("x-request-id")).toBe("req_1");
    expect(response.headers.get("content-length")).toBe(String(Buffer.byteLength(whole)));
    expect(response.headers.get("x-gateway-provider")).toBe(provider);
  });

  const recorded = readdirSync(fixture(streams)).filter(
    (scenario) => existsSync(fixture(`${streams}/${scenario}/upstream.sse`)) && !/error|overloaded/.test(scenario),
  );
  it.each(recorded)("passes the stream %s on byte for byte", async (scenario) => {
    answer = { type: "text/event-stream", bytes: readFileSync(fixture(`${streams}/${scenario}/upstream.sse`)) };
    const { response, bytes } = await post(bodyFor(`${provider}/small-1`, true));
    expect(response.headers.get("content-type")).toBe("text/event-stream; charset=utf-8");
    expect(bytes.toString()).toBe(answer.bytes.toString());
  });

  it("shows the vendor's own error, whatever it thought of the body", async () => {
    const refusing = await startUpstream((_, response) => {
      response.writeHead(422, { "content-type": "application/json", "x-request-id": "req_2" });
      response.end('{"type":"error","error":{"type":"invalid_request_error","message":"messages: not like this"}}');
    });
    gateway.write(configFor(refusing.url));
    expect(await gateway.reload()).toBe(true);
    const { response, bytes } = await post(`{"model":"${provider}/small-1","messages":"not a list"}`);
    expect(response.status).toBe(422);
    expect(response.headers.get("x-request-id")).toBe("req_2");
    expect(JSON.parse(bytes.toString())).toMatchObject({
      provider,
      error: { type: "invalid_request_error", message: `${provider} error: messages: not like this` },
    });
  });
});

it.each([
  ["both", { top_p: 0.9, temperature: 0.5 }, { temperature: 0.5 }, "top_p"],
  ["one", { top_p: 0.9 }, { top_p: 0.9 }, null],
  ["one, and null for the other", { top_p: 0.9, temperature: null }, { top_p: 0.9, temperature: null }, null],
])(
  "tells Claude one of temperature and top-p, of clients of the Messages API that set %s",
  async (_, set, sent, lost) => {
    const upstream = await startUpstream((_, response) => {
      response.writeHead(200, { "content-type": "application/json" });
      response.end(formats[2].whole);
    });
    const gateway = await startTestGateway(configFor(upstream.url), secrets);
    const messages = [{ role: "user", content: "Hi" }];
    const response = await fetch(`${gateway.url}/v1/messages`, {
      method: "POST",
      headers: { "content-type": "application/json", authorization: `Bearer ${gatewayKey}` },
      body: JSON.stringify({ model: "anthropic/m", max_tokens: 9, messages, ...set }),
    });
    expect(response.headers.get("x-gateway-dropped-params")).toBe(lost);
    expect(JSON.parse(`${upstream.received[0]?.body}`)).toEqual({ model: "m", max_tokens: 9, messages, ...sent });
  },
);
