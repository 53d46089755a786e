import OpenAI from "openai";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openAiClient } from "../support/clients.ts";
import { type Deployment, gatewayKey, startDeployment, vendorKey } from "../support/deployment.ts";
import { vendorNames } from "../support/vendors.ts";

const tools: OpenAI.ChatCompletionTool[] = [
  {
    type: "function",
    function: {
      name: "get_weather",
      description: "The weather of a city.",
      parameters: { type: "object", properties: { city: { type: "string" } }, required: ["city"] },
    },
  },
];
const ask = (content: string): OpenAI.ChatCompletionMessageParam[] => [{ role: "user", content }];

const pairs = vendorNames.flatMap((vendor) =>
  (["openai", "anthropic"] as const).map((provider) => ({ vendor, provider })),
);

describe.each(pairs)("the OpenAI client, answered by $vendor as $provider", ({ vendor, provider }) => {
  let deployment: Deployment;
  let client: OpenAI;
  const model = `${provider}/small-1`;
  const limits = { max_completion_tokens: 200 };
  beforeAll(async () => {
    deployment = await startDeployment(vendor);
    client = openAiClient({ url: deployment.gateway.url, key: gatewayKey });
  });
  afterAll(() => deployment.close());

  it("is given a whole answer with usage", async () => {
    const { choices, usage, object } = await client.chat.completions.create({
      model,
      ...limits,
      messages: ask("How are you?"),
    });
    expect(object).toBe("chat.completion");
    expect(choices).toMatchObject([
      {
        index: 0,
        finish_reason: "stop",
        message: { role: "assistant", content: "Simulated answer from small-1: How are you?" },
      },
    ]);
    expect(usage?.prompt_tokens).toBeGreaterThan(0);
    expect(usage?.total_tokens).toBe((usage?.prompt_tokens ?? 0) + (usage?.completion_tokens ?? 0));
  });

  it("is given the same answer as a stream", async () => {
    const request = { model, ...limits, messages: ask("How are you?"), stream_options: { include_usage: true } };
    const stream = client.chat.completions.stream({ ...request, stream: true });
    const pieces: string[] = [];
    stream.on("content", (piece) => pieces.push(piece));
    const completion = await stream.finalChatCompletion();
    expect(completion.choices).toMatchObject([
      { finish_reason: "stop", message: { content: "Simulated answer from small-1: How are you?" } },
    ]);
    expect(pieces.length).toBeGreaterThan(1);
    expect(completion.usage?.completion_tokens).toBeGreaterThan(0);
  });

  it.each([false, true])("is given parallel tool calls (streamed: %s)", async (stream) => {
    const request = { model, ...limits, tools, messages: ask("Call get_weather twice.") };
    const completion = stream
      ? await client.chat.completions.stream(request).finalChatCompletion()
      : await client.chat.completions.create(request);
    const [choice] = completion.choices;
    expect(choice?.finish_reason).toBe("tool_calls");
    const calls = choice?.message.tool_calls ?? [];
    expect(calls).toHaveLength(2);
    expect(new Set(calls.map(({ id }) => id)).size).toBe(2);
    for (const call of calls) {
      if (call.type !== "function") throw new Error("not a function call");
      expect(call.function.name).toBe("get_weather");
      expect(JSON.parse(call.function.arguments)).toEqual({ city: expect.any(String) });
    }
  });

  it.each([false, true])("goes all the way round with a tool (streamed: %s)", async (stream) => {
    const question = { role: "user" as const, content: "Call get_weather." };
    const first = await client.chat.completions.create({ model, ...limits, tools, messages: [question] });
    const message = first.choices[0]?.message;
    const [call] = message?.tool_calls ?? [];
    if (!message || !call) throw new Error("no tool was called");
    const answered = { role: "tool" as const, tool_call_id: call.id, content: "Sunny, 20 degrees" };
    const request = { model, ...limits, tools, messages: [question, message, answered] };
    const second = stream
      ? await client.chat.completions.stream(request).finalChatCompletion()
      : await client.chat.completions.create(request);
    expect(second.choices[0]).toMatchObject({
      finish_reason: "stop",
      message: { content: "The tool said: Sunny, 20 degrees" },
    });
    const { messages } = JSON.parse(deployment.recorder.last().body.toString());
    expect(JSON.stringify(messages)).toContain(`"${call.id}"`);
  });

  it("shows the vendor an image", async () => {
    const data = Buffer.from("not really a picture").toString("base64");
    await client.chat.completions.create({
      model,
      ...limits,
      messages: [
        {
          role: "user",
          content: [
            { type: "text", text: "What is this?" },
            { type: "image_url", image_url: { url: `data:image/png;base64,${data}` } },
            { type: "image_url", image_url: { url: "https://files.example.com/cat.png" } },
          ],
        },
      ],
    });
    const { messages } = JSON.parse(deployment.recorder.last().body.toString());
    const [, inline, linked] = messages[0].content;
    if (provider === "openai") {
      expect(inline).toEqual({ type: "image_url", image_url: { url: `data:image/png;base64,${data}` } });
      expect(linked).toEqual({ type: "image_url", image_url: { url: "https://files.example.com/cat.png" } });
    } else {
      expect(inline).toEqual({ type: "image", source: { type: "base64", media_type: "image/png", data } });
      expect(linked).toEqual({ type: "image", source: { type: "url", url: "https://files.example.com/cat.png" } });
    }
  });

  it.each([
    [401, OpenAI.AuthenticationError],
    [429, OpenAI.RateLimitError],
    [500, OpenAI.InternalServerError],
  ])("throws its own error for an upstream that answers %i", async (status, type) => {
    for (const stream of [false, true]) {
      const failure = await client.chat.completions
        .create({ model: `${provider}/fault-status-${status}`, ...limits, messages: ask("Fail."), stream })
        .then(() => undefined)
        .catch((error: unknown) => error);
      expect(failure).toBeInstanceOf(type);
      expect(failure).toMatchObject({ status, message: expect.stringContaining("Simulated failure with status") });
    }
  });

  it("shows the vendor the gateway's credential for it and never the client's", async () => {
    await client.chat.completions.create({ model, ...limits, messages: ask("Hi.") });
    const { headers } = deployment.recorder.last();
    const shown = provider === "openai" ? { authorization: `Bearer ${vendorKey}` } : { "x-api-key": vendorKey };
    expect(headers).toMatchObject(shown);
    expect(JSON.stringify(headers)).not.toContain(gatewayKey);
  });
});
