import { expect, it } from "vitest";
import { json } from "../../test/support/upstream.ts";
import { answer, claude, messages, setUp } from "./testing.ts";

const header = { "anthropic-beta": "files-api-2025-04-14, advanced-tool-use-2025-11-20,mine" };
const prefixed = { "x-gateway-anthropic-beta": "advanced-tool-use-2025-11-20, mine" };
const inConfig = { "x-gateway-config": JSON.stringify({ provider: "@aws", anthropic_beta: "configured" }) };
const optional = "    anthropicBeta: optional\n";
const known = ["tool-search-tool-2025-10-19", "mine"];

const conversed = (beta: readonly string[]) => ({ anthropic_beta: beta });

it.each<[string, object, Record<string, string>, string, readonly string[] | undefined]>([
  ["a header", {}, header, "", known],
  ["a header with the gateway's prefix", {}, prefixed, "", known],
  ["a header with the prefix, beside a config", {}, { ...inConfig, ...prefixed }, "", known],
  ["a routing config", {}, inConfig, "", ["configured"]],
  ["the options", {}, {}, optional, ["optional"]],
  ["a header, whatever the options say", {}, header, optional, known],
  ["its body", { anthropic_beta: "files-api-2025-04-14, mine" }, {}, optional, ["mine"]],
  ["a header and its body", { anthropic_beta: ["more", "mine"] }, header, "", [...known, "more"]],
  ["nothing", {}, {}, "", undefined],
  ["a body with nothing that is known here", { anthropic_beta: "files-api-2025-04-14" }, {}, "", undefined],
])("a client of chat completions has Claude told its betas in %s", async (_, body, headers, options, told) => {
  const { chat, sent } = await setUp((_request, response) => json(response, 200, answer), options);
  expect((await chat(body, headers)).status).toBe(200);
  expect(sent()?.url).toMatch(/\/converse$/);
  expect(JSON.parse(`${sent()?.body}`).additionalModelRequestFields).toEqual(told && conversed(told));
});

it("a client of the Messages API does so, too, and its body counts before its headers", async () => {
  const said = {
    id: "m",
    type: "message",
    role: "assistant",
    model: "m",
    content: [],
    usage: {},
    stop_reason: "end_turn",
  };
  const { ask, sent } = await setUp((_request, response) => json(response, 200, said), optional);
  const asked = { model: claude, max_tokens: 9, messages };
  const told: unknown[] = [];
  for (const [body, headers] of [
    [{}, prefixed],
    [{}, inConfig],
    [{}, {}],
    [{ anthropic_beta: ["body"] }, header],
  ] as const) {
    await ask("/v1/messages", { ...asked, ...body }, headers);
    told.push(JSON.parse(`${sent()?.body}`).anthropic_beta);
  }
  expect(told).toEqual([known, ["configured"], ["optional"], ["body"]]);
});

it("other models are not told, and what clients of Converse send passes as it is", async () => {
  const { ask, sent } = await setUp((_request, response) => json(response, 200, answer), optional);
  await ask("/v1/chat/completions", { model: "amazon.nova-pro-v1:0", messages }, header);
  expect(`${sent()?.body}`).not.toContain("beta");
  const own = {
    messages: [{ role: "user", content: [{ text: "Hello" }] }],
    additionalModelRequestFields: { top_k: 1 },
  };
  await ask(`/model/${encodeURIComponent(claude)}/converse`, own);
  expect(`${sent()?.body}`).toBe(JSON.stringify(own));
});

it.each([
  ["bedrock-2024-01-01", "bedrock-2024-01-01"],
  // Meant for another target of the config, which this host would refuse.
  ["2023-06-01", "bedrock-2023-05-31"],
])("the version %s of a routing config is %s in an invocation of Claude", async (anthropic_version, told) => {
  const said = {
    id: "m",
    type: "message",
    role: "assistant",
    model: "m",
    content: [],
    usage: {},
    stop_reason: "end_turn",
  };
  const { ask, sent } = await setUp((_request, response) => json(response, 200, said));
  const headers = { "x-gateway-config": JSON.stringify({ provider: "@aws", anthropic_version }) };
  await ask("/v1/messages", { model: claude, max_tokens: 9, messages }, headers);
  expect(JSON.parse(`${sent()?.body}`).anthropic_version).toBe(told);
});
