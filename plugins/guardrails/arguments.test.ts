import { describe, expect, it } from "vitest";
import { chat, jsonEvents, startGuarded } from "./testing.ts";

const secret = "AKIAQ3XZ7BM5WPKC2TNV";
const redaction = [
  { "gateway.pii": { categories: ["EMAIL_ADDRESS", "CREDIT_CARD"], redact: true } },
  { "gateway.secrets": { redact: true } },
];

const called = (args: string) => ({ index: 0, id: "c1", type: "function", function: { name: "f", arguments: args } });
const answer = (message: object) => ({
  id: "c",
  object: "chat.completion",
  created: 1,
  model: "m",
  choices: [{ index: 0, finish_reason: "stop", message: { role: "assistant", content: null, ...message } }],
});
const frame = (delta: object, finish: string | null = null) =>
  `data: ${JSON.stringify({ id: "c", object: "chat.completion.chunk", created: 1, model: "m", choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`;
const streamed = (args: string) =>
  [
    frame({ role: "assistant", content: null, tool_calls: [called("")] }),
    ...(args.match(/[\s\S]{1,3}/g) ?? []).map((more) =>
      frame({ tool_calls: [{ index: 0, function: { arguments: more } }] }),
    ),
    frame({}, "tool_calls"),
    "data: [DONE]\n\n",
  ].join("");

interface Told {
  readonly content?: string | null;
  readonly tool_calls?: readonly { readonly function?: { readonly arguments?: string } }[];
}
interface Chosen {
  readonly choices?: readonly { readonly message?: Told; readonly delta?: Told }[];
}
const argumentsIn = (told: Told | undefined): string => told?.tool_calls?.[0]?.function?.arguments ?? "";

/** What is taken out of JSON, and what is left of that. */
const cases: readonly [string, string, unknown][] = [
  [
    "behind the end of a line",
    JSON.stringify({ body: `Hi,\nann@example.com\n${secret}\tdone` }),
    { body: "Hi,\n{{EMAIL_ADDRESS_1}}\n{{AWS_ACCESS_KEY_1}}\tdone" },
  ],
  ["behind a letter by its number", '{"to":"caf\\u00e9 \\u003aann@example.com"}', { to: "café :{{EMAIL_ADDRESS_1}}" }],
  [
    "in quotes of its own",
    JSON.stringify({ run: 'export PASSWORD="hunter22x" API_KEY=\\k4k4k4k4\\' }),
    { run: expect.stringMatching(/^export PASSWORD="\{\{ASSIGNED_SECRET_1\}\}"/) },
  ],
  ["that is a number", '{"card": 4111111111111111, "n": 2}', { card: "{{CREDIT_CARD_1}}", n: 2 }],
  [
    "that are numbers of a list",
    '{"cards": [4111111111111111,\n    4111111111111111], "n": [2]}',
    { cards: ["{{CREDIT_CARD_1}}", "{{CREDIT_CARD_1}}"], n: [2] },
  ],
  ["that is written as a list in a text", '{"cards": "[4111111111111111, 2]"}', { cards: "[{{CREDIT_CARD_1}}, 2]" }],
  ["that is the only number of a list", "[4111111111111111]", ["{{CREDIT_CARD_1}}"]],
  ["that are numbers of a list alone", "[1, 4111111111111111]", [1, "{{CREDIT_CARD_1}}"]],
  ["in a list", '["4111111111111111"]', ["{{CREDIT_CARD_1}}"]],
];

describe("what is taken out of JSON leaves JSON", () => {
  it.each(cases)("%s, in the arguments of tools", async (_, args, left) => {
    const { ask } = await startGuarded({ answer: answer({ tool_calls: [called(args)] }) });
    const { json } = await ask({ output_guardrails: redaction }, chat("x"));
    const [whole] = (json as unknown as Chosen).choices ?? [];
    expect(JSON.parse(argumentsIn(whole?.message))).toEqual(left);
    const streams = await startGuarded({ answer: streamed(args) });
    const { text } = await streams.ask({ output_guardrails: redaction }, chat("x", { stream: true }));
    const pieces = (jsonEvents(text) as Chosen[]).map(({ choices }) => argumentsIn(choices?.[0]?.delta));
    expect(JSON.parse(pieces.join(""))).toEqual(left);
  });

  it.each(cases)("%s, in an answer that is JSON and in what a tool found", async (_, content, left) => {
    const { ask, received } = await startGuarded({ answer: answer({ content }) });
    const { json } = await ask({ output_guardrails: redaction, input_guardrails: redaction }, chat(content));
    expect(JSON.parse((json as unknown as Chosen).choices?.[0]?.message?.content ?? "")).toEqual(left);
    const sent = JSON.parse(`${received[0]?.body}`) as { messages: { content: string }[] };
    expect(JSON.parse(sent.messages[0]?.content ?? "")).toEqual(left);
  });

  it("as it is told, where quotes are taken out", async () => {
    const { ask } = await startGuarded({ answer: answer({ content: '{"ssn": "123", "n": 1}' }) });
    const rule = { rule: '/"ssn": "[^"]*"/g', redactText: '"ssn": "***"' };
    const { json } = await ask({ output_guardrails: [{ "default.regexReplace": rule }] }, chat("x"));
    expect((json as unknown as Chosen).choices?.[0]?.message?.content).toBe('{"ssn": "***", "n": 1}');
  });
});
