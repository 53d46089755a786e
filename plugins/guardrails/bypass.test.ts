import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { chat, heard, startGuarded } from "./testing.ts";

/** Ways round a guardrail that denies the word "falcon", and whether it is met all the same. docs/guardrails.md lists them. */
interface Way {
  /** As the page names it. */
  readonly way: string;
  readonly covered: boolean;
  readonly path?: string;
  readonly body: object;
}

const word = "falcon";
const user = (content: unknown) => ({ role: "user", content });
const call = (argumentsOf: string) => ({
  role: "assistant",
  content: null,
  tool_calls: [{ id: "c1", type: "function", function: { name: "look", arguments: argumentsOf } }],
});
const result = (content: string, id = "c1") => ({ role: "tool", tool_call_id: id, content });
const saying = (...messages: object[]) => ({ model: "m", messages });
const messages = (content: unknown, more: object = {}) => ({
  model: "m",
  max_tokens: 9,
  messages: [user(content)],
  ...more,
});

const input: readonly Way[] = [
  { way: "the word itself", covered: true, body: chat(`the ${word}`) },
  { way: "`stream: true`", covered: true, body: chat(word, { stream: true }) },
  {
    way: "several parts of a message",
    covered: true,
    body: chat([
      { type: "text", text: "hi" },
      { type: "text", text: word },
    ]),
  },
  { way: "a tool result", covered: true, body: saying(user("hi"), call("{}"), result(word)) },
  {
    way: "a tool result",
    covered: true,
    path: "/v1/messages",
    body: messages([{ type: "tool_result", tool_use_id: "c1", content: [{ type: "text", text: word }] }]),
  },
  { way: "a tool call in the last message", covered: true, body: saying(user("hi"), call(`{"q":"${word}"}`)) },
  {
    way: "a document of text",
    covered: true,
    path: "/v1/messages",
    body: messages([
      { type: "document", source: { type: "text", media_type: "text/plain", data: word } },
      { type: "text", text: "hi" },
    ]),
  },
  { way: "JSON inside the text", covered: true, body: chat(JSON.stringify({ a: { b: [word] } })) },
  {
    way: "several prompts of a completion",
    covered: true,
    path: "/v1/completions",
    body: { model: "m", prompt: ["hi", word] },
  },
  {
    way: "another format",
    covered: true,
    path: "/v1beta/models/m:generateContent",
    body: { contents: [{ role: "user", parts: [{ text: word }] }] },
  },
  ...["input_text", "TEXT", "thinking"].map((type) => ({
    way: "blocks of a kind nobody knows",
    covered: true,
    body: chat([
      { type, text: word },
      { type: "text", text: "hi" },
    ]),
  })),
  {
    way: "blocks of a kind nobody knows",
    covered: true,
    path: "/v1/responses",
    body: { model: "m", input: [user([{ type: "written", text: word }])] },
  },
  {
    way: "blocks of a kind nobody knows",
    covered: true,
    path: "/v1/messages",
    body: messages("hi", { messages: [user("hi"), { role: "system", content: [{ type: "written", text: word }] }] }),
  },
  {
    way: "texts inside of blocks",
    covered: true,
    path: "/v1/messages",
    body: messages([{ type: "search_result", source: "s", title: "t", content: [{ type: "text", text: word }] }]),
  },
  {
    way: "texts inside of blocks",
    covered: true,
    path: "/v1/messages",
    body: messages([{ type: "document", source: { type: "content", content: [{ type: "text", text: word }] } }]),
  },
  {
    way: "earlier messages",
    covered: false,
    body: saying(user(word), { role: "assistant", content: "ok" }, user("hi")),
  },
  { way: "the system prompt", covered: false, body: saying({ role: "system", content: word }, user("hi")) },
  {
    way: "a tool result",
    covered: true,
    path: "/v1/messages",
    body: messages([
      { type: "tool_result", tool_use_id: "c1", content: word },
      { type: "text", text: "hi" },
    ]),
  },
  { way: "the system prompt", covered: false, path: "/v1/messages", body: messages("hi", { system: word }) },
  {
    way: "a file of text, and what a file is called",
    covered: true,
    body: chat([{ type: "file", file: { filename: "a.txt", file_data: `data:text/plain;base64,${btoa(word)}` } }]),
  },
  {
    way: "a file of text, and what a file is called",
    covered: true,
    path: "/v1/messages",
    body: messages([{ type: "document", title: word, source: { type: "url", url: "https://a.example" } }]),
  },
  {
    way: "a tool result",
    covered: true,
    path: "/v1/responses",
    body: {
      model: "m",
      input: [{ type: "shell_call_output", call_id: "c1", output: [{ stdout: word, stderr: "" }] }, user("hi")],
    },
  },
  {
    way: "fields beside the messages",
    covered: false,
    body: chat("hi", { prediction: { type: "content", content: word } }),
  },
  {
    way: "several tool results",
    covered: true,
    body: saying(user("hi"), call("{}"), result(word), result("ok", "c2")),
  },
  {
    way: "tool definitions",
    covered: false,
    body: chat("hi", { tools: [{ type: "function", function: { name: "f", description: word } }] }),
  },
  {
    way: "documents that are no text",
    covered: false,
    path: "/v1/messages",
    body: messages([
      { type: "document", source: { type: "base64", media_type: "application/pdf", data: btoa(word) } },
      { type: "text", text: "hi" },
    ]),
  },
  { way: "look-alikes of other alphabets", covered: false, body: chat("f\u0430lcon") },
  { way: "zero-width characters", covered: false, body: chat("fal\u200Bcon") },
  { way: "words that are split", covered: false, body: chat("fal con") },
  {
    way: "a word in two parts of a message",
    covered: false,
    body: chat([
      { type: "text", text: "fal" },
      { type: "text", text: "con" },
    ]),
  },
  { way: "base64 and other encodings", covered: false, body: chat(btoa(word)) },
  { way: "escapes inside JSON", covered: false, body: chat('{"a":"\\u0066alcon"}') },
];

