import { createAnthropic } from "@ai-sdk/anthropic";
import { createOpenAI } from "@ai-sdk/openai";
import { generateText, type LanguageModel, stepCountIs, streamText, tool } from "ai";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import type { TestGateway } from "../support/gateway.ts";
import { startBeforeVendors } from "../support/vendors.ts";

let gateway: TestGateway;

/** One simulated vendor for each chat format: what the SDK speaks is translated for all but its own. */
const vendors = ["openai-chat", "openai-responses", "anthropic-messages", "gemini", "cohere-chat", "bedrock-converse"];

beforeAll(async () => {
  gateway = await startBeforeVendors(vendors);
});
afterAll(() => gateway.shutdown(0, 0));

const models: Readonly<Record<string, (vendor: string) => LanguageModel>> = {
  "openai chat": (vendor) => createOpenAI({ apiKey: "none", baseURL: `${gateway.url}/v1` }).chat(`${vendor}/demo`),
  "openai responses": (vendor) =>
    createOpenAI({ apiKey: "none", baseURL: `${gateway.url}/v1` }).responses(`${vendor}/demo`),
  "anthropic messages": (vendor) => createAnthropic({ apiKey: "none", baseURL: `${gateway.url}/v1` })(`${vendor}/demo`),
};

const rows = Object.entries(models).flatMap(([client, model]) => vendors.map((vendor) => ({ client, vendor, model })));

describe.each(rows)("the Vercel AI SDK as $client, before a vendor of $vendor", ({ vendor, model }) => {
  it("gets a text", async () => {
    const { text, finishReason, usage } = await generateText({
      model: model(vendor),
      prompt: "Hello",
      maxOutputTokens: 100,
    });
    expect(text).toContain("Hello");
    expect(finishReason).toBe("stop");
    expect(usage.outputTokens).toBeGreaterThan(0);
  });

  it("gets the same text as a stream", async () => {
    const { text } = await generateText({ model: model(vendor), prompt: "Hello", maxOutputTokens: 100 });
    const stream = streamText({ model: model(vendor), prompt: "Hello", maxOutputTokens: 100 });
    let streamed = "";
    for await (const piece of stream.textStream) streamed += piece;
    expect(streamed).toBe(text);
    expect(await stream.finishReason).toBe("stop");
  });

  it("has a tool called, whole and streamed", async () => {
    const asked: unknown[] = [];
    const tools = {
      look: tool({
        description: "Looks something up.",
        inputSchema: z.object({ city: z.string().optional() }),
        execute: (input) => {
          asked.push(input);
          return "A cat.";
        },
      }),
    };
    const options = {
      model: model(vendor),
      prompt: "Call the tool look.",
      maxOutputTokens: 100,
      tools,
      stopWhen: stepCountIs(1),
    };
    const { toolCalls } = await generateText({ ...options, toolChoice: "required" });
    expect(toolCalls).toMatchObject([{ toolName: "look" }]);
    const stream = streamText({ ...options, toolChoice: "required" });
    await stream.consumeStream();
    expect(await stream.toolCalls).toMatchObject([{ toolName: "look" }]);
    expect(asked).toHaveLength(2);
  });
});
