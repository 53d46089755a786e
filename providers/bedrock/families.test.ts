import { describe, expect, it } from "vitest";
import { json } from "../../test/support/upstream.ts";
import { exception, frames, inner, setUp, streaming } from "./testing.ts";

const counts = { "x-amzn-bedrock-input-token-count": "3", "x-amzn-bedrock-output-token-count": "2" };
const metrics = { "amazon-bedrock-invocationMetrics": { inputTokenCount: 3, outputTokenCount: 2 } };
const usage = { prompt_tokens: 3, completion_tokens: 2, total_tokens: 5 };

/** A model of each family, what it answers whole, and in the frames of a stream where it has any. */
const cases: readonly (readonly [model: string, whole: object, frames: readonly object[] | undefined])[] = [
  [
    "anthropic.claude-v2:1",
    { completion: "Hi.", stop_reason: "stop_sequence" },
    [{ completion: "Hi." }, { completion: "", stop_reason: "stop_sequence", ...metrics }],
  ],
  [
    "cohere.command-text-v14",
    { generations: [{ text: "Hi.", finish_reason: "COMPLETE" }] },
    [{ text: "Hi." }, { is_finished: true, finish_reason: "COMPLETE", ...metrics }],
  ],
  [
    "us.meta.llama3-1-8b-instruct-v1:0",
    { generation: "Hi.", stop_reason: "stop" },
    [{ generation: "Hi." }, { generation: "", stop_reason: "stop", ...metrics }],
  ],
  [
    "mistral.mistral-7b-instruct-v0:2",
    { outputs: [{ text: "Hi.", stop_reason: "stop" }] },
    [{ outputs: [{ text: "Hi." }] }, { outputs: [{ text: "", stop_reason: "stop" }], ...metrics }],
  ],
  [
    "arn:aws:bedrock:eu-west-1::foundation-model/amazon.titan-text-express-v1",
    { results: [{ outputText: "Hi.", completionReason: "FINISH" }] },
    [{ outputText: "Hi." }, { outputText: "", completionReason: "FINISH", ...metrics }],
  ],
  [
    "ai21.j2-ultra-v1",
    { id: 7, completions: [{ data: { text: "Hi." }, finishReason: { reason: "endoftext" } }] },
    undefined,
  ],
];

describe.each(cases)("a text completion of %s", (model, whole, streamed) => {
  const at = `/model/${encodeURIComponent(model)}/invoke`;

  it("goes by an invocation, signed; what was used stands in headers", async () => {
    const { ask, sent } = await setUp((_, response) => json(response, 200, whole, counts));
    const reply = await ask("/v1/completions", { model, prompt: "Hello", max_tokens: 9 });
    expect(await reply.json()).toMatchObject({
      object: "text_completion",
      model,
      choices: [{ index: 0, text: "Hi.", finish_reason: "stop" }],
      usage,
      provider: "bedrock",
    });
    expect(sent()?.url).toBe(at);
    expect(`${sent()?.body}`).toContain("Hello");
    expect(`${sent()?.body}`).not.toContain('"model"');
    expect(sent()?.headers.authorization).toMatch(/^AWS4-HMAC-SHA256 Credential=AKIDFILE/);
  });

  it("is streamed, with what was used", async () => {
    const bytes = streamed && frames(...streamed.map(inner));
    const { ask, sent } = await setUp((request, response, incoming) =>
      bytes
        ? streaming(bytes.subarray(0, 50), bytes.subarray(50))(request, response, incoming)
        : json(response, 200, whole, counts),
    );
    const body = { model, prompt: "Hello", stream: true, stream_options: { include_usage: true } };
    const text = await (await ask("/v1/completions", body)).text();
    expect(sent()?.url).toBe(streamed ? `${at}-with-response-stream` : at);
    expect(text).toContain('"text":"Hi."');
    expect(text).toContain('"finish_reason":"stop"');
    expect(text).toContain('"total_tokens":5');
    expect(text.match(/\[DONE\]/g)).toHaveLength(1);
  });
});

