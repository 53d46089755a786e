import OpenAI from "openai";
import { expect, it } from "vitest";
import { temporaryFolder } from "../../core/cli/testing.ts";
import { startTestGateway } from "../support/gateway.ts";
import { json, startUpstream } from "../support/upstream.ts";

const key = "key-of-ann-0123456789abcdef";

/** A gateway that keeps responses and has guardrails, before a vendor that knows chats only. */
async function start(guardrails: object) {
  const message = { role: "assistant", content: "answer" };
  const chunk = (delta: object, finish_reason: string | null = null) =>
    `data: ${JSON.stringify({ id: "c", object: "chat.completion.chunk", created: 1, model: "m", choices: [{ index: 0, delta, finish_reason }] })}\n\n`;
  const upstream = await startUpstream(({ body }, response) => {
    if (!(JSON.parse(`${body}`) as { stream?: boolean }).stream)
      return json(response, 200, {
        ...{ id: "chatcmpl-1", object: "chat.completion", created: 1, model: "m" },
        choices: [{ index: 0, message, finish_reason: "stop" }],
      });
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.end(`${chunk(message)}${chunk({}, "stop")}data: [DONE]\n\n`);
  });
  const gateway = await startTestGateway(
    JSON.stringify({
      plugins: {
        "auth-keys": { keys: [{ name: "ann", key, scopes: ["completions.write"] }] },
        routing: {},
        cache: {},
        "cache-memory": {},
        "format-openai-chat": {},
        "format-openai-responses": {},
        "records-file": {},
        checks: {},
        guardrails: {},
        "responses-store": {},
        proxy: {},
      },
      providers: { chats: { use: "deepseek", apiKey: "chats-key-0123", baseUrl: upstream.url } },
    }),
    {},
    temporaryFolder({}),
  );
  const client = new OpenAI({
    apiKey: key,
    baseURL: `${gateway.url}/v1`,
    maxRetries: 0,
    defaultHeaders: { "x-gateway-config": JSON.stringify({ provider: "@chats", ...guardrails }) },
  });
  const sent = () =>
    upstream.received.map(({ body }) => (JSON.parse(`${body}`) as { messages: { content: string }[] }).messages);
  return { client, sent };
}

const mail = { "gateway.pii": { categories: ["EMAIL_ADDRESS"], redact: true } };
const tea = { contains: { words: ["tea"], operator: "none" } };

it.each([{}, { cache: { mode: "simple" } }])("goes on from what was left of a request, with %j", async (more) => {
  const { client, sent } = await start({ input_guardrails: [mail], ...more });
  for (let time = 0; time < 2; time++) {
    const first = await client.responses.create({ model: "m", input: "I am ann@example.com" });
    const second = await client.responses.create({ model: "m", input: `Two? ${time}`, previous_response_id: first.id });
    await client.responses.create({ model: "m", input: `Three? ${time}`, previous_response_id: second.id });
    expect(sent().at(-1)).toEqual([
      { role: "user", content: "I am {{EMAIL_ADDRESS_1}}" },
      { role: "assistant", content: "answer" },
      { role: "user", content: `Two? ${time}` },
      { role: "assistant", content: "answer" },
      { role: "user", content: `Three? ${time}` },
    ]);
  }
});

it.each(["input", "output"])(
  "goes on from a response that a guardrail of the %s let pass, however it failed",
  async (side) => {
    const { client, sent } = await start({
      [`${side}_guardrails`]: [{ contains: { words: ["tea", "answer"], operator: "none" } }],
    });
    const { data: whole, response } = await client.responses.create({ model: "m", input: "tea" }).withResponse();
    expect(response.status).toBe(246);
    const streamed = await client.responses
      .stream({ model: "m", input: "Two?", previous_response_id: whole.id })
      .finalResponse();
    await client.responses.create({ model: "m", input: "Three?", previous_response_id: streamed.id });
    expect(
      sent()
        .at(-1)
        ?.map(({ content }) => content),
    ).toEqual(["tea", "answer", "Two?", "answer", "Three?"]);
  },
);

it("goes on from a denial that looks like an answer, without what was denied", async () => {
  const { client, sent } = await start({ input_guardrails: [{ ...tea, deny: true, soft_deny_200: true }] });
  const first = await client.responses.create({ model: "m", input: "One?" });
  const denied = await client.responses.create({ model: "m", input: "tea", previous_response_id: first.id });
  expect(sent()).toHaveLength(1);
  await client.responses.create({ model: "m", input: "Two?", previous_response_id: denied.id });
  expect(
    sent()
      .at(-1)
      ?.map(({ content }) => content),
  ).toEqual(["One?", "answer", "Two?"]);
});
