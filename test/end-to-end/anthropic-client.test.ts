import Anthropic from "@anthropic-ai/sdk";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { anthropicClient } from "../support/clients.ts";
import { type Deployment, gatewayKey, startDeployment, vendorKey } from "../support/deployment.ts";
import { vendorNames } from "../support/vendors.ts";

const tools: Anthropic.Tool[] = [
  {
    name: "get_weather",
    description: "The weather of a city.",
    input_schema: { type: "object", properties: { city: { type: "string" } }, required: ["city"] },
  },
];
const ask = (content: string): Anthropic.MessageParam[] => [{ role: "user", content }];

const pairs = vendorNames.flatMap((vendor) =>
  (["openai", "anthropic"] as const).map((provider) => ({ vendor, provider })),
);

describe.each(pairs)("the Anthropic client, answered by $vendor as $provider", ({ vendor, provider }) => {
  let deployment: Deployment;
  let client: Anthropic;
  const model = `${provider}/small-1`;
  beforeAll(async () => {
    deployment = await startDeployment(vendor);
    client = anthropicClient({ url: deployment.gateway.url, key: gatewayKey });
  });
  afterAll(() => deployment.close());

  it("is given a whole answer with usage", async () => {
    const answer = await client.messages.create({ model, max_tokens: 200, messages: ask("How are you?") });
    expect(answer).toMatchObject({
      type: "message",
      role: "assistant",
      id: expect.stringMatching(/^msg_/),
      stop_reason: "end_turn",
      stop_sequence: null,
      content: [{ type: "text", text: "Simulated answer from small-1: How are you?" }],
    });
    expect(answer.usage.input_tokens).toBeGreaterThan(0);
    expect(answer.usage.output_tokens).toBeGreaterThan(0);
  });

  it("is given the same answer as a stream", async () => {
    const pieces: string[] = [];
    const stream = client.messages.stream({ model, max_tokens: 200, messages: ask("How are you?") });
    stream.on("text", (piece) => pieces.push(piece));
    const answer = await stream.finalMessage();
    expect(answer).toMatchObject({
      stop_reason: "end_turn",
      content: [{ type: "text", text: "Simulated answer from small-1: How are you?" }],
    });
    expect(pieces.length).toBeGreaterThan(1);
  });

  it.each([false, true])("is given parallel tool calls (streamed: %s)", async (stream) => {
    const request = { model, max_tokens: 200, tools, messages: ask("Call get_weather twice.") };
    const answer = stream
      ? await client.messages.stream(request).finalMessage()
      : await client.messages.create(request);
    expect(answer.stop_reason).toBe("tool_use");
    const calls = answer.content.filter((block) => block.type === "tool_use");
    expect(calls).toHaveLength(2);
    expect(new Set(calls.map(({ id }) => id)).size).toBe(2);
    for (const { name, input } of calls)
      expect({ name, input }).toEqual({ name: "get_weather", input: { city: expect.any(String) } });
  });

  it.each([false, true])("goes all the way round with a tool (streamed: %s)", async (stream) => {
    const question = { role: "user" as const, content: "Call get_weather." };
    const first = await client.messages.create({ model, max_tokens: 200, tools, messages: [question] });
    const call = first.content.find((block) => block.type === "tool_use");
    if (!call) throw new Error("no tool was called");
    const request = {
      model,
      max_tokens: 200,
      tools,
      messages: [
        question,
        { role: "assistant" as const, content: first.content },
        {
          role: "user" as const,
          content: [{ type: "tool_result" as const, tool_use_id: call.id, content: "Sunny, 20 degrees" }],
        },
      ],
    };
    const second = stream
      ? await client.messages.stream(request).finalMessage()
      : await client.messages.create(request);
    expect(second).toMatchObject({
      stop_reason: "end_turn",
      content: [{ type: "text", text: "The tool said: Sunny, 20 degrees" }],
    });
    expect(deployment.recorder.last().body.toString()).toContain(`"${call.id}"`);
  });

  it("shows the vendor an image", async () => {
    const data = Buffer.from("not really a picture").toString("base64");
    const url = "https://files.example.com/cat.png";
    await client.messages.create({
      model,
      max_tokens: 200,
      messages: [
        {
          role: "user",
          content: [
            { type: "text", text: "What is this?" },
            { type: "image", source: { type: "base64", media_type: "image/png", data } },
            { type: "image", source: { type: "url", url } },
          ],
        },
      ],
    });
    const [, inline, linked] = JSON.parse(deployment.recorder.last().body.toString()).messages[0].content;
    if (provider === "openai") {
      expect(inline).toEqual({ type: "image_url", image_url: { url: `data:image/png;base64,${data}` } });
      expect(linked).toEqual({ type: "image_url", image_url: { url } });
    } else {
      expect(inline).toEqual({ type: "image", source: { type: "base64", media_type: "image/png", data } });
      expect(linked).toEqual({ type: "image", source: { type: "url", url } });
    }
  });

  it.each([
    [401, Anthropic.AuthenticationError],
    [429, Anthropic.RateLimitError],
    [500, Anthropic.InternalServerError],
  ])("throws its own error for an upstream that answers %i", async (status, type) => {
    for (const stream of [false, true]) {
      const failure = await client.messages
        .create({ model: `${provider}/fault-status-${status}`, max_tokens: 9, messages: ask("Fail."), stream })
        .then(() => undefined)
        .catch((error: unknown) => error);
      expect(failure).toBeInstanceOf(type);
      expect(failure).toMatchObject({ status, message: expect.stringContaining("Simulated failure with status") });
      expect(failure).toMatchObject({ error: { type: "error", error: { message: expect.any(String) } } });
    }
  });

  it("shows the vendor the gateway's credential for it and never the client's", async () => {
    await client.messages.create({ model, max_tokens: 200, messages: ask("Hi.") });
    const { headers } = deployment.recorder.last();
    expect(headers).toMatchObject(
      provider === "openai"
        ? { authorization: `Bearer ${vendorKey}` }
        : { "x-api-key": vendorKey, "anthropic-version": expect.any(String) },
    );
    expect(JSON.stringify(headers)).not.toContain(gatewayKey);
  });
});
