import { type Cohere, type CohereClientV2, CohereError } from "cohere-ai";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { cohereClient } from "../support/clients.ts";
import { type Deployment, gatewayKey, startDeployment, vendorKey } from "../support/deployment.ts";
import { vendorNames } from "../support/vendors.ts";

const tools: Cohere.ToolV2[] = [
  {
    type: "function",
    function: {
      name: "get_weather",
      description: "The weather of a city.",
      parameters: { type: "object", properties: { city: { type: "string" } }, required: ["city"] },
    },
  },
];
const user = (content: string): Cohere.ChatMessageV2 => ({ role: "user", content });

const pairs = vendorNames.flatMap((vendor) =>
  (["openai", "anthropic", "google", "cohere"] as const).map((provider) => ({ vendor, provider })),
);

const textOf = ({ message }: Cohere.V2ChatResponse) =>
  (message.content ?? []).map((item) => (item.type === "text" ? item.text : "")).join("");

/** What the client makes of a stream. */
async function heard(client: CohereClientV2, request: Cohere.V2ChatStreamRequest) {
  const types: string[] = [];
  const calls: { id: string; name: string; arguments: string }[] = [];
  let text = "";
  let plan = "";
  let end: Cohere.ChatMessageEndEventDelta | undefined;
  for await (const event of await client.chatStream(request)) {
    types.push(event.type);
    if (event.type === "content-delta") text += event.delta?.message?.content?.text ?? "";
    if (event.type === "tool-plan-delta") plan += event.delta?.message?.toolPlan ?? "";
    if (event.type === "tool-call-start") {
      const call = event.delta?.message?.toolCalls;
      calls.push({ id: call?.id ?? "", name: call?.function?.name ?? "", arguments: "" });
    }
    const call = calls.at(-1);
    if (event.type === "tool-call-delta" && call)
      call.arguments += event.delta?.message?.toolCalls?.function?.arguments ?? "";
    if (event.type === "message-end") end = event.delta;
  }
  return { types, calls, text, plan, end };
}

