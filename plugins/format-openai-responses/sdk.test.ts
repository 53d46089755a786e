import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import OpenAI from "openai";
import { describe, expect, it } from "vitest";
import { chunksIn, streamed } from "./testing.ts";

const fixtures = join(import.meta.dirname, "fixtures");
const answered = readdirSync(fixtures).filter((scenario) => existsSync(join(fixtures, scenario, "response.json")));

/** The vendor's own client, given a stream without a network: what it makes of the events before the last one, too. */
async function accumulated(body: string) {
  const headers = { "content-type": "text/event-stream" };
  const client = new OpenAI({ apiKey: "none", maxRetries: 0, fetch: async () => new Response(body, { headers }) });
  const stream = client.responses.stream({ model: "m", input: "" });
  const texts: string[] = [];
  stream.on("response.output_text.delta", ({ snapshot }) => texts.push(snapshot));
  const { output, status, usage, output_text } = await stream.finalResponse();
  return { output: plain(output), status, usage, output_text, texts };
}

const plain = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value, (name, inner) => (name.startsWith("parsed") ? undefined : inner)));

describe.each(answered)("the vendor's client, given the stream of %s", (scenario) => {
  const read = (file: string) => readFileSync(join(fixtures, scenario, file), "utf8");

  it("understands what this format wrote as it understands the original", async () => {
    const original = await accumulated(read("upstream.sse"));
    expect(await accumulated(streamed(chunksIn(read("upstream.sse"))))).toEqual(original);
    expect(original.output).toEqual(JSON.parse(read("response.json")).output);
  });
});
