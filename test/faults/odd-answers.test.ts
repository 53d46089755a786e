import { describe, expect, it } from "vitest";
import { startTestGateway } from "../support/gateway.ts";
import { call } from "../support/raw-call.ts";
import { startUpstream } from "../support/upstream.ts";

const choice = { index: 0, finish_reason: "stop" };
const whole = JSON.stringify({ id: "c", choices: [{ ...choice, message: { role: "assistant", content: "Tea." } }] });
const frames = `data: ${JSON.stringify({ id: "c", choices: [{ ...choice, delta: { content: "Tea." } }] })}\n\ndata: [DONE]\n\n`;
const mark = "\ufeff";

/** A vendor that answers everything in one way, and the gateway before it. */
async function start(status: number, headers: Record<string, string>, text: string) {
  const upstream = await startUpstream((_, response) => response.writeHead(status, headers).end(text));
  const gateway = await startTestGateway(
    JSON.stringify({
      plugins: { "auth-open": {}, routing: {}, "format-openai-chat": {}, "format-anthropic-messages": {}, proxy: {} },
      providers: { openai: { apiKey: "openai-key-0123", baseUrl: upstream.url } },
    }),
  );
  return async (path: string, more: object = {}) => {
    const body = JSON.stringify({ model: "m", max_tokens: 9, messages: [{ role: "user", content: "Hi" }], ...more });
    const asked = { method: "POST", headers: { "content-type": "application/json", "x-gateway-provider": "openai" } };
    const answered = await call(`${gateway.url}${path}`, asked, body);
    return { ...answered, text: answered.body.toString() };
  };
}

const paths = ["/v1/chat/completions", "/v1/messages"];

describe.each(paths)("to clients of %s", (path) => {
  it("a byte order mark in front of an answer is no part of it", async () => {
    const ask = await start(200, { "content-type": "application/json" }, mark + whole);
    const { status, text } = await ask(path);
    expect([status, JSON.stringify(JSON.parse(text))]).toEqual([200, expect.stringContaining("Tea.")]);
  });

  it("nor is one in front of a stream", async () => {
    const ask = await start(200, { "content-type": "text/event-stream" }, mark + frames);
    const { status, text } = await ask(path, { stream: true });
    expect([status, text]).toEqual([200, expect.stringMatching(/^(?:event|data): .*Tea\./s)]);
  });

  it("nor is one in front of an error", async () => {
    const ask = await start(400, { "content-type": "application/json" }, `${mark}{"error":{"message":"No."}}`);
    expect(JSON.parse((await ask(path)).text)).toMatchObject({ error: { message: "openai error: No." } });
  });

  it.each(["[]", `[${whole}]`, '{"odd" 1}', '"Tea."', "null"])("an answer of %s is no success", async (text) => {
    const ask = await start(200, { "content-type": "application/json" }, text);
    expect((await ask(path)).status).toBe(502);
    expect((await ask(path, { stream: true })).status).toBe(502);
  });

  it.each<[string, Record<string, string>]>([
    ["none", {}],
    ["another one", { "content-type": "text/plain; charset=utf-8" }],
    ["one in capitals", { "content-type": "Application/JSON" }],
  ])("an answer has the content type of JSON where the vendor says %s", async (_, headers) => {
    const ask = await start(200, headers, whole);
    const { status, headers: answered } = await ask(path);
    expect([status, answered["content-type"]]).toEqual([200, "application/json"]);
  });

  it.each<[string, Record<string, string>, string]>([
    ["however it writes that", { "content-type": "Application/JSON" }, whole],
    ["as a text", { "content-type": "text/plain; charset=utf-8" }, ` ${whole}`],
    ["and does not say what it is", {}, mark + whole],
  ])("a stream is one where the vendor answers in one piece, %s", async (_, type, body) => {
    const ask = await start(200, type, body);
    const { status, headers, text } = await ask(path, { stream: true });
    expect([status, headers["content-type"]]).toEqual([200, "text/event-stream; charset=utf-8"]);
    expect(text).toContain("Tea.");
  });

  it("a stream is one where the vendor does not say that it is one", async () => {
    const ask = await start(200, { "content-type": "text/plain" }, frames);
    const { status, headers, text } = await ask(path, { stream: true });
    expect([status, headers["content-type"]]).toEqual([200, "text/event-stream; charset=utf-8"]);
    expect(text).toContain("Tea.");
  });

  it("an error in one piece is told as one, though its type says nothing", async () => {
    const ask = await start(200, { "content-type": "text/plain" }, '{"error":{"message":"No."}}');
    const { status, text } = await ask(path, { stream: true });
    expect(status).toBeGreaterThanOrEqual(400);
    expect(text).toContain("No.");
  });

  it.each([
    [302, "https://elsewhere.example/login?token=1", "https://elsewhere.example"],
    [307, "https://elsewhere.example/v1/chat/completions", "https://elsewhere.example"],
    [308, "/v2/chat/completions", "/v2/chat/completions"],
  ])(
    "a redirection (%i to %s) is an error that says where to, and sends nobody there",
    async (code, location, place) => {
      const ask = await start(code, { location }, "");
      const { status, headers, text } = await ask(path);
      expect([status, headers.location]).toEqual([code, undefined]);
      expect(JSON.parse(text)).toMatchObject({
        error: {
          message: `openai error: it redirects to ${place}, and redirections are not followed. Is its base URL right?`,
        },
      });
    },
  );
});

it("raw calls see redirections as they are", async () => {
  const location = "https://elsewhere.example/file?token=1";
  const ask = await start(302, { location }, "");
  const { status, headers } = await ask("/v1/proxy/files/1");
  expect([status, headers.location]).toEqual([302, location]);
});