it.each([
  ["acme.words-v1:0", 'its family is "acme"'],
  ["eu.amazon.nova-pro-v1:0", 'its family is "amazon"'],
  ["arn:aws:bedrock:eu-west-1:111122223333:application-inference-profile/abc", "its id names no family"],
])("a text completion of %s is refused with the model, its family and those there are", async (model, said) => {
  const { ask, upstream } = await setUp((_, response) => json(response, 200, {}));
  const reply = await ask("/v1/completions", { model, prompt: "Hello" });
  const { error } = (await reply.json()) as { error: { message: string } };
  expect(reply.status).toBe(400);
  expect(error.message).toContain(`for the model "${model}": ${said}`);
  expect(error.message).toContain("anthropic., cohere., meta., mistral., amazon.titan-t, ai21.");
  expect(upstream.received.filter(({ method }) => method === "POST")).toEqual([]);
});

it("a stream that fails in the middle ends with an error and no terminator", async () => {
  const begun = frames(inner({ generation: "Half" }));
  const { ask } = await setUp(streaming(begun, exception("modelStreamErrorException", "it broke")));
  const body = { model: "meta.llama3-8b-instruct-v1:0", prompt: "Hello", stream: true };
  const text = await (await ask("/v1/completions", body)).text();
  expect(text).toContain("Half");
  expect(text).toContain("it broke");
  expect(text).not.toContain("[DONE]");
});

it.each([
  ["cohere.command-light-text-v14", { generations: [{ text: "Hi.", finish_reason: "COMPLETE" }] }, "max_tokens"],
  ["ai21.j2-mid-v1", { completions: [{ data: { text: "Hi." }, finishReason: { reason: "endoftext" } }] }, "maxTokens"],
])("a chat with %s is told as one text", async (model, whole, field) => {
  const { chat, sent } = await setUp((_, response) => json(response, 200, whole, counts));
  const messages = [
    { role: "system", content: "Be brief." },
    { role: "user", content: "Hello" },
  ];
  const reply = await chat({ model, messages, max_tokens: 9, seed: 1 });
  expect(await reply.json()).toMatchObject({
    choices: [{ message: { role: "assistant", content: "Hi." }, finish_reason: "stop" }],
    usage,
  });
  expect(reply.headers.get("x-gateway-dropped-params")).toBe("seed");
  expect(sent()?.url).toBe(`/model/${model}/invoke`);
  expect(JSON.parse(`${sent()?.body}`)).toEqual({
    prompt: "system: Be brief.\nuser: Hello\nAssistant:",
    [field]: 9,
  });
});

it.each([
  ["cohere.embed-english-v3", { embeddings: [[1, 2]], texts: ["Hello"] }],
  ["amazon.nova-2-multimodal-embeddings-v1:0", { embeddings: [{ embedding: [1, 2] }] }],
])("what %s used for an embedding stands in a header", async (model, vectors) => {
  const { ask } = await setUp((_, response) => json(response, 200, vectors, counts));
  const reply = await ask("/v1/embeddings", { model, input: "Hello" });
  expect(await reply.json()).toMatchObject({ data: [{ embedding: [1, 2] }], usage: { prompt_tokens: 3 } });
});

it("the fourth embedding model of Cohere is shown images as this host has them", async () => {
  const { ask, upstream } = await setUp((_, response) => json(response, 200, { embeddings: { float: [[1]] } }, counts));
  const url = "data:image/png;base64,AAAA";
  const model = "us.cohere.embed-v4:0";
  await ask("/v1/embeddings", { model, input: [{ text: "a", image: { url } }] });
  await ask("/v1/embeddings", { model, input: [{ image: { url } }] });
  const [mixed, alone] = upstream.received.map(({ body }) => JSON.parse(String(body)));
  const content = [
    { type: "text", text: "a" },
    { type: "image_url", image_url: url },
  ];
  expect(mixed).toMatchObject({ inputs: [{ content }], input_type: "search_document" });
  expect(alone).toMatchObject({ images: [url], input_type: "search_document" });
});
