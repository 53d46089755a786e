import { expect, it } from "vitest";
import { boundProvider } from "../../core/conformance/testing.ts";
import { json } from "../../test/support/upstream.ts";
import bedrock from "./index.ts";
import { answer, claude, frames, setUp, streaming } from "./testing.ts";

it("is asked by Converse, signed, at the path of the model", async () => {
  const { chat, sent } = await setUp((_, response) => json(response, 200, answer));
  const reply = await chat({ max_tokens: 9 }, { "x-amz-target": "evil" });
  expect(await reply.json()).toMatchObject({
    choices: [{ message: { content: "Hi." }, finish_reason: "stop" }],
    usage: { prompt_tokens: 3, completion_tokens: 2, total_tokens: 5 },
  });
  expect(sent()?.url).toBe(`/model/${encodeURIComponent(claude)}/converse`);
  expect(JSON.parse(`${sent()?.body}`)).toEqual({
    messages: [{ role: "user", content: [{ text: "Hello" }] }],
    inferenceConfig: { maxTokens: 9 },
  });
  expect(sent()?.headers["x-amz-target"]).toBeUndefined();
  expect(sent()?.headers.authorization).toMatch(
    /^AWS4-HMAC-SHA256 Credential=AKIDFILE\/\d{8}\/eu-west-1\/bedrock\/aws4_request, SignedHeaders=content-type;host;x-amz-date, Signature=[0-9a-f]{64}$/,
  );
});

it("knows a model by its ARN, too", async () => {
  const { chat, sent } = await setUp((_, response) => json(response, 200, answer));
  const arn = "arn:aws:bedrock:eu-west-1:111122223333:application-inference-profile/abc";
  expect((await chat({ model: arn })).status).toBe(200);
  expect(sent()?.url).toBe(`/model/${encodeURIComponent(arn)}/converse`);
});

it("streams to clients of other formats, and says what was used", async () => {
  const { chat, sent } = await setUp(
    streaming(
      frames(
        ["messageStart", { role: "assistant" }],
        ["contentBlockDelta", { contentBlockIndex: 0, delta: { text: "H" } }],
      ),
      frames(
        ["contentBlockDelta", { contentBlockIndex: 0, delta: { text: "i." } }],
        ["contentBlockStop", { contentBlockIndex: 0 }],
        ["messageStop", { stopReason: "end_turn" }],
        ["metadata", { usage: answer.usage, metrics: { latencyMs: 2 } }],
      ),
    ),
  );
  const text = await (await chat({ stream: true, stream_options: { include_usage: true } })).text();
  expect(sent()?.url).toMatch(/\/converse-stream$/);
  expect(text).toContain('"content":"H"');
  expect(text).toContain('"total_tokens":5');
  expect(text).toMatch(/data: \[DONE\]\n\n$/);
});

it("tells what the vendor said was wrong, with the type that stands in a header", async () => {
  const { chat } = await setUp((_, response) =>
    json(response, 429, { message: "Too many requests" }, { "x-amzn-errortype": "ThrottlingException:http://x/" }),
  );
  const reply = await chat({});
  expect(reply.status).toBe(429);
  expect(await reply.json()).toEqual({
    error: { message: "bedrock error: Too many requests", type: "ThrottlingException", param: null, code: null },
    provider: "bedrock",
  });
});

it("signs raw calls with the file's keys", async () => {
  const { ask, sent } = await setUp((_, response) => json(response, 200, {}));
  const reply = await ask("/v1/proxy/model/amazon.titan-embed-text-v2%3A0/invoke", { inputText: "x" });
  expect(reply.status).toBe(200);
  expect(sent()?.url).toBe("/model/amazon.titan-embed-text-v2%3A0/invoke");
  expect(sent()?.headers.authorization).toContain("AKIDFILE");
});

