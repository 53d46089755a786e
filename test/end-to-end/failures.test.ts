import Anthropic from "@anthropic-ai/sdk";
import OpenAI from "openai";
import { describe, expect, it } from "vitest";
import { anthropicClient, openAiClient } from "../support/clients.ts";
import { configFor, gatewayKey, secrets, vendorKey } from "../support/deployment.ts";
import { startTestGateway } from "../support/gateway.ts";
import { type Answering, json, startUpstream } from "../support/upstream.ts";

const event = (data: { type: string } & Record<string, unknown>) =>
  `event: ${data.type}\ndata: ${JSON.stringify(data)}\n\n`;
const chunk = (delta: object, finish_reason: string | null = null) =>
  `data: ${JSON.stringify({ id: "c", model: "m", choices: [{ index: 0, delta, finish_reason }] })}\n\n`;

/** An answer in pieces: what it begins with, what finishes it, what ends the stream; and an error of the vendor. */
const vendors = {
  openai: {
    begin: chunk({ role: "assistant", content: "Hel" }) + chunk({ content: "lo" }),
    finish: chunk({}, "stop"),
    end: "data: [DONE]\n\n",
    error: 'data: {"error":{"message":"Too much.","type":"rate_limit_error"}}\n\n',
    broken: 'data: {"id":"c","choices":[{\n\n',
  },
  anthropic: {
    begin:
      event({
        type: "message_start",
        message: {
          id: "msg_1",
          type: "message",
          role: "assistant",
          model: "m",
          content: [],
          stop_reason: null,
          stop_sequence: null,
          usage: { input_tokens: 1, output_tokens: 1 },
        },
      }) +
      event({ type: "content_block_start", index: 0, content_block: { type: "text", text: "" } }) +
      event({ type: "content_block_delta", index: 0, delta: { type: "text_delta", text: "Hel" } }) +
      event({ type: "content_block_delta", index: 0, delta: { type: "text_delta", text: "lo" } }),
    finish:
      event({ type: "content_block_stop", index: 0 }) +
      event({
        type: "message_delta",
        delta: { stop_reason: "end_turn", stop_sequence: null },
        usage: { output_tokens: 2 },
      }),
    end: event({ type: "message_stop" }),
    error: event({ type: "error", error: { type: "rate_limit_error", message: "Too much." } }),
    broken: 'event: content_block_delta\ndata: {"type":"content_block_delta","index":\n\n',
  },
} as const;

type Name = keyof typeof vendors;
const pairs = (["openai", "anthropic"] as const).flatMap((client) =>
  (["openai", "anthropic"] as const).map((provider) => ({ client, provider })),
);

async function start(answer: Answering) {
  const upstream = await startUpstream(answer);
  return startTestGateway(configFor(upstream.url), secrets);
}
const streaming =
  (text: string, then: "end" | "cut" = "end"): Answering =>
  (_, response) => {
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.write(text, () => (then === "end" ? response.end() : response.destroy()));
  };

/** The text a client was given as a stream. Rejects as the client does. */
async function read(client: Name, provider: Name, url: string): Promise<string> {
  const messages = [{ role: "user" as const, content: "Hello?" }];
  const model = `${provider}/m`;
  if (client === "anthropic") {
    const stream = anthropicClient({ url, key: gatewayKey }).messages.stream({ model, messages, max_tokens: 9 });
    const { content } = await stream.finalMessage();
    return content.map((block) => (block.type === "text" ? block.text : "")).join("");
  }
  const stream = openAiClient({ url, key: gatewayKey }).chat.completions.stream({ model, messages });
  return (await stream.finalChatCompletion()).choices[0]?.message.content ?? "";
}

/** The same question by hand. */
const chatOf = (client: Name, more: object) => ({
  path: client === "openai" ? "/v1/chat/completions" : "/v1/messages",
  init: {
    method: "POST",
    headers: { "content-type": "application/json", "x-gateway-api-key": gatewayKey },
    body: JSON.stringify({ max_tokens: 9, messages: [{ role: "user", content: "Hello?" }], ...more }),
  },
});

const failureOf = (asked: Promise<unknown>) =>
  asked.then(
    () => undefined,
    (error: unknown) => error,
  );

describe.each(pairs)("a stream of $provider that fails amid it, for a client of $client", ({ client, provider }) => {
  const { begin, error } = vendors[provider];

  it("does not show the credential that an error inside it quotes", async () => {
    let fail = () => {};
    const gateway = await start((_, response) => {
      response.writeHead(200, { "content-type": "text/event-stream" }).write(begin);
      fail = () => response.end(error.replace("Too much.", `Too much for ${vendorKey}.`));
    });
    const asking = chatOf(client, { model: `${provider}/m`, stream: true });
    const { body } = await fetch(`${gateway.url}${asking.path}`, asking.init);
    let text = "";
    for await (const piece of body?.pipeThrough(new TextDecoderStream()) ?? []) {
      if (text === "") fail();
      text += piece;
    }
    expect(text).toContain("Too much for ***.");
  });
});

