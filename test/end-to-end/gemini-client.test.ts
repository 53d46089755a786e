import { ApiError, FunctionCallingConfigMode, type GoogleGenAI } from "@google/genai";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { geminiClient } from "../support/clients.ts";
import { type Deployment, gatewayKey, startDeployment, vendorKey } from "../support/deployment.ts";
import { vendorNames } from "../support/vendors.ts";

const tools = [
  {
    functionDeclarations: [
      {
        name: "get_weather",
        description: "The weather of a city.",
        parametersJsonSchema: { type: "object", properties: { city: { type: "string" } }, required: ["city"] },
      },
    ],
  },
];
const user = (text: string) => ({ role: "user", parts: [{ text }] });

const pairs = vendorNames.flatMap((vendor) =>
  (["openai", "anthropic", "google"] as const).map((provider) => ({ vendor, provider })),
);

describe.each(pairs)("the Gemini client, answered by $vendor as $provider", ({ vendor, provider }) => {
  let deployment: Deployment;
  let client: GoogleGenAI;
  const model = `${provider}/small-1`;
  beforeAll(async () => {
    deployment = await startDeployment(vendor);
    client = geminiClient({ url: deployment.gateway.url, key: gatewayKey });
  });
  afterAll(() => deployment.close());

  it("is given a whole answer with usage", async () => {
    const answer = await client.models.generateContent({ model, contents: "How are you?" });
    expect(answer.text).toBe("Simulated answer from small-1: How are you?");
    expect(answer.candidates?.[0]?.finishReason).toBe("STOP");
    expect(answer.usageMetadata?.promptTokenCount).toBeGreaterThan(0);
    expect(answer.usageMetadata?.candidatesTokenCount).toBeGreaterThan(0);
  });

  it.each([
    ["it leaves `models/` out, as other SDKs do of a name with a slash", `/v1beta/${model}`],
    ["it asks at the API's stable version, as its third version does", `/v1/models/${model}`],
    ["it asks at the API's preview", `/v1alpha/models/${model}`],
    ["its base URL has a version of its own", `/v1/v1beta/models/${model}`],
    ["it knows models as Vertex AI does", `/v1beta1/publishers/${provider}/models/small-1`],
    ["it knows them by their project", `/v1/projects/p/locations/global/publishers/${provider}/models/small-1`],
  ])("is answered where %s", async (_, path) => {
    // The vendor that is Google's own is the one whose models go by their names alone.
    const named =
      path.includes("/publishers/") && provider === "google" ? { "x-gateway-provider": "google" } : undefined;
    const response = await fetch(`${deployment.gateway.url}${path}:generateContent`, {
      method: "POST",
      headers: { "content-type": "application/json", "x-goog-api-key": gatewayKey, ...named },
      body: JSON.stringify({ contents: [user("How are you?")] }),
    });
    expect(JSON.stringify(await response.json())).toContain("Simulated answer from small-1: How are you?");
  });

  it("is given the same answer as a stream", async () => {
    const pieces: string[] = [];
    let reason: string | undefined;
    for await (const chunk of await client.models.generateContentStream({ model, contents: "How are you?" })) {
      if (chunk.text) pieces.push(chunk.text);
      reason = chunk.candidates?.[0]?.finishReason ?? reason;
    }
    expect(pieces.join("")).toBe("Simulated answer from small-1: How are you?");
    expect(pieces.length).toBeGreaterThan(1);
    expect(reason).toBe("STOP");
  });

  it.each([false, true])("is given parallel tool calls (streamed: %s)", async (stream) => {
    const request = { model, contents: "Call get_weather twice.", config: { tools } };
    const calls = [];
    if (stream)
      for await (const chunk of await client.models.generateContentStream(request))
        calls.push(...(chunk.functionCalls ?? []));
    else calls.push(...((await client.models.generateContent(request)).functionCalls ?? []));
    expect(calls).toHaveLength(2);
    for (const { name, args } of calls)
      expect({ name, args }).toEqual({ name: "get_weather", args: { city: expect.any(String) } });
  });

  it.each([false, true])("goes all the way round with a tool (streamed: %s)", async (stream) => {
    const question = user("Call get_weather.");
    const first = await client.models.generateContent({ model, contents: [question], config: { tools } });
    const [call] = first.functionCalls ?? [];
    const said = first.candidates?.[0]?.content;
    if (!call || !said) throw new Error("no tool was called");
    const response = {
      name: "get_weather",
      response: { output: "Sunny, 20 degrees" },
      ...(call.id && { id: call.id }),
    };
    const request = {
      model,
      contents: [question, said, { role: "user", parts: [{ functionResponse: response }] }],
      config: { tools },
    };
    let text = "";
    if (stream) for await (const chunk of await client.models.generateContentStream(request)) text += chunk.text ?? "";
    else text = (await client.models.generateContent(request)).text ?? "";
    expect(text).toContain("The tool said: ");
    expect(text).toContain("Sunny, 20 degrees");
  });

  it("keeps a conversation", async () => {
    const chat = client.chats.create({ model, config: { systemInstruction: "Be brief." } });
    await chat.sendMessage({ message: "First." });
    for await (const chunk of await chat.sendMessageStream({ message: "Second." })) expect(chunk).toBeDefined();
    const sent = deployment.recorder.last().body.toString();
    for (const text of ["Be brief.", "First.", "Simulated answer from small-1: First.", "Second."])
      expect(sent).toContain(text);
  });

  it("can force a tool", async () => {
    await client.models.generateContent({
      model,
      contents: "Call get_weather.",
      config: {
        tools,
        toolConfig: {
          functionCallingConfig: { mode: FunctionCallingConfigMode.ANY, allowedFunctionNames: ["get_weather"] },
        },
      },
    });
    const sent = JSON.parse(deployment.recorder.last().body.toString());
    expect(provider === "google" ? sent.toolConfig.functionCallingConfig : sent.tool_choice).toEqual(
      {
        openai: { type: "function", function: { name: "get_weather" } },
        anthropic: { type: "tool", name: "get_weather" },
        google: { mode: "ANY", allowedFunctionNames: ["get_weather"] },
      }[provider],
    );
  });

  it("shows the vendor an image", async () => {
    const data = Buffer.from("not really a picture").toString("base64");
    const image = { inlineData: { mimeType: "image/png", data } };
    await client.models.generateContent({ model, contents: [{ role: "user", parts: [{ text: "What?" }, image] }] });
    const sent = JSON.parse(deployment.recorder.last().body.toString());
    const [, shown] = provider === "google" ? sent.contents[0].parts : sent.messages[0].content;
    expect(shown).toEqual(
      {
        openai: { type: "image_url", image_url: { url: `data:image/png;base64,${data}` } },
        anthropic: { type: "image", source: { type: "base64", media_type: "image/png", data } },
        google: image,
      }[provider],
    );
  });

  it.each([401, 429, 500])("throws its own error for an upstream that answers %i", async (status) => {
    const request = { model: `${provider}/fault-status-${status}`, contents: "Fail." };
    for (const ask of [
      () => client.models.generateContent(request),
      () => client.models.generateContentStream(request),
    ]) {
      const failure = await ask().then(
        () => undefined,
        (error: unknown) => error,
      );
      expect(failure).toBeInstanceOf(ApiError);
      expect(failure).toMatchObject({ status, message: expect.stringContaining("Simulated failure with status") });
    }
  });

  it("shows the vendor the gateway's credential for it and never the client's", async () => {
    await client.models.generateContent({ model, contents: "Hi." });
    const { headers, path } = deployment.recorder.last();
    expect(headers).toMatchObject(
      {
        openai: { authorization: `Bearer ${vendorKey}` },
        anthropic: { "x-api-key": vendorKey },
        google: { "x-goog-api-key": vendorKey },
      }[provider],
    );
    expect(JSON.stringify(headers) + path).not.toContain(gatewayKey);
  });
});

