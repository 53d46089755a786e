import {
  type BedrockRuntimeClient,
  ConverseCommand,
  type ConverseCommandInput,
  ConverseStreamCommand,
  type ConverseStreamOutput,
  InvokeModelCommand,
  InvokeModelWithResponseStreamCommand,
  type Message,
  ThrottlingException,
} from "@aws-sdk/client-bedrock-runtime";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { bedrockClient } from "../support/clients.ts";
import { type Deployment, gatewayKey, startDeployment } from "../support/deployment.ts";

const toolConfig: NonNullable<ConverseCommandInput["toolConfig"]> = {
  tools: [
    {
      toolSpec: {
        name: "get_weather",
        description: "The weather of a city.",
        inputSchema: { json: { type: "object", properties: { city: { type: "string" } }, required: ["city"] } },
      },
    },
  ],
};
const user = (text: string): Message => ({ role: "user", content: [{ text }] });

async function streamed(client: BedrockRuntimeClient, input: ConverseCommandInput): Promise<ConverseStreamOutput[]> {
  const { stream } = await client.send(new ConverseStreamCommand(input));
  const events: ConverseStreamOutput[] = [];
  for await (const event of stream ?? []) events.push(event);
  return events;
}

const textOf = (events: readonly ConverseStreamOutput[]) =>
  events.map(({ contentBlockDelta }) => contentBlockDelta?.delta?.text ?? "").join("");

/** A message of Claude's own format, by an invocation: the answer, or its events. */
async function invoked(client: BedrockRuntimeClient, modelId: string, more: object, stream = false) {
  const input = {
    modelId,
    body: JSON.stringify({ anthropic_version: "bedrock-2023-05-31", max_tokens: 200, ...more }),
  };
  if (!stream) return [JSON.parse(Buffer.from((await client.send(new InvokeModelCommand(input))).body).toString())];
  const { body } = await client.send(new InvokeModelWithResponseStreamCommand(input));
  const events = [];
  for await (const { chunk } of body ?? []) events.push(JSON.parse(Buffer.from(chunk?.bytes ?? []).toString()));
  return events;
}

const says = (content: string) => [{ role: "user", content }];

const pairs = [
  { vendor: "simulator", provider: "openai" },
  { vendor: "simulator", provider: "anthropic" },
  { vendor: "simulator", provider: "google" },
  { vendor: "simulator", provider: "bedrock" },
  { vendor: "aimock", provider: "openai" },
  { vendor: "aimock", provider: "bedrock" },
] as const;

