import OpenAI from "openai";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openAiClient } from "../support/clients.ts";
import { type Deployment, gatewayKey, startDeployment } from "../support/deployment.ts";
import { startTestGateway } from "../support/gateway.ts";
import { vendorNames } from "../support/vendors.ts";

const tools: OpenAI.Responses.Tool[] = [
  {
    type: "function",
    name: "get_weather",
    description: "The weather of a city.",
    parameters: { type: "object", properties: { city: { type: "string" } }, required: ["city"] },
    strict: false,
  },
];

type Item = OpenAI.Responses.ResponseOutputItem;
type Call = OpenAI.Responses.ResponseFunctionToolCallItem;
const isCall = (item: Item): item is Call => item.type === "function_call";

const pairs = vendorNames.flatMap((vendor) =>
  (["openai", "anthropic"] as const).map((provider) => ({ vendor, provider })),
);

describe.each(pairs)("the OpenAI client's responses, answered by $vendor as $provider", ({ vendor, provider }) => {
  let deployment: Deployment;
  let client: OpenAI;
  const model = `${provider}/small-1`;
  const limits = { max_output_tokens: 200 };
  const path = provider === "openai" ? "/v1/responses" : "/v1/messages";
  beforeAll(async () => {
    deployment = await startDeployment(vendor);
    client = openAiClient({ url: deployment.gateway.url, key: gatewayKey });
  });
  afterAll(() => deployment.close());

  it("are whole answers with usage, and the vendor is asked in a format it speaks", async () => {
    const answer = await client.responses.create({ model, ...limits, input: "How are you?" });
    expect(answer.status).toBe("completed");
    expect(answer.output_text).toBe("Simulated answer from small-1: How are you?");
    expect(answer.usage?.input_tokens).toBeGreaterThan(0);
    expect(answer.usage?.total_tokens).toBe((answer.usage?.input_tokens ?? 0) + (answer.usage?.output_tokens ?? 0));
    expect(deployment.recorder.last().path).toBe(path);
  });

  it("are the same answer as a stream", async () => {
    const stream = client.responses.stream({ model, ...limits, input: "How are you?" });
    const pieces: string[] = [];
    const order: number[] = [];
    stream.on("response.output_text.delta", ({ delta }) => pieces.push(delta));
    stream.on("event", (event) => order.push(event.sequence_number));
    const answer = await stream.finalResponse();
    expect(answer.status).toBe("completed");
    expect(answer.output_text).toBe("Simulated answer from small-1: How are you?");
    expect(pieces.length).toBeGreaterThan(1);
    expect(pieces.join("")).toBe(answer.output_text);
    // What passes through is numbered by the vendor, and one of them does not.
    if (vendor === "simulator" || provider === "anthropic") expect(order).toEqual(order.map((_, at) => at));
    expect(answer.usage?.output_tokens).toBeGreaterThan(0);
  });

  it.each([false, true])("are parallel tool calls (streamed: %s)", async (stream) => {
    const request = { model, ...limits, tools, input: "Call get_weather twice." };
    const answer = stream
      ? await client.responses.stream(request).finalResponse()
      : await client.responses.create(request);
    const calls = (answer.output as Item[]).filter(isCall);
    expect(calls).toHaveLength(2);
    expect(new Set(calls.map(({ call_id }) => call_id)).size).toBe(2);
    for (const { name, arguments: json } of calls)
      expect({ name, input: JSON.parse(json) }).toEqual({ name: "get_weather", input: { city: expect.any(String) } });
  });

  it.each([false, true])("go all the way round with a tool (streamed: %s)", async (stream) => {
    const question = { role: "user" as const, content: "Call get_weather." };
    const first = await client.responses.create({ model, ...limits, tools, input: [question] });
    const call = first.output.find(isCall);
    if (!call) throw new Error("no tool was called");
    const result = { type: "function_call_output" as const, call_id: call.call_id, output: "Sunny, 20 degrees" };
    const input = [question, ...first.output, result] as OpenAI.Responses.ResponseInput;
    const request = { model, ...limits, tools, input };
    const second = stream
      ? await client.responses.stream(request).finalResponse()
      : await client.responses.create(request);
    expect(second.output_text).toBe("The tool said: Sunny, 20 degrees");
    expect(deployment.recorder.last().body.toString()).toContain(`"${call.call_id}"`);
  });

  it("show the vendor an image", async () => {
    const data = Buffer.from("not really a picture").toString("base64");
    const image_url = `data:image/png;base64,${data}`;
    await client.responses.create({
      model,
      ...limits,
      input: [
        {
          role: "user",
          content: [
            { type: "input_text", text: "What is this?" },
            { type: "input_image", image_url, detail: "auto" },
          ],
        },
      ],
    });
    const sent = JSON.parse(deployment.recorder.last().body.toString());
    const [, image] = (sent.input ?? sent.messages)[0].content;
    expect(image).toEqual(
      provider === "openai"
        ? { type: "input_image", image_url, detail: "auto" }
        : { type: "image", source: { type: "base64", media_type: "image/png", data } },
    );
  });

  it.each([
    [401, OpenAI.AuthenticationError],
    [429, OpenAI.RateLimitError],
    [500, OpenAI.InternalServerError],
  ])("are the client's own error for an upstream that answers %i", async (status, type) => {
    for (const stream of [false, true]) {
      const failure = await client.responses
        .create({ model: `${provider}/fault-status-${status}`, ...limits, input: "Fail.", stream })
        .then(() => undefined)
        .catch((error: unknown) => error);
      expect(failure).toBeInstanceOf(type);
      expect(failure).toMatchObject({ status, message: expect.stringContaining("Simulated failure with status") });
    }
  });
});