describe("clients of the Gemini API without a library", () => {
  let deployment: Deployment;
  beforeAll(async () => {
    deployment = await startDeployment("simulator");
  });
  afterAll(() => deployment.close());
  const body = JSON.stringify({ contents: [{ parts: [{ text: "How are you?" }] }] });
  const post = (path: string, headers: Record<string, string> = {}) =>
    fetch(deployment.gateway.url + path, {
      method: "POST",
      headers: { "content-type": "application/json", ...headers },
      body,
    });

  it.each(["openai", "google"])("send their key in the query, which never reaches %s", async (provider) => {
    const response = await post(`/v1beta/models/${provider}/small-1:generateContent?key=${gatewayKey}`);
    expect(response.status).toBe(200);
    const { path, headers } = deployment.recorder.last();
    expect(path + JSON.stringify(headers)).not.toContain(gatewayKey);
  });

  it("do not show it to vendors that are called raw either", async () => {
    const provider = { "x-gateway-provider": "@google" };
    const response = await post(`/v1/proxy/v1beta/models/small-1:generateContent?key=${gatewayKey}&a=1`, provider);
    expect(response.status).toBe(200);
    expect(deployment.recorder.last().path).toBe("/v1beta/models/small-1:generateContent?a=1");
  });

  it.each(["openai", "@openai", "google", "@google"])(
    "show it to %s in none of all places at once",
    async (provider) => {
      const headers = {
        "x-gateway-api-key": gatewayKey,
        "x-gateway-provider": provider,
        authorization: `Bearer ${gatewayKey}`,
        "x-api-key": gatewayKey,
        "x-goog-api-key": gatewayKey,
      };
      const response = await post(`/v1beta/models/m:generateContent?key=${gatewayKey}`, headers);
      expect(response.status).toBe(200);
      const call = deployment.recorder.last();
      expect(call.path + JSON.stringify(call.headers)).not.toContain(gatewayKey);
      expect(JSON.stringify(call.headers)).toContain(vendorKey);
    },
  );

  it("are refused with a wrong key, in the words of the API", async () => {
    const response = await post("/v1beta/models/openai/small-1:generateContent?key=wrong");
    expect(response.status).toBe(401);
    expect(await response.json()).toMatchObject({ error: { code: 401, status: "UNAUTHENTICATED" } });
  });

  it.each(["openai", "google"])("are given a list when they do not ask for events (%s)", async (provider) => {
    const response = await post(`/v1beta/models/${provider}/small-1:streamGenerateContent?key=${gatewayKey}`);
    expect(response.headers.get("content-type")).toMatch(/^application\/json/);
    const frames = (await response.json()) as { candidates: { content: { parts: { text: string }[] } }[] }[];
    const text = frames.flatMap(({ candidates }) => candidates[0]?.content.parts ?? []).map((part) => part.text);
    expect(frames.length).toBeGreaterThan(2);
    expect(text.join("")).toBe("Simulated answer from small-1: How are you?");
  });

  it("are given what the API has beside models by the provider they name", async () => {
    const at = `/v1beta/cachedContents?key=${gatewayKey}`;
    expect((await post(at)).status).toBe(400);
    expect((await post(at, { "x-gateway-provider": "@google" })).status).toBe(200);
    const { path, headers } = deployment.recorder.last();
    expect([path, headers["x-goog-api-key"]]).toEqual(["/v1beta/cachedContents", vendorKey]);
  });

  it("name a provider in the path as it is or escaped, and in the header", async () => {
    for (const [name, header] of [["openai%2Fsmall-1"], ["@openai/small-1"], ["small-1", "openai"]]) {
      const headers = { "x-goog-api-key": gatewayKey, ...(header && { "x-gateway-provider": `@${header}` }) };
      const response = await post(`/v1beta/models/${name}:generateContent`, headers);
      expect(response.status).toBe(200);
      expect(JSON.parse(deployment.recorder.last().body.toString()).model).toBe("small-1");
    }
  });

  it("pass their bytes through to a vendor of the same format", async () => {
    const spaced = body.replace("{", "{ ");
    await fetch(`${deployment.gateway.url}/v1beta/models/google/small-1:streamGenerateContent?alt=sse`, {
      method: "POST",
      headers: { "content-type": "application/json", "x-goog-api-key": gatewayKey },
      body: spaced,
    }).then((response) => response.text());
    const call = deployment.recorder.last();
    expect(call.body.toString()).toBe(spaced);
    expect(call.path).toBe("/v1beta/models/small-1:streamGenerateContent?alt=sse");
  });

  it.each(["embedContent", "batchEmbedContents"])("embed (%s)", async (action) => {
    const content = { parts: [{ text: "Hi" }] };
    for (const provider of ["openai", "google"]) {
      const response = await fetch(`${deployment.gateway.url}/v1beta/models/${provider}/small-1:${action}`, {
        method: "POST",
        headers: { "content-type": "application/json", "x-goog-api-key": gatewayKey },
        body: JSON.stringify(
          action === "embedContent" ? { content } : { requests: [{ model: "models/small-1", content }] },
        ),
      });
      const vector = { values: expect.arrayContaining([expect.any(Number)]) };
      expect(await response.json()).toMatchObject(
        action === "embedContent" ? { embedding: vector } : { embeddings: [vector] },
      );
      if (provider === "google") expect(deployment.recorder.last().path).toBe(`/v1beta/models/small-1:${action}`);
    }
  });
});