describe.each(pairs)("the Bedrock client, answered by $vendor as $provider", ({ vendor, provider }) => {
  let deployment: Deployment;
  let client: BedrockRuntimeClient;
  const modelId = `${provider}/small-1`;
  /**
   * Whether streamed: the mock of this API has streams of invocations in frames of Converse, which no client reads, and the
   * simulator has none.
   */
  const invocations = provider === "bedrock" ? (vendor === "aimock" ? [false] : []) : [false, true];
  beforeAll(async () => {
    deployment = await startDeployment(vendor);
    client = bedrockClient({ url: deployment.gateway.url, key: gatewayKey, http1: true });
  });
  afterAll(async () => {
    client.destroy();
    await deployment.close();
  });

  it("is given a whole answer with usage", async () => {
    const answer = await client.send(new ConverseCommand({ modelId, messages: [user("How are you?")] }));
    expect(answer.output?.message?.content).toEqual([{ text: "Simulated answer from small-1: How are you?" }]);
    expect(answer.stopReason).toBe("end_turn");
    if (vendor !== "aimock" || provider !== "bedrock") expect(answer.usage?.inputTokens).toBeGreaterThan(0);
    if (vendor !== "aimock" || provider !== "bedrock") expect(answer.metrics?.latencyMs).toBeGreaterThan(0);
  });

  it("is given the same answer as a binary stream", async () => {
    const events = await streamed(client, { modelId, messages: [user("How are you?")] });
    expect(textOf(events)).toBe("Simulated answer from small-1: How are you?");
    expect(events[0]?.messageStart).toEqual({ role: "assistant" });
    expect(events.find(({ messageStop }) => messageStop)?.messageStop?.stopReason).toBe("end_turn");
    expect(events.at(-1)?.metadata).toBeDefined();
    if (vendor !== "aimock" || provider !== "bedrock")
      expect(events.at(-1)?.metadata?.metrics?.latencyMs).toBeGreaterThan(0);
  });

  it.each([false, true])("is given parallel tool calls (streamed: %s)", async (stream) => {
    const input = { modelId, messages: [user("Call get_weather twice.")], toolConfig };
    const inputs: unknown[] = [];
    if (stream) {
      const pieces = new Map<number, string>();
      for (const { contentBlockStart: start, contentBlockDelta: delta } of await streamed(client, input)) {
        if (start?.start?.toolUse) pieces.set(start.contentBlockIndex ?? -1, "");
        const index = delta?.contentBlockIndex ?? -1;
        if (delta?.delta?.toolUse) pieces.set(index, `${pieces.get(index)}${delta.delta.toolUse.input}`);
      }
      inputs.push(...[...pieces.values()].map((text) => JSON.parse(text)));
    } else {
      const { output, stopReason } = await client.send(new ConverseCommand(input));
      expect(stopReason).toBe("tool_use");
      for (const { toolUse } of output?.message?.content ?? []) if (toolUse) inputs.push(toolUse.input);
    }
    expect(inputs).toEqual([{ city: expect.any(String) }, { city: expect.any(String) }]);
  });

  it.each([false, true])("goes all the way round with a tool (streamed: %s)", async (stream) => {
    const question = user("Call get_weather.");
    const first = await client.send(new ConverseCommand({ modelId, messages: [question], toolConfig }));
    const said = first.output?.message;
    const toolUseId = said?.content?.find(({ toolUse }) => toolUse)?.toolUse?.toolUseId;
    if (!said || !toolUseId) throw new Error("no tool was called");
    const result: Message = {
      role: "user",
      content: [{ toolResult: { toolUseId, content: [{ text: "Sunny, 20 degrees" }] } }],
    };
    const input = { modelId, messages: [question, said, result], toolConfig };
    const text = stream
      ? textOf(await streamed(client, input))
      : (await client.send(new ConverseCommand(input))).output?.message?.content
          ?.map(({ text }) => text ?? "")
          .join("");
    expect(text).toContain("The tool said: ");
    expect(text).toContain("Sunny, 20 degrees");
  });

  it.each(invocations)("is given messages by an invocation (streamed: %s)", async (stream) => {
    const events = await invoked(client, modelId, { messages: says("How are you?") }, stream);
    const text = events.map(({ content, delta }) => content?.[0].text ?? delta?.text ?? "").join("");
    expect(text).toBe("Simulated answer from small-1: How are you?");
    const last = stream ? events.find(({ type }) => type === "message_delta")?.delta : events[0];
    expect(last).toMatchObject({ stop_reason: "end_turn" });
    if (stream) expect(events.at(-1)).toMatchObject({ type: "message_stop" });
  });

  it.each(invocations)("is given calls by an invocation (streamed: %s)", async (stream) => {
    const tools = [{ name: "get_weather", input_schema: toolConfig.tools?.[0]?.toolSpec?.inputSchema?.json }];
    const events = await invoked(client, modelId, { tools, messages: says("Call get_weather twice.") }, stream);
    const blocks = events.flatMap(({ content, content_block: block }) => content ?? block ?? []);
    expect(blocks.filter(({ type }) => type === "tool_use").map(({ name }) => name)).toEqual(
      Array(2).fill("get_weather"),
    );
  });

  it("shows the vendor an image, a system prompt and settings", async () => {
    const bytes = Buffer.from("not really a picture");
    await client.send(
      new ConverseCommand({
        modelId,
        system: [{ text: "Be brief." }],
        messages: [{ role: "user", content: [{ image: { format: "png", source: { bytes } } }, { text: "See." }] }],
        inferenceConfig: { maxTokens: 77, temperature: 0.5, stopSequences: ["END"] },
      }),
    );
    const sent = deployment.recorder.last().body.toString();
    for (const text of ["Be brief.", bytes.toString("base64"), "See.", "77", "END"]) expect(sent).toContain(text);
  });

  it("is told of failures in the shape it knows", async () => {
    const failing = new ConverseCommand({ modelId: `${provider}/fault-status-429`, messages: [user("Hi")] });
    const error: unknown = await client.send(failing).catch((cause: unknown) => cause);
    // The mock of this API calls every failure a validation error.
    if (vendor !== "aimock" || provider !== "bedrock") expect(error).toBeInstanceOf(ThrottlingException);
    expect((error as ThrottlingException).$metadata.httpStatusCode).toBe(429);
    expect((error as ThrottlingException).message).toContain("Simulated failure with status 429");
    const invoking = invoked(client, `${provider}/fault-status-429`, { messages: says("Hi") });
    await expect(invoking).rejects.toMatchObject({
      $metadata: { httpStatusCode: 429 },
      message: expect.stringContaining("Simulated failure with status 429"),
    });
  });
});

describe("the Bedrock client and the gateway's key", () => {
  let deployment: Deployment;
  beforeAll(async () => {
    deployment = await startDeployment("simulator");
  });
  afterAll(() => deployment.close());

  const ask = (headers: Record<string, string>, key?: string) => {
    const client = bedrockClient({ url: deployment.gateway.url, headers, ...(key && { key }) });
    return client
      .send(new ConverseCommand({ modelId: "openai/small-1", messages: [user("Hi")] }))
      .finally(() => client.destroy());
  };

  it("may sign its requests: the key is among the headers, and the signature stays here", async () => {
    const answer = await ask({ "x-gateway-api-key": gatewayKey });
    expect(answer.stopReason).toBe("end_turn");
    expect(JSON.stringify(deployment.recorder.last().headers)).not.toContain("AWS4-HMAC");
  });

  it("is refused where there is no key but a signature", async () => {
    await expect(ask({})).rejects.toMatchObject({ name: "UnrecognizedClientException" });
    await expect(ask({}, "wrong-key")).rejects.toMatchObject({ $metadata: { httpStatusCode: 401 } });
  });
});

it("a stream that dies is an exception for the Bedrock client, and never looks finished", async () => {
  const deployment = await startDeployment("simulator");
  const client = bedrockClient({ url: deployment.gateway.url, key: gatewayKey });
  const seen: ConverseStreamOutput[] = [];
  const dying = async () => {
    const { stream } = await client.send(
      new ConverseStreamCommand({ modelId: "openai/fault-cut-after-3", messages: [user("Hello")] }),
    );
    for await (const event of stream ?? []) seen.push(event);
  };
  await expect(dying()).rejects.toMatchObject({ name: expect.stringMatching(/Exception$/) });
  for (const vendor of ["openai", "anthropic"]) {
    const invoking = invoked(client, `${vendor}/fault-cut-after-3`, { messages: says("Hello") }, true);
    await expect(invoking).rejects.toMatchObject({ name: expect.stringMatching(/Exception$/) });
  }
  expect(textOf(seen)).not.toBe("");
  expect(seen.some(({ messageStop }) => messageStop)).toBe(false);
  client.destroy();
  await deployment.close();
});
