import Anthropic from "@anthropic-ai/sdk";
import { CountTokensCommand } from "@aws-sdk/client-bedrock-runtime";
import { ApiError } from "@google/genai";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { anthropicClient, bedrockClient, geminiClient, openAiClient } from "../support/clients.ts";
import { type Deployment, gatewayKey, startDeployment, vendorKey } from "../support/deployment.ts";

describe("counting tokens", () => {
  let deployment: Deployment;
  beforeAll(async () => {
    deployment = await startDeployment("simulator");
  });
  afterAll(() => deployment.close());
  const client = () => ({ url: deployment.gateway.url, key: gatewayKey });
  const sent = () => JSON.parse(deployment.recorder.last().body.toString());

  const asked = (model: string): Anthropic.MessageCountTokensParams => ({
    model,
    system: "Be brief.",
    messages: [{ role: "user", content: "How are you?" }],
    tools: [{ name: "get_weather", description: "The weather.", input_schema: { type: "object" } }],
  });

  it.each([
    ["anthropic", "/v1/messages/count_tokens", vendorKey],
    ["google", "/v1beta/models/small-1:countTokens", vendorKey],
    ["openai", "/v1/responses/input_tokens", vendorKey],
    ["bedrock", "/model/small-1/count-tokens", "AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE0000000AA/"],
  ])("answers the Anthropic client with what %s counts", async (provider, path, credential) => {
    const model = `${provider}/small-1`;
    const { input_tokens: counted } = await anthropicClient(client()).messages.countTokens(asked(model));
    const { path: called, headers } = deployment.recorder.last();
    expect(called).toBe(path);
    expect(JSON.stringify(headers)).toContain(credential);
    const answer = await anthropicClient(client()).messages.create({
      ...asked(model),
      max_tokens: 9,
    } as Anthropic.MessageCreateParamsNonStreaming);
    expect(counted).toBe(answer.usage.input_tokens);
  });

  it("tells Gemini the whole request, not its contents alone", async () => {
    await anthropicClient(client()).messages.countTokens(asked("google/small-1"));
    expect(sent()).toEqual({
      generateContentRequest: {
        model: "models/small-1",
        contents: [{ role: "user", parts: [{ text: "How are you?" }] }],
        systemInstruction: { role: "system", parts: [{ text: "Be brief." }] },
        tools: [{ functionDeclarations: [expect.objectContaining({ name: "get_weather" })] }],
      },
    });
  });

  it.each([["google"], ["anthropic"]])("answers the Gemini client with what %s counts", async (provider) => {
    const models = geminiClient(client()).models;
    const model = `${provider}/small-1`;
    const { totalTokens } = await models.countTokens({ model, contents: "How are you?" });
    const { usageMetadata } = await models.generateContent({ model, contents: "How are you?" });
    expect(totalTokens).toBeGreaterThan(0);
    expect(totalTokens).toBe(usageMetadata?.promptTokenCount);
  });

  it.each([["openai"], ["anthropic"], ["google"]])("answers OpenAI's client with what %s counts", async (provider) => {
    const { responses } = openAiClient(client());
    const model = `${provider}/small-1`;
    const tools = [{ type: "function", name: "f", parameters: { type: "object" }, strict: false } as const];
    const asked = { model, instructions: "Be brief.", input: "How are you?", tools };
    const { input_tokens: counted, object } = await responses.inputTokens.count(asked);
    const { usage } = await responses.create(asked);
    expect({ object, counted }).toEqual({ object: "response.input_tokens", counted: usage?.input_tokens });
  });

  it("tells OpenAI what is counted and nothing besides", async () => {
    await anthropicClient(client()).messages.countTokens(asked("openai/small-1"));
    expect(sent()).toEqual({
      model: "small-1",
      input: [
        { type: "message", role: "system", content: "Be brief." },
        { type: "message", role: "user", content: "How are you?" },
      ],
      tools: [expect.objectContaining({ type: "function", name: "get_weather" })],
    });
  });

  it("answers the client of Bedrock", async () => {
    const messages = [{ role: "user" as const, content: [{ text: "How are you?" }] }];
    const command = new CountTokensCommand({ modelId: "anthropic/small-1", input: { converse: { messages } } });
    const { inputTokens } = await bedrockClient(client()).send(command);
    expect(inputTokens).toBeGreaterThan(0);
    expect(sent()).toEqual({ model: "small-1", messages: [{ role: "user", content: expect.anything() }] });
  });

  it("passes the client's bytes through to a vendor of the same format", async () => {
    const body = `{ "messages":[{"role":"user","content":"Hi"}],"model":"anthropic/small-1"}`;
    const response = await fetch(`${deployment.gateway.url}/v1/messages/count_tokens`, {
      method: "POST",
      headers: { "content-type": "application/json", "x-api-key": gatewayKey },
      body,
    });
    expect(await response.json()).toEqual({ input_tokens: 1 });
    expect(deployment.recorder.last().body.toString()).toBe(body.replace("anthropic/", ""));
  });

  it("estimates nothing where a vendor does not count", async () => {
    const before = deployment.recorder.calls.length;
    await expect(anthropicClient(client()).messages.countTokens(asked("cohere/small-1"))).rejects.toMatchObject({
      status: 400,
      message: expect.stringContaining("messagesCountTokens is not supported by cohere"),
    });
    await expect(
      geminiClient(client()).models.countTokens({ model: "cohere/small-1", contents: "Hi" }),
    ).rejects.toBeInstanceOf(ApiError);
    expect(deployment.recorder.calls.length).toBe(before);
  });

  it("hands on what the vendor refuses", async () => {
    const failing = anthropicClient(client()).messages.countTokens(asked("google/fault-status-429"));
    await expect(failing).rejects.toBeInstanceOf(Anthropic.RateLimitError);
  });
});
