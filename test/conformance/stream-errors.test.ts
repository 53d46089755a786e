import { describe, expect, it } from "vitest";
import { exceptionFrame, type Format } from "../../core/index.ts";
import { translation } from "../../core/pipeline/stream/stream-work.ts";
import { openAiCompletions } from "../../plugins/format-openai-completions/index.ts";
import { chatFormats } from "./pairs.ts";
import { vendorContext } from "./vendor-context.ts";

function named(name: string): Format<"chat"> {
  const found = chatFormats.find((format) => format.name === name);
  if (!found) throw new Error(`there is no format ${name}`);
  return found;
}

const sse = (data: object, event?: string): Buffer =>
  Buffer.from(`${event ? `event: ${event}\n` : ""}data: ${JSON.stringify(data)}\n\n`);

/** What a client is told of an error that ends a vendor's stream. */
function toldOf(upstream: string, frame: Buffer, client: string): string {
  const work = translation({
    upstream: named(upstream),
    client: named(client),
    context: vendorContext,
    maxFrameBytes: 1e6,
  });
  const out = work.push(frame);
  const { upstreamError } = work;
  if (!upstreamError) throw new Error("the error was not seen");
  return Buffer.concat([out, work.fail(upstreamError)].map((piece) => Buffer.from(piece as string))).toString();
}

/** Frames of vendors, and the words every client has for them. */
const rows: readonly [vendor: string, frame: Buffer, told: Readonly<Record<string, string>>][] = [
  [
    "gemini",
    sse({ error: { code: 503, message: "m", status: "UNAVAILABLE" } }),
    {
      "openai-chat": '"type":"server_error","param":null,"code":"UNAVAILABLE"',
      "openai-responses": '"error":{"type":"server_error","code":"UNAVAILABLE"',
      "anthropic-messages": '"type":"overloaded_error"',
      "bedrock-converse": "serviceUnavailableException",
      gemini: '"code":503,"message":"m","status":"UNAVAILABLE"',
      "cohere-chat": '"error":"m","finish_reason":"ERROR"',
    },
  ],
  [
    "gemini",
    sse({ error: { code: 429, message: "m", status: "RESOURCE_EXHAUSTED" } }),
    {
      "openai-chat": '"type":"rate_limit_error"',
      "anthropic-messages": '"type":"rate_limit_error"',
      "bedrock-converse": "throttlingException",
    },
  ],
  [
    "anthropic-messages",
    sse({ type: "error", error: { type: "overloaded_error", message: "m" } }, "error"),
    {
      "openai-chat": '"type":"server_error","param":null,"code":"overloaded_error"',
      "openai-responses": '"error":{"type":"server_error","code":"overloaded_error"',
      "anthropic-messages": '"type":"overloaded_error"',
      gemini: '"code":503,"message":"m","status":"UNAVAILABLE"',
      "bedrock-converse": "serviceUnavailableException",
    },
  ],
  [
    "openai-chat",
    sse({ error: { message: "m", type: "server_error", param: null, code: null } }),
    {
      "openai-chat": '"type":"server_error"',
      "openai-responses": '"type":"server_error"',
      "anthropic-messages": '"type":"api_error"',
      gemini: '"status":"INTERNAL"',
    },
  ],
  [
    "openai-chat",
    sse({ error: { message: "m", type: "tokens", param: null, code: "rate_limit_exceeded" } }),
    {
      "openai-chat": '"type":"tokens"',
      "anthropic-messages": '"type":"rate_limit_error"',
      gemini: '"code":429,"message":"m","status":"RESOURCE_EXHAUSTED"',
      "bedrock-converse": "throttlingException",
    },
  ],
  [
    "openai-chat",
    sse({ error: { message: "m", type: "invalid_request_error", param: null, code: null } }),
    { "anthropic-messages": '"type":"invalid_request_error"', "bedrock-converse": "validationException" },
  ],
  [
    "bedrock-converse",
    Buffer.from(exceptionFrame("throttlingException", '{"message":"m"}'), "latin1"),
    {
      "openai-chat": '"type":"rate_limit_error"',
      "anthropic-messages": '"type":"rate_limit_error"',
      gemini: '"status":"RESOURCE_EXHAUSTED"',
      "bedrock-converse": "throttlingException",
    },
  ],
  [
    "cohere-chat",
    sse({ type: "message-end", delta: { error: "m", finish_reason: "ERROR" } }, "message-end"),
    { "openai-chat": '"type":"server_error"', "anthropic-messages": '"type":"api_error"' },
  ],
];

const table = rows.flatMap(([vendor, frame, told]) =>
  Object.entries(told).map(([client, words]) => ({ vendor, frame, client, words })),
);

describe("an error in a stream is told in the words of the client's format", () => {
  it.each(table)("$vendor to $client: $words", ({ vendor, frame, client, words }) => {
    expect(toldOf(vendor, frame, client)).toContain(words);
  });

  it("of completions, too", () => {
    const error = { message: "m", type: "UNAVAILABLE", status: 503 };
    expect(openAiCompletions.encodeStream?.(vendorContext).fail(error)).toContain(
      '"type":"server_error","param":null,"code":"UNAVAILABLE"',
    );
  });

  it("the gateway's own words stay", () => {
    const error = { message: "m", type: "upstream_truncated" };
    expect(named("anthropic-messages").encodeStream?.(vendorContext).fail(error)).toContain("upstream_truncated");
  });
});