describe("guardrails of the input", () => {
  it.each(input)("$way: $covered", async ({ body, path, covered }) => {
    const { ask, received } = await startGuarded();
    const guardrail = { contains: { words: [word], operator: "none" }, deny: true };
    const { status } = await ask({ input_guardrails: [guardrail] }, body, path);
    expect([status, received.length]).toEqual(covered ? [446, 0] : [200, 1]);
  });
});

it("what is taken out of blocks nobody knows does not leave", async () => {
  const { ask, received } = await startGuarded();
  const written = (text: string) => [
    { type: "written", text, content: [{ text }, { image: 1 }], kept: 1 },
    { type: "text", text },
    { type: "drawn" },
  ];
  const guardrail = { regexReplace: { rule: word, redactText: "bird" } };
  expect((await ask({ input_guardrails: [guardrail] }, chat(written(word)))).status).toBe(200);
  expect(JSON.parse(String(received[0]?.body)).messages).toEqual([user(written("bird"))]);
});

const says = (...choices: readonly object[]) => ({
  id: "c",
  object: "chat.completion",
  created: 1,
  model: "m",
  choices: choices.map((message, index) => ({
    index,
    message: { role: "assistant", ...message },
    finish_reason: "stop",
  })),
});
const streams = (...deltas: readonly (readonly [choice: number, delta: object])[]) =>
  [...deltas, [0, {}] as const]
    .map(([index, delta], at) => {
      const choice = { index, delta, finish_reason: at === deltas.length ? "stop" : null };
      return `data: ${JSON.stringify({ id: "c", object: "chat.completion.chunk", created: 1, model: "m", choices: [choice] })}\n\n`;
    })
    .concat("data: [DONE]\n\n")
    .join("");
const tool = (argumentsOf: string) => ({
  tool_calls: [{ index: 0, id: "c1", type: "function", function: { name: "f", arguments: argumentsOf } }],
});