describe.each(pairs)("the Cohere client, answered by $vendor as $provider", ({ vendor, provider }) => {
  let deployment: Deployment;
  let client: CohereClientV2;
  const model = `${provider}/small-1`;
  beforeAll(async () => {
    deployment = await startDeployment(vendor);
    client = cohereClient({ url: deployment.gateway.url, key: gatewayKey });
  });
  afterAll(() => deployment.close());

  it("is given a whole answer with usage", async () => {
    const answer = await client.chat({ model, messages: [user("How are you?")] });
    expect(textOf(answer)).toBe("Simulated answer from small-1: How are you?");
    expect(answer.finishReason).toBe("COMPLETE");
    expect(answer.usage?.tokens?.inputTokens).toBeGreaterThan(0);
    expect(answer.usage?.tokens?.outputTokens).toBeGreaterThan(0);
  });

  it("is given the same answer as a stream", async () => {
    const { types, text, end } = await heard(client, { model, messages: [user("How are you?")] });
    expect(text).toBe("Simulated answer from small-1: How are you?");
    expect(types.slice(0, 2)).toEqual(["message-start", "content-start"]);
    expect(types.slice(-2)).toEqual(["content-end", "message-end"]);
    expect(types.filter((type) => type === "content-delta").length).toBeGreaterThan(1);
    expect(end?.finishReason).toBe("COMPLETE");
    expect(end?.usage?.tokens?.outputTokens).toBeGreaterThan(0);
  });

  it("is given parallel tool calls, whole and one after the other as a stream", async () => {
    const request = { model, messages: [user("Call get_weather twice.")], tools };
    const { message, finishReason } = await client.chat(request);
    expect(finishReason).toBe("TOOL_CALL");
    const whole = (message.toolCalls ?? []).map((call) => call.function);
    expect(whole).toHaveLength(2);
    for (const call of whole) expect(JSON.parse(call?.arguments ?? "")).toEqual({ city: expect.any(String) });
    const { types, calls, end } = await heard(client, request);
    expect(calls.map(({ name, arguments: text }) => ({ name, arguments: JSON.parse(text) }))).toEqual(
      whole.map((call) => ({ name: call?.name, arguments: JSON.parse(call?.arguments ?? "") })),
    );
    const bounds = types.filter((type) => type === "tool-call-start" || type === "tool-call-end");
    expect(bounds).toEqual(["tool-call-start", "tool-call-end", "tool-call-start", "tool-call-end"]);
    expect(end?.finishReason).toBe("TOOL_CALL");
  });

  it.each([false, true])("goes all the way round with a tool (streamed: %s)", async (stream) => {
    const question = user("Call get_weather.");
    const { message } = await client.chat({ model, messages: [question], tools });
    const [call] = message.toolCalls ?? [];
    if (!call) throw new Error("no tool was called");
    const document = { type: "document" as const, document: { data: { weather: "Sunny, 20 degrees" } } };
    const request: Cohere.V2ChatRequest = {
      model,
      messages: [question, { ...message }, { role: "tool", toolCallId: call.id, content: [document] }],
      tools,
    };
    const text = stream ? (await heard(client, request)).text : textOf(await client.chat(request));
    if (vendor === "simulator") expect(text).toContain("The tool said: ");
    const sent = JSON.parse(deployment.recorder.last().body.toString());
    expect(JSON.stringify(sent)).toContain("Sunny, 20 degrees");
    if (provider === "cohere") expect(sent.messages.at(-1).content).toEqual([document]);
  });

  it("can force a tool", async () => {
    await client.chat({ model, messages: [user("Call get_weather.")], tools, toolChoice: "REQUIRED" });
    const sent = JSON.parse(deployment.recorder.last().body.toString());
    expect(provider === "google" ? sent.toolConfig.functionCallingConfig : sent.tool_choice).toEqual(
      { openai: "required", anthropic: { type: "any" }, google: { mode: "ANY" }, cohere: "REQUIRED" }[provider],
    );
  });

  it("shows the vendor an image, and documents", async () => {
    const data = Buffer.from("not really a picture").toString("base64");
    const url = `data:image/png;base64,${data}`;
    await client.chat({
      model,
      documents: ["The sky is blue."],
      messages: [
        {
          role: "user",
          content: [
            { type: "text", text: "What?" },
            { type: "image_url", imageUrl: { url } },
          ],
        },
      ],
    });
    const sent = JSON.parse(deployment.recorder.last().body.toString());
    const shown: unknown[] = provider === "google" ? sent.contents[0].parts : sent.messages[0].content;
    expect(shown.at(-1)).toEqual(
      {
        openai: { type: "image_url", image_url: { url } },
        anthropic: { type: "image", source: { type: "base64", media_type: "image/png", data } },
        google: { inlineData: { mimeType: "image/png", data } },
        cohere: { type: "image_url", image_url: { url } },
      }[provider],
    );
    expect(JSON.stringify(sent)).toContain(provider === "google" ? "VGhlIHNreSBpcyBibHVlLg==" : "The sky is blue.");
  });

  it.each([401, 429, 500])("throws its own error for an upstream that answers %i", async (status) => {
    const request = { model: `${provider}/fault-status-${status}`, messages: [user("Fail.")] };
    for (const ask of [() => client.chat(request), () => client.chatStream(request)]) {
      const failure = await ask().then(
        () => undefined,
        (error: unknown) => error,
      );
      expect(failure).toBeInstanceOf(CohereError);
      expect(failure).toMatchObject({
        statusCode: status,
        body: { message: expect.stringContaining("Simulated failure with status") },
      });
    }
  });

  it("shows the vendor the gateway's credential for it and never the client's", async () => {
    await client.chat({ model, messages: [user("Hi.")] });
    const { headers, path } = deployment.recorder.last();
    expect(JSON.stringify(headers)).toContain(vendorKey);
    expect(JSON.stringify(headers) + path).not.toContain(gatewayKey);
  });
});