it("never signs with the file's keys for a caller's own host, role or keys", async () => {
  const { chat, upstream } = await setUp((_, response) => json(response, 200, answer));
  const role = await chat({}, { "x-gateway-aws-role-arn": "arn:aws:iam::1:role/r" });
  expect(role.status).toBe(401);
  expect(upstream.received).toEqual([]);
  const own = await chat(
    {},
    {
      "x-gateway-aws-access-key-id": "AKIDCALLER",
      "x-gateway-aws-secret-access-key": "s",
      "x-gateway-aws-region": "us-west-2",
    },
  );
  expect(own.status).toBe(200);
  expect(upstream.received[0]?.headers.authorization).toMatch(/Credential=AKIDCALLER\/\d{8}\/us-west-2\//);
});

it("takes an API key as a bearer token, and signs nothing then", async () => {
  const { chat, sent } = await setUp((_, response) => json(response, 200, answer), "    apiKey: bedrock-api-key-1\n");
  expect((await chat({})).status).toBe(200);
  expect(sent()?.headers.authorization).toBe("Bearer bedrock-api-key-1");
  expect(sent()?.headers["x-amz-date"]).toBeUndefined();
});

it.each([
  ["amazon.titan-embed-text-v2:0", { embedding: [1, 2], inputTextTokenCount: 2 }, { inputText: "Hello" }],
  [
    "amazon.nova-2-multimodal-embeddings-v1:0",
    { embeddings: [{ embedding: [1, 2] }] },
    { taskType: "SINGLE_EMBEDDING" },
  ],
  ["cohere.embed-english-v3", { embeddings: { float: [[1, 2]] } }, { texts: ["Hello"], input_type: "search_document" }],
])("embeds with %s, in the words of its maker", async (model, vectors, asked) => {
  const { ask, sent } = await setUp((_, response) => json(response, 200, vectors));
  const reply = await ask("/v1/embeddings", { model, input: "Hello" });
  expect(await reply.json()).toMatchObject({ data: [{ index: 0, embedding: [1, 2] }] });
  expect(sent()?.url).toBe(`/model/${encodeURIComponent(model)}/invoke`);
  const body = JSON.parse(`${sent()?.body}`);
  expect(body).toMatchObject(asked);
  expect(body.model).toBeUndefined();
});

it("gives a client of OpenAI's API base64, where the model knows numbers only", async () => {
  const vectors = { embeddings: { float: [[1, 2]] } };
  const { ask, sent } = await setUp((_, response) => json(response, 200, vectors));
  const body = { model: "cohere.embed-english-v3", input: "Hello", encoding_format: "base64" };
  const base64 = Buffer.from(Float32Array.of(1, 2).buffer).toString("base64");
  expect(await (await ask("/v1/embeddings", body)).json()).toMatchObject({ data: [{ embedding: base64 }] });
  expect(JSON.parse(`${sent()?.body}`).embedding_types).toEqual(["float"]);
});

it.each([
  [
    "stability.stable-diffusion-xl-v1",
    { artifacts: [{ base64: "aGk=" }] },
    { text_prompts: [{ text: "a cat", weight: 1 }], height: 512, width: 320 },
  ],
  ["stability.sd3-large-v1:0", { images: ["aGk="] }, { prompt: "a cat", aspect_ratio: "9:16" }],
  [
    "amazon.nova-canvas-v1:0",
    { images: ["aGk="] },
    {
      taskType: "TEXT_IMAGE",
      textToImageParams: { text: "a cat" },
      imageGenerationConfig: { height: 512, width: 256, quality: "premium" },
    },
  ],
])("makes images with %s", async (model, made, asked) => {
  const { ask, sent } = await setUp((_, response) => json(response, 200, made));
  const body = { model, prompt: "a cat", size: "256x512", ...(model.includes("nova") && { quality: "hd" }) };
  expect(await (await ask("/v1/images/generations", body)).json()).toMatchObject({ data: [{ b64_json: "aGk=" }] });
  expect(sent()?.url).toBe(`/model/${encodeURIComponent(model)}/invoke`);
  expect(JSON.parse(`${sent()?.body}`)).toEqual(asked);
});

it("ranks with the ARN of a model", async () => {
  const ranked = { results: [{ index: 1, relevanceScore: 0.9 }] };
  const { ask, sent } = await setUp((_, response) => json(response, 200, ranked));
  const reply = await ask("/v1/rerank", { model: "cohere.rerank-v3-5:0", query: "q", documents: ["a", "b"], top_n: 1 });
  expect(await reply.json()).toMatchObject({ results: [{ index: 1, relevance_score: 0.9 }] });
  expect(sent()?.url).toBe("/rerank");
  expect(`${sent()?.body}`).toContain("arn:aws:bedrock:eu-west-1::foundation-model/cohere.rerank-v3-5:0");
  const modelArn = "arn:aws:bedrock:us-east-1::foundation-model/cohere.rerank-v3-5:0";
  const own = { modelConfiguration: { modelArn, additionalModelRequestFields: { a: 1 } } };
  const asked = { queries: [], sources: [], rerankingConfiguration: { bedrockRerankingConfiguration: own } };
  expect(await (await ask("/rerank", asked)).json()).toEqual(ranked);
  expect(JSON.parse(`${sent()?.body}`)).toEqual(JSON.parse(JSON.stringify(asked).replace("us-east-1", "eu-west-1")));
  const { operations } = await boundProvider(bedrock, { apiKey: "k", region: "us-gov-west-1" });
  expect(operations.rerank?.[0]?.origin).toBe("https://bedrock-agent-runtime.us-gov-west-1.amazonaws.com");
});

it.each([
  [{}, "https://bedrock-runtime.us-east-1.amazonaws.com"],
  [{ region: "cn-north-1" }, "https://bedrock-runtime.cn-north-1.amazonaws.com.cn"],
  [{ region: "eu-west-1", domain: "api.aws" }, "https://bedrock-runtime.eu-west-1.api.aws"],
])("is at the host of its region: %j", async (options, baseUrl) => {
  expect((await boundProvider(bedrock, { apiKey: "k", ...options })).baseUrl).toBe(baseUrl);
});

it("takes no region that would be another host", async () => {
  for (const region of ["x.evil.example/", "us-east-1@evil", "US", ""])
    await expect(boundProvider(bedrock, { apiKey: "k", region })).rejects.toThrow("region");
});

it("lists its models by the host that keeps jobs", async () => {
  const { proxyPath } = await boundProvider(bedrock, { apiKey: "key-0123456789", region: "eu-west-1" });
  expect(proxyPath?.("/models?byProvider=amazon")).toBe(
    "https://bedrock.eu-west-1.amazonaws.com/foundation-models?byProvider=amazon",
  );
  expect(proxyPath?.("/model/m/converse")).toBe("/model/m/converse");
});