/** Answers of the Responses API. */
const items = (...output: object[]) => ({ id: "r", object: "response", model: "m", status: "completed", output });
const asEvents = (answer: { readonly output: readonly object[] }) =>
  [
    { type: "response.created", response: { ...answer, status: "in_progress", output: [] } },
    ...answer.output.map((item, at) => ({ type: "response.output_item.done", output_index: at, item })),
    { type: "response.completed", response: answer },
  ]
    .map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`)
    .join("");
const said = (text: string) => ({ type: "message", role: "assistant", content: [{ type: "output_text", text }] });
const ran = items(
  { type: "code_interpreter_call", id: "ci", status: "completed", code: "1", outputs: [{ type: "logs", logs: word }] },
  said("hi"),
);
const found = items(
  { type: "mcp_call", id: "m", name: "f", server_label: "s", arguments: "{}", output: word },
  said("hi"),
);

const output: readonly (Omit<Way, "body"> & { readonly answer: object | string })[] = [
  ...[ran, asEvents(ran)].map((answer) => ({
    way: "code that the vendor ran, and what came of it",
    covered: true,
    path: "/v1/responses",
    answer,
  })),
  ...[found, asEvents(found)].map((answer) => ({
    way: "what tools of the vendor found",
    covered: true,
    path: "/v1/responses",
    answer,
  })),
  {
    way: "what an answer is taken from",
    covered: true,
    answer: says({
      content: "hi",
      annotations: [{ type: "url_citation", url_citation: { url: "https://a.example", title: word } }],
    }),
  },
  {
    way: "the address of what it is taken from",
    covered: false,
    answer: says({
      content: "hi",
      annotations: [{ type: "url_citation", url_citation: { url: `https://${word}.example`, title: "a" } }],
    }),
  },
  {
    way: "the transcript of a sound",
    covered: true,
    answer: says({ content: null, audio: { id: "a", transcript: word, data: "AAAA" } }),
  },
  {
    way: "the transcript of a sound",
    covered: true,
    answer: streams(
      [0, { audio: { id: "a", transcript: "fal" } }],
      [0, { audio: { data: "AAAA" } }],
      [0, { audio: { transcript: "con" } }],
    ),
  },
  {
    way: "sounds and images",
    covered: false,
    answer: says({ content: null, audio: { id: "a", transcript: "hi", data: btoa(word) } }),
  },
  { way: "the word itself", covered: true, answer: says({ content: word }) },
  { way: "any of `n` choices", covered: true, answer: says({ content: "hi" }, { content: word }) },
  { way: "a refusal", covered: true, answer: says({ content: null, refusal: word }) },
  {
    way: "tool calls where nothing is said besides",
    covered: true,
    answer: says({ content: null, ...tool(`{"q":"${word}"}`) }),
  },
  {
    way: "tool calls where nothing is said besides",
    covered: true,
    answer: says({ content: "\n\n", ...tool(`{"q":"${word}"}`) }),
  },
  { way: "tool calls beside a text", covered: false, answer: says({ content: "hi", ...tool(`{"q":"${word}"}`) }) },
  { way: "thinking", covered: false, answer: says({ content: "hi", reasoning_content: word }) },
  { way: "base64 and other encodings", covered: false, answer: says({ content: btoa(word) }) },
  { way: "the word itself", covered: true, answer: streams([0, { content: word }]) },
  {
    way: "pieces of a stream",
    covered: true,
    answer: streams([0, { content: "so fal" }], [0, { content: "c" }], [0, { content: "on" }]),
  },
  {
    way: "any of `n` choices",
    covered: true,
    answer: streams([0, { content: "fine" }], [1, { content: "fal" }], [0, { content: "." }], [1, { content: "con" }]),
  },
  {
    way: "tool calls where nothing is said besides",
    covered: true,
    answer: streams([0, tool('{"q":"fal')], [0, { tool_calls: [{ index: 0, function: { arguments: 'con"}' } }] }]),
  },
  {
    way: "tool calls where nothing is said besides",
    covered: true,
    answer: streams([0, { content: "\n\n" }], [0, tool(`{"q":"${word}"}`)]),
  },
  {
    way: "tool calls beside a text",
    covered: false,
    answer: streams([0, { content: "hi" }], [0, tool(`{"q":"${word}"}`)]),
  },
  { way: "thinking", covered: false, answer: streams([0, { reasoning_content: word }], [0, { content: "hi" }]) },
  {
    way: "a word across the choices",
    covered: false,
    answer: streams([0, { content: "fal" }], [1, { content: "con" }]),
  },
];

describe("guardrails of the output", () => {
  it.each(output)("$way: $covered", async ({ answer, covered, path }) => {
    const { ask } = await startGuarded({ answer });
    const guardrail = { contains: { words: [word], operator: "none" }, deny: true };
    const stream = typeof answer === "string";
    const body = path === undefined ? chat("hi", { stream }) : { model: "m", input: "hi", stream };
    const { status, text } = await ask({ output_guardrails: [guardrail] }, body, path);
    expect([status === 446 || text.includes("hooks_failed"), heard(text).includes("fal") && covered]).toEqual([
      covered,
      false,
    ]);
  });
});

it.each([ran, asEvents(ran)])("checks that measure an answer measure what was said", async (answer) => {
  const { ask } = await startGuarded({ answer });
  const checks = [{ wordCount: { maxWords: 1 } }, { contains: { words: [word], operator: "any", failOnError: true } }];
  const body = { model: "m", input: "hi", stream: typeof answer === "string" };
  const statuses = checks.map((check) => ask({ output_guardrails: [{ ...check, deny: true }] }, body, "/v1/responses"));
  expect((await Promise.all(statuses)).map(({ status }) => status)).toEqual([200, 446]);
});

it("docs/guardrails.md lists each of them, as what it is", () => {
  const page = readFileSync(new URL("../../docs/guardrails.md", import.meta.url), "utf8");
  const [, section = ""] = page.split("## What is looked at");
  const listed = [...section.matchAll(/^\| (.+?) +\| (yes|no) +\|/gm)].map(([, way, met]) => `${way}: ${met}`);
  const known = new Set([...input, ...output].map(({ way, covered }) => `${way}: ${covered ? "yes" : "no"}`));
  expect(listed.sort()).toEqual([...known].sort());
});
