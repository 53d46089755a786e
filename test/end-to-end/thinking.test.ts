import type Anthropic from "@anthropic-ai/sdk";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { anthropicClient, openAiClient } from "../support/clients.ts";
import { type Deployment, gatewayKey, startDeployment } from "../support/deployment.ts";

/** Only vendors of one format sign what a model thinks, and take the signature back. */
describe("thinking", () => {
  let deployment: Deployment;
  beforeAll(async () => {
    deployment = await startDeployment("simulator");
  });
  afterAll(() => deployment.close());
  const sent = () => JSON.parse(deployment.recorder.last().body.toString());

  it.each([false, true])(
    "comes back to the vendor with its signature, byte for byte (streamed: %s)",
    async (stream) => {
      const { messages } = anthropicClient({ url: deployment.gateway.url, key: gatewayKey });
      const question: Anthropic.MessageParam = { role: "user", content: "Think about the moon." };
      const request = {
        model: "anthropic/small-1",
        max_tokens: 2000,
        thinking: { type: "enabled" as const, budget_tokens: 1024 },
      };
      const asked = { ...request, messages: [question] };
      const first = stream ? await messages.stream(asked).finalMessage() : await messages.create(asked);
      const [thought, said] = first.content;
      expect(thought).toEqual({
        type: "thinking",
        thinking: "Thinking about: Think about the moon.",
        signature: expect.stringMatching(/^[\w+/=]{20,}$/),
      });
      expect(said?.type).toBe("text");
      const next: Anthropic.MessageParam = { role: "user", content: "And the sun?" };
      await messages.create({ ...request, messages: [question, { role: "assistant", content: first.content }, next] });
      expect(sent().messages[1]).toEqual({ role: "assistant", content: JSON.parse(JSON.stringify(first.content)) });
      expect(deployment.recorder.last().body.toString()).toContain(JSON.stringify(thought));
    },
  );

  it.each([false, true])("goes round through content blocks of the OpenAI format (streamed: %s)", async (stream) => {
    const headers = { "x-gateway-strict-open-ai-compliance": "false" };
    const { chat } = openAiClient({ url: deployment.gateway.url, key: gatewayKey, headers });
    const question = { role: "user" as const, content: "Think about the moon." };
    const request = {
      model: "anthropic/small-1",
      max_tokens: 2000,
      thinking: { type: "enabled", budget_tokens: 1024 },
    };
    const asked = { ...request, messages: [question] };
    const blocks: unknown[] = [];
    if (stream) {
      const thinking = { type: "thinking", thinking: "", signature: "" };
      let text = "";
      for await (const chunk of await chat.completions.create({ ...asked, stream: true })) {
        const delta = chunk.choices[0]?.delta ?? {};
        text += delta.content ?? "";
        for (const { delta: piece } of blocksIn(delta)) {
          thinking.thinking += piece.thinking ?? "";
          thinking.signature += piece.signature ?? "";
        }
      }
      blocks.push(thinking, { type: "text", text });
    } else {
      const answer = await chat.completions.create(asked);
      const message: object = answer.choices[0]?.message ?? {};
      if ("content_blocks" in message && Array.isArray(message.content_blocks)) blocks.push(...message.content_blocks);
    }
    expect(blocks[0]).toMatchObject({ type: "thinking", thinking: "Thinking about: Think about the moon." });
    const history = { role: "assistant" as const, content: "…", content_blocks: blocks };
    await chat.completions.create({
      ...request,
      messages: [question, history, { role: "user", content: "And the sun?" }],
    });
    expect(sent().messages[1]).toEqual({ role: "assistant", content: blocks });
  });

  it("is not shown to strict clients of the OpenAI format", async () => {
    const { chat } = openAiClient({ url: deployment.gateway.url, key: gatewayKey });
    const answer = await chat.completions.create({
      model: "anthropic/small-1",
      max_completion_tokens: 2000,
      reasoning_effort: "low",
      messages: [{ role: "user", content: "Think about the moon." }],
    });
    expect(JSON.stringify(answer)).not.toContain("Thinking about");
    expect(answer.usage?.completion_tokens_details?.reasoning_tokens).toBeGreaterThan(0);
  });

  it("of a vendor of the OpenAI format reaches the Anthropic client", async () => {
    const { messages } = anthropicClient({ url: deployment.gateway.url, key: gatewayKey });
    const answer = await messages
      .stream({
        model: "openai/small-1",
        max_tokens: 2000,
        output_config: { effort: "low" },
        messages: [{ role: "user", content: "Think about the moon." }],
      })
      .finalMessage();
    expect(answer.content).toMatchObject([
      { type: "thinking", thinking: "Thinking about: Think about the moon." },
      { type: "text" },
    ]);
  });
});

/** What this format adds to the deltas of a stream for clients that are not strict. */
function blocksIn(delta: object): { delta: { thinking?: string; signature?: string } }[] {
  return "content_blocks" in delta && Array.isArray(delta.content_blocks) ? delta.content_blocks : [];
}