describe("clients of other formats, answered by a vendor of the Gemini API", () => {
  let deployment: Deployment;
  beforeAll(async () => {
    deployment = await startDeployment("simulator");
  });
  afterAll(() => deployment.close());

  it("embed one text and several, in numbers and in base64", async () => {
    const embed = async (input: unknown, encoding: string) => {
      const response = await fetch(`${deployment.gateway.url}/v1/embeddings`, {
        method: "POST",
        headers: { "content-type": "application/json", authorization: `Bearer ${gatewayKey}` },
        body: JSON.stringify({ model: "google/small-1", input, encoding_format: encoding, dimensions: 4 }),
      });
      return ((await response.json()) as { data: { embedding: number[] | string }[] }).data;
    };
    const [one] = await embed("a", "float");
    expect(deployment.recorder.last().path).toBe("/v1beta/models/small-1:embedContent");
    expect(one?.embedding).toHaveLength(4);
    const several = await embed(["a", "b"], "base64");
    expect(deployment.recorder.last().path).toBe("/v1beta/models/small-1:batchEmbedContents");
    const bytes = Buffer.from(String(several[0]?.embedding), "base64");
    expect(Array.from({ length: 4 }, (_, at) => bytes.readFloatLE(at * 4))).toEqual(one?.embedding);
  });
});
