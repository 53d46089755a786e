import { readFileSync } from "node:fs";
import { describe, expect, it, vi } from "vitest";
import { temporaryFolder } from "../../core/cli/testing.ts";
import { anthropicClient, openAiClient } from "../support/clients.ts";
import { startTestGateway } from "../support/gateway.ts";

const config = readFileSync(new URL("../../config/gateway.yaml", import.meta.url), "utf8");
/** With its records beside it, and an admin key that need not be printed. */
const start = () => startTestGateway(config, { BOOTSTRAP_ADMIN_KEY: "the-first-key-of-a-test" }, temporaryFolder());
const messages = [{ role: "user" as const, content: "How are you?" }];

describe("what npm start runs, with nothing in the environment", () => {
  it("answers the OpenAI client, whole and streamed, in chat, completions and embeddings", async () => {
    const gateway = await start();
    const { chat, completions, embeddings } = openAiClient(gateway);
    const request = { model: "gpt-4o-mini", messages };
    const whole = await chat.completions.create(request);
    const streamed = await chat.completions.stream(request).finalChatCompletion();
    expect(whole.choices[0]?.message.content).toBe("Simulated answer from gpt-4o-mini: How are you?");
    expect(streamed.choices[0]?.message.content).toBe(whole.choices[0]?.message.content);
    const { choices } = await completions.create({ model: "davinci", prompt: "Hi" });
    expect(choices[0]?.text).toContain("Hi");
    const { data } = await embeddings.create({ model: "embed", input: ["a", "b"], dimensions: 4 });
    expect(data.map(({ embedding }) => embedding.length)).toEqual([4, 4]);
  });

  it("answers the Anthropic client, whole and streamed", async () => {
    const gateway = await start();
    const client = anthropicClient(gateway);
    const request = { model: "claude-next", max_tokens: 100, messages };
    const whole = await client.messages.create(request);
    const streamed = await client.messages.stream(request).finalMessage();
    expect(whole.content).toEqual([{ type: "text", text: "Simulated answer from claude-next: How are you?" }]);
    expect(streamed.content).toMatchObject(whole.content);
  });

  it("writes down how each request ended, and what it used", async () => {
    const gateway = await start();
    const { chat } = openAiClient(gateway);
    const request = { model: "m", messages, stream_options: { include_usage: true } };
    await chat.completions.stream(request).finalChatCompletion();
    await chat.completions
      .stream({ ...request, model: "fault-cut-after-2" })
      .done()
      .catch(() => undefined);
    const lines = () => gateway.log.lines.filter(({ message }) => message === "request").map(({ fields }) => fields);
    // What came of the one that was cut is counted first.
    await vi.waitUntil(() => lines().length === 2, 15_000);
    await chat.completions.create({ model: "fault-status-503", messages }).catch(() => undefined);
    await vi.waitUntil(() => lines().length === 3, 15_000);
    expect(lines()).toMatchObject([
      { ending: "complete", status: 200, provider: "simulator", usage: { inputTokens: 3, outputTokens: 7 } },
      { ending: "truncated", status: 200 },
      { ending: "error", status: 503 },
    ]);
  });
});
