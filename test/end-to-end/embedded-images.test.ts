import { expect, it, onTestFinished } from "vitest";
import { startGateway } from "../../core/test-kit/index.ts";

const answer = { embeddings: { float: [[1, 2]] }, embedding: [1, 2], inputTextTokenCount: 3 };
const image = { inlineData: { mimeType: "image/png", data: "AAAA" } };
const url = "data:image/png;base64,AAAA";

async function start() {
  const formats = ["cohere-chat", "bedrock-converse", "gemini"];
  const asked: unknown[] = [];
  const aws = { region: "eu-west-1", accessKeyId: "AKIDFILE", secretAccessKey: "secret-of-the-file" };
  const gateway = await startGateway({
    config: {
      plugins: { "auth-open": {}, routing: {}, ...Object.fromEntries(formats.map((name) => [`format-${name}`, {}])) },
      providers: {
        cohere: { baseUrl: "${VENDOR}", apiKey: "key-0123456789" },
        bedrock: { baseUrl: "${VENDOR}", ...aws },
      },
    },
    upstreams: {
      VENDOR: ({ body }) => {
        asked.push(JSON.parse(body.toString()));
        return { json: answer };
      },
    },
  });
  onTestFinished(gateway.close);
  return async (model: string, parts: readonly object[]) => {
    const response = await fetch(`${gateway.url}/v1beta/models/${encodeURIComponent(model)}:embedContent`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ content: { parts } }),
    });
    return { asked: asked.at(-1), status: response.status, answer: await response.json() };
  };
}

it.each<[string, readonly object[], object]>([
  ["cohere/embed-v4.0", [image], { images: [url] }],
  [
    "cohere/embed-v4.0",
    [{ text: "a cat" }, image],
    {
      inputs: [
        {
          content: [
            { type: "text", text: "a cat" },
            { type: "image_url", image_url: { url } },
          ],
        },
      ],
    },
  ],
  [
    "bedrock/cohere.embed-v4:0",
    [image, { text: "a cat" }],
    {
      inputs: [
        {
          content: [
            { type: "image_url", image_url: url },
            { type: "text", text: "a cat" },
          ],
        },
      ],
    },
  ],
  ["bedrock/amazon.titan-embed-image-v1", [image], { inputImage: "AAAA" }],
  ["bedrock/amazon.titan-embed-image-v1", [image, { text: "a cat" }], { inputImage: "AAAA", inputText: "a cat" }],
])("%s embeds %j of a client of Gemini", async (model, parts, told) => {
  const ask = await start();
  const got = await ask(model, parts);
  expect(got).toMatchObject({ asked: told, status: 200, answer: { embedding: { values: [1, 2] } } });
});

it("documents of a client of Gemini are refused where only images are embedded", async () => {
  const ask = await start();
  const document = { inlineData: { mimeType: "application/pdf", data: "AAAA" } };
  for (const model of ["cohere/embed-v4.0", "bedrock/amazon.titan-embed-image-v1"])
    expect(await ask(model, [document])).toMatchObject({
      asked: undefined,
      status: 400,
      answer: { error: { message: expect.stringContaining("input.parts") } },
    });
});