describe("the Cohere client, and clients of other formats answered by Cohere", () => {
  let deployment: Deployment;
  let client: CohereClientV2;
  beforeAll(async () => {
    deployment = await startDeployment("simulator");
    client = cohereClient({ url: deployment.gateway.url, key: gatewayKey });
  });
  afterAll(() => deployment.close());
  const post = async (path: string, body: object, headers: Record<string, string> = {}) => {
    const response = await fetch(deployment.gateway.url + path, {
      method: "POST",
      headers: { "content-type": "application/json", authorization: `Bearer ${gatewayKey}`, ...headers },
      body: JSON.stringify(body),
    });
    return { response, body: (await response.json()) as Record<string, unknown> };
  };
  const sent = () => JSON.parse(deployment.recorder.last().body.toString());

  it("thinks, in items of its own, whoever answers", async () => {
    const thinking = { type: "enabled" as const, tokenBudget: 2048 };
    for (const provider of ["anthropic", "cohere"]) {
      const request = { model: `${provider}/small-1`, messages: [user("Why?")], thinking, maxTokens: 4096 };
      const { message } = await client.chat(request);
      expect(message.content?.map(({ type }) => type)).toEqual(["thinking", "text"]);
      const { types } = await heard(client, request);
      expect(types.filter((type) => type === "content-start")).toHaveLength(2);
    }
  });

  it("tells the plan of the tools to its own clients, and to others only where they are not strict", async () => {
    const messages = [user("Call get_weather.")];
    const { message } = await client.chat({ model: "cohere/small-1", messages, tools });
    expect(message.toolPlan).toBe("I will use the tools.");
    expect((await heard(client, { model: "cohere/small-1", messages, tools })).plan).toBe("I will use the tools.");
    const asked = { model: "cohere/small-1", messages, tools };
    const strict = await post("/v1/chat/completions", asked);
    expect(JSON.stringify(strict.body)).not.toContain("I will use");
    const loose = await post("/v1/chat/completions", asked, { "x-gateway-strict-open-ai-compliance": "false" });
    const block = { type: "thinking", thinking: "I will use the tools." };
    expect(loose.body).toMatchObject({ choices: [{ message: { content_blocks: [block] } }] });
  });

  it.each(["anthropic", "cohere"])("is told in its own way that a stream failed (%s)", async (provider) => {
    const failing = { model: `${provider}/fault-error-event-after-4`, messages: [user("Fail at last.")] };
    const { types, end } = await heard(client, failing);
    expect(types.at(-1)).toBe("message-end");
    expect(end).toEqual({ error: expect.stringContaining("Simulated failure"), finishReason: "ERROR" });
  });

  it("chat clients may use what only this vendor has, and hear what it cannot do", async () => {
    const { response } = await post("/v1/chat/completions", {
      model: "cohere/small-1",
      messages: [{ role: "developer", content: "Be brief." }, user("Hi")],
      top_k: 5,
      top_p: 1,
      stop: "END",
      frequency_penalty: -1,
      logit_bias: { 1: 2 },
      safety_mode: "STRICT",
      documents: ["one"],
      response_format: { type: "json_schema", json_schema: { name: "n", schema: { type: "object" }, strict: true } },
    });
    expect(response.headers.get("x-gateway-dropped-params")).toBe("logit_bias");
    expect(sent()).toEqual({
      model: "small-1",
      messages: [{ role: "system", content: "Be brief." }, user("Hi")],
      k: 5,
      p: 0.99,
      stop_sequences: ["END"],
      frequency_penalty: 0,
      safety_mode: "STRICT",
      documents: ["one"],
      response_format: { type: "json_object", json_schema: { type: "object" } },
      strict_tools: true,
    });
  });

  it("reranks, whoever answers", async () => {
    const documents = ["a cat sat", "the capital of Norway is Oslo", "Norway is far"];
    const query = "capital of Norway";
    const answer = await client.rerank({ model: "cohere/rerank-1", query, documents, topN: 2 });
    expect(answer.results.map(({ index }) => index)).toEqual([1, 2]);
    expect(answer.meta?.billedUnits?.searchUnits).toBe(1);
    const unified = await post("/v1/rerank", {
      model: "cohere/rerank-1",
      query,
      documents: [documents[0], { text: documents[1], title: "Facts" }, documents[2]],
      top_n: 1,
      return_documents: true,
    });
    expect(unified.response.headers.get("x-gateway-dropped-params")).toBe("documents.title");
    expect(sent()).toEqual({ model: "rerank-1", query, documents, top_n: 1 });
    expect(unified.body).toMatchObject({
      object: "list",
      id: expect.any(String),
      model: "rerank-1",
      provider: "cohere",
      results: [{ index: 1, relevance_score: 1, document: { text: documents[1], title: "Facts" } }],
      usage: { search_units: 1 },
      meta: { billed_units: { search_units: 1 } },
    });
  });

  it("asks vendors nobody knows to rerank as the client asked", async () => {
    await post("/v1/rerank", { model: "openai/mine", query: "q", documents: ["d"], unheard_of: 1 });
    expect(deployment.recorder.last().path).toBe("/v1/rerank");
    expect(sent()).toEqual({ model: "mine", query: "q", documents: ["d"], unheard_of: 1 });
    const refused = await post("/v1/rerank", { model: "cohere/rerank-1", query: "q", documents: [] });
    expect(refused.response.status).toBe(400);
  });

  it("embeds with vendors of other formats", async () => {
    const { embeddings, meta } = await client.embed({
      model: "openai/embed-1",
      inputType: "search_query",
      texts: ["a", "b"],
      embeddingTypes: ["float"],
      outputDimension: 4,
    });
    expect(embeddings.float?.map(({ length }) => length)).toEqual([4, 4]);
    expect(meta?.billedUnits?.inputTokens).toBeGreaterThan(0);
    expect(sent()).toEqual({ model: "embed-1", input: ["a", "b"], encoding_format: "float", dimensions: 4 });
  });
});
