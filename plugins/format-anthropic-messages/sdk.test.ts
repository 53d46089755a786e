import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import Anthropic from "@anthropic-ai/sdk";
import { describe, expect, it } from "vitest";
import { encodeStream } from "./stream/encode-stream.ts";
import { chunksIn, context } from "./testing.ts";

const fixtures = join(import.meta.dirname, "fixtures");
const answered = readdirSync(fixtures).filter((scenario) => existsSync(join(fixtures, scenario, "response.json")));

/** The vendor's own client, given a stream without a network. */
const accumulated = (body: string) => {
  const headers = { "content-type": "text/event-stream" };
  const client = new Anthropic({ apiKey: "none", maxRetries: 0, fetch: async () => new Response(body, { headers }) });
  return client.messages.stream({ model: "m", max_tokens: 1, messages: [] }).finalMessage();
};

describe.each(answered)("the vendor's client, given the stream of %s", (scenario) => {
  const read = (file: string) => readFileSync(join(fixtures, scenario, file), "utf8");

  it("understands what this format wrote as it understands the original", async () => {
    const encoder = encodeStream(context);
    const written = chunksIn(read("upstream.sse"))
      .map((chunk) => encoder.push(chunk))
      .join("");
    const { content, stop_reason, stop_sequence, usage } = await accumulated(written + encoder.end());
    const whole = JSON.parse(read("response.json"));
    const spoken = content.filter((block) => block.type !== "text" || block.text !== "");
    expect(plain(spoken)).toEqual(whole.content);
    expect({ stop_reason, stop_sequence }).toEqual({
      stop_reason: whole.stop_reason,
      stop_sequence: whole.stop_sequence,
    });
    expect(usage).toMatchObject({ input_tokens: whole.usage.input_tokens, output_tokens: whole.usage.output_tokens });
  });
});

/** Without what the client adds for itself. */
const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value));