describe.each(pairs)("a stream of $provider for a client of $client", ({ client, provider }) => {
  const { begin, finish, end, error, broken } = vendors[provider];
  const library = client === "openai" ? OpenAI : Anthropic;

  it.each([
    ["that the vendor cuts", begin, "cut"],
    ["that the vendor cuts in the middle of a frame", begin + finish.slice(0, 20), "cut"],
    ["that stops before it is finished", begin, "end"],
  ] as const)("%s is an error for the client, and no answer", async (_, text, then) => {
    const gateway = await start(streaming(text, then));
    expect(await failureOf(read(client, provider, gateway.url))).toBeInstanceOf(library.APIError);
  });

  it("that fails after it began brings the vendor's own words", async () => {
    const gateway = await start(streaming(begin + error));
    const failure = await failureOf(read(client, provider, gateway.url));
    expect(failure).toBeInstanceOf(library.APIError);
    expect(failure).toMatchObject({ message: expect.stringContaining("Too much.") });
  });

  it("that fails at once is an ordinary error with a status", async () => {
    const gateway = await start(streaming(error));
    const failure = await failureOf(read(client, provider, gateway.url));
    expect(failure).toBeInstanceOf(library.RateLimitError);
    expect(failure).toMatchObject({ status: 429, message: expect.stringContaining("Too much.") });
  });

  it("is whole without its terminator, with frames nobody can read, and with comments", async () => {
    for (const text of [
      begin + finish,
      begin + broken + finish + end,
      `: hello\n\n${begin}: still\n\n${finish}${end}`,
    ]) {
      const gateway = await start(streaming(text));
      expect(await read(client, provider, gateway.url)).toBe("Hello");
    }
  });

  it("that the vendor answers in one piece is an error or an answer, but never silence", async () => {
    const gateway = await start((_, response) => response.writeHead(200, { "content-type": "text/html" }).end("<p>"));
    expect(await failureOf(read(client, provider, gateway.url))).toBeInstanceOf(library.APIError);
  });
});

describe.each(pairs)("an error of $provider for a client of $client", ({ client, provider }) => {
  const library = client === "openai" ? OpenAI : Anthropic;

  it("keeps its headers, and never shows the credential it quotes", async () => {
    const gateway = await start((_, response) =>
      json(
        response,
        429,
        { type: "error", error: { type: "rate_limit_error", message: `Too much for ${vendorKey}.` } },
        { "retry-after": "7", "x-request-id": "req_7", "www-authenticate": `Bearer error="${vendorKey}"` },
      ),
    );
    const failure = await failureOf(read(client, provider, gateway.url));
    expect(failure).toBeInstanceOf(library.RateLimitError);
    expect(failure).toMatchObject({ message: expect.stringContaining("Too much for ***.") });
    if (!(failure instanceof library.APIError)) throw failure;
    expect(failure.headers?.get("retry-after")).toBe("7");
    expect(failure.headers?.get("x-request-id")).toBe("req_7");
    expect(failure.headers?.get("www-authenticate")).toBe('Bearer error="***"');
  });

  it.each([false, true])("is one with status 200 as well (streamed: %s)", async (stream) => {
    const error = { message: "Too much.", type: "rate_limit_error" };
    for (const body of [{ error }, { type: "error", error }]) {
      const gateway = await start((_, response) => json(response, 200, body));
      const { path, init } = chatOf(client, { model: `${provider}/m`, stream });
      const response = await fetch(`${gateway.url}${path}`, init);
      expect(response.status).toBe(429);
      expect(await response.text()).toContain("Too much.");
    }
  });

  it("is readable when it is not JSON", async () => {
    const gateway = await start((_, response) =>
      response.writeHead(502, { "content-type": "text/html" }).end("<h1>Bad"),
    );
    const failure = await failureOf(read(client, provider, gateway.url));
    expect(failure).toBeInstanceOf(library.InternalServerError);
    expect(failure).toMatchObject({ status: 502, message: expect.stringContaining("<h1>Bad") });
  });

  it("has the id the gateway has for it, where the vendor said none", async () => {
    const error = { type: "error", error: { type: "invalid_request_error", message: "No." } };
    const gateway = await start((_, response) => json(response, 400, error));
    const upstream = await failureOf(read(client, provider, gateway.url));
    const own = await failureOf(read(client, "nobody" as Name, gateway.url));
    for (const failure of [upstream, own]) {
      if (!(failure instanceof library.APIError)) throw failure;
      expect(failure.requestID).toBe(failure.headers?.get("x-gateway-request-id"));
    }
  });

  it("keeps the id the vendor has for it", async () => {
    const header = provider === "openai" ? "x-request-id" : "request-id";
    const error = { type: "error", error: { type: "invalid_request_error", message: "No." } };
    const gateway = await start((_, response) => json(response, 400, error, { [header]: "req_9" }));
    const failure = await failureOf(read(client, provider, gateway.url));
    if (!(failure instanceof library.APIError)) throw failure;
    expect(failure.headers?.get(header)).toBe("req_9");
  });

  it("is the gateway's where nobody answers", async () => {
    const gateway = await start((_, response) => response.destroy());
    const failure = await failureOf(read(client, provider, gateway.url));
    expect(failure).toMatchObject({
      status: 500,
      message: expect.stringMatching(new RegExp(`The connection to ${provider} \\(127\\.0\\.0\\.1:\\d+\\) failed`)),
    });
  });
});