describe("the OpenAI client's responses, answered by a vendor that", () => {
  const gateway = () =>
    startTestGateway(`
plugins:
  auth-open: {}
  routing: { default: native }
  format-openai-chat: {}
  format-openai-responses: {}
  format-anthropic-messages: {}
providers:
  native: { use: simulator, formats: [openai-responses] }
  chat: { use: simulator, formats: [openai-chat] }
  claude: { use: simulator, formats: [anthropic-messages] }
`);

  it.each(["chat", "claude"])("speaks another format (%s), think and repeat the request", async (slug) => {
    const client = openAiClient({ url: (await gateway()).url });
    const request = {
      model: `${slug}/m`,
      input: "How are you?",
      instructions: "Be kind.",
      reasoning: { effort: "low" as const },
      metadata: { team: "a" },
      max_output_tokens: 2048,
    };
    const [whole, streamed] = [
      await client.responses.create(request),
      await client.responses.stream(request).finalResponse(),
    ];
    for (const answer of [whole, streamed]) {
      expect(answer).toMatchObject({ instructions: "Be kind.", metadata: { team: "a" }, max_output_tokens: 2048 });
      expect(answer).toMatchObject({ reasoning: { effort: "low", summary: null }, store: false, status: "completed" });
      const [thinking] = answer.output.filter(({ type }) => type === "reasoning");
      expect(thinking).toMatchObject({ summary: [{ type: "summary_text", text: "Thinking about: How are you?" }] });
      expect(answer.output_text).toBe("Simulated answer from m: How are you?");
    }
  });

  it.each(["native", "chat", "claude"])("has no more room (%s), are incomplete", async (slug) => {
    const client = openAiClient({ url: (await gateway()).url });
    const request = { model: `${slug}/m`, input: "How are you?", max_output_tokens: 2 };
    for (const answer of [
      await client.responses.create(request),
      await client.responses.stream(request).finalResponse(),
    ])
      expect(answer).toMatchObject({ status: "incomplete", incomplete_details: { reason: "max_output_tokens" } });
  });

  it.each(["native", "chat", "claude"])(
    "stops in the middle (%s), are an error and never look finished",
    async (slug) => {
      const client = openAiClient({ url: (await gateway()).url });
      for (const fault of ["cut", "end", "error-event"]) {
        const stream = client.responses.stream({
          model: `${slug}/fault-${fault}-after-6`,
          input: "One two three four five six.",
          max_output_tokens: 200,
        });
        await expect(stream.finalResponse()).rejects.toBeInstanceOf(OpenAI.APIError);
      }
    },
  );

  it("stores nothing, are refused when they would need what was stored", async () => {
    const client = openAiClient({ url: (await gateway()).url });
    const ask = (model: string, more: object) => client.responses.create({ model, input: "Hi", ...more });
    const fields = [
      { previous_response_id: "resp_1" },
      { conversation: "conv_1" },
      { prompt: { id: "p" } },
      { background: true },
    ];
    for (const more of fields) {
      const [param] = Object.keys(more);
      await expect(ask("chat/m", more)).rejects.toMatchObject({
        status: 400,
        param,
        message: expect.stringContaining(`${param} works only`),
      });
      await expect(ask("native/m", more)).resolves.toMatchObject({ status: "completed" });
    }
    const { data, response } = await client.responses
      .create({ model: "chat/m", input: "Hi", store: true })
      .withResponse();
    expect(data.status).toBe("completed");
    expect(response.headers.get("x-gateway-dropped-params")).toBe("store");
  });
});
