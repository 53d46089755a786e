import { expect, it, onTestFinished } from "vitest";
import { startGateway } from "../../core/test-kit/index.ts";

const answer = {
  created: 1,
  data: [{ b64_json: "aGk=" }],
  model: "MAI-Image-2.5",
  usage: { num_output_tokens: 960, num_input_text_tokens: 24, num_input_image_tokens: 100 },
};

async function start() {
  const called: { readonly url: string; readonly key: unknown; readonly body: string }[] = [];
  const gateway = await startGateway({
    config: {
      plugins: {
        "auth-open": {},
        routing: {},
        ...Object.fromEntries(
          ["openai-chat", "openai-images", "images", "anthropic-messages"].map((name) => [`format-${name}`, {}]),
        ),
      },
      providers: { "azure-ai": { baseUrl: "${VENDOR}/models", apiKey: "key-0123456789", apiVersion: "v" } },
    },
    upstreams: {
      VENDOR: ({ url, headers, body }) => {
        called.push({ url, key: headers["api-key"], body: body.toString() });
        return { json: answer };
      },
    },
  });
  onTestFinished(gateway.close);
  const ask = async (path: string, init: RequestInit) => {
    const response = await fetch(gateway.url + path, { method: "POST", ...init });
    const dropped = response.headers.get("x-gateway-dropped-params");
    return { status: response.status, dropped, answer: (await response.json()) as Record<string, unknown> };
  };
  return { ask, called };
}

const model = "azure-ai/MAI-Image-2.5";

it("images of Microsoft's models are made beside the models of the resource", async () => {
  const { ask, called } = await start();
  const body = JSON.stringify({ model, prompt: "a cat", size: "1536x1024", n: 1, quality: "high" });
  const got = await ask("/v1/images/generations", { body, headers: { "content-type": "application/json" } });
  expect(got).toMatchObject({ status: 200, dropped: "quality", answer: { data: [{ b64_json: "aGk=" }] } });
  const [{ url, key, body: sent } = { url: "", key: "", body: "" }] = called;
  expect([url, key]).toEqual(["/mai/v1/images/generations", "key-0123456789"]);
  expect(JSON.parse(sent)).toEqual({ model: "MAI-Image-2.5", prompt: "a cat", width: 1248, height: 832 });
});

it("a form that asks for an edit is sent with the fields there are, and its tokens come by OpenAI's names", async () => {
  const { ask, called } = await start();
  const form = new FormData();
  for (const [name, value] of Object.entries({
    model: "MAI-Image-2.5",
    prompt: "a hat",
    size: "auto",
    response_format: "b64_json",
  }))
    form.append(name, value);
  form.append("image[]", new Blob(["pixels"], { type: "image/png" }), "a.png");
  const got = await ask("/v1/images/edits", { body: form, headers: { "x-gateway-provider": "azure-ai" } });
  const usage = { input_tokens: 124, output_tokens: 960, total_tokens: 1084 };
  expect(got).toMatchObject({ status: 200, dropped: "size", answer: { data: [{ b64_json: "aGk=" }], usage } });
  const [{ url, body } = { url: "", body: "" }] = called;
  expect(url).toBe("/mai/v1/images/edits");
  expect(body).toContain('name="image"; filename="a.png"');
  expect(body).not.toMatch(/size|response_format|image\[\]/);
});
