import { expect, it, onTestFinished } from "vitest";
import { startGateway } from "../../core/test-kit/index.ts";

const found = { type: "search_results", results: [{ id: 1, url: "https://example.com/a", title: "A", snippet: "a" }] };
const message = {
  type: "message",
  role: "assistant",
  content: [{ type: "output_text", text: "Hi [1]", annotations: [] }],
};
const answer = { id: "r", object: "response", status: "completed", model: "m", output: [found, message] };

const events = [
  { type: "response.created", response: { ...answer, status: "in_progress", output: [] } },
  { type: "response.output_item.done", output_index: 0, item: found },
  { type: "response.output_text.delta", output_index: 1, content_index: 0, delta: "Hi [1]" },
  { type: "response.output_item.done", output_index: 1, item: message },
  { type: "response.completed", response: answer },
];

/** What Perplexity is sent for a chat completion, and what its client is told to be lost. */
async function asked(said: object, strict = false) {
  const gateway = await startGateway({
    config: {
      plugins: {
        "auth-open": {},
        routing: { default: "perplexity-ai" },
        "format-openai-chat": {},
        "format-openai-responses": {},
      },
      providers: { "perplexity-ai": { baseUrl: "${VENDOR}", apiKey: "key-0123456789" } },
    },
    upstreams: { VENDOR: "stream" in said ? { events } : { json: answer } },
  });
  onTestFinished(gateway.close);
  const response = await fetch(`${gateway.url}/v1/chat/completions`, {
    method: "POST",
    headers: { "content-type": "application/json", "x-gateway-strict-open-ai-compliance": String(strict) },
    body: JSON.stringify({ model: "sonar-pro", messages: [{ role: "user", content: "Hi" }], ...said }),
  });
  const body: unknown = gateway.upstreams.VENDOR.calls[0]?.json;
  const dropped = response.headers.get("x-gateway-dropped-params");
  const text = await response.text();
  const frames = [...text.matchAll(/^data: (\{.*)$/gm)].map(([, data = ""]) => JSON.parse(data) as object);
  return { status: response.status, body, dropped, answered: frames.length > 0 ? frames : JSON.parse(text) };
}

it("Perplexity searches where a chat client wants it to, and hears nothing that it would refuse", async () => {
  const { status, body, dropped } = await asked({
    search_domain_filter: ["example.com"],
    web_search_options: { search_context_size: "high" },
    language_preference: "fr",
    return_images: true,
    search_language_filter: ["fr"],
  });
  expect(status).toBe(200);
  expect(body).toEqual({
    model: "perplexity/sonar",
    preset: "low",
    input: expect.anything(),
    store: false,
    language_preference: "fr",
    tools: [{ type: "web_search", search_context_size: "high", filters: { search_domain_filter: ["example.com"] } }],
  });
  expect(dropped).toBe("return_images,search_language_filter");
});

it("chat clients that are not strict are shown what Perplexity has found, where the answer points at nothing", async () => {
  const { answered } = await asked({});
  expect(answered).toMatchObject({
    choices: [{ message: { content: "Hi [1]", content_blocks: [found, { type: "text" }] } }],
  });
});

const named = { citations: ["https://example.com/a"], search_results: found.results };

it("chat clients that are not strict are given the list of sources that Perplexity's chat completions gave, whole and at the end of a stream", async () => {
  expect((await asked({})).answered).toMatchObject(named);
  for (const options of [{}, { stream_options: { include_usage: true } }]) {
    const { answered } = await asked({ stream: true, ...options });
    const last = answered.findLast((frame: { choices: object[] }) => frame.choices.length > 0);
    expect(last).toMatchObject({ choices: [{ finish_reason: "stop" }], ...named });
  }
});

it("strict chat clients are not given it", async () => {
  for (const said of [{}, { stream: true }])
    expect(JSON.stringify((await asked(said, true)).answered)).not.toContain("example.com");
});
