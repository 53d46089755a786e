import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { asEvents, output, ran, says, type Way, word } from "./bypass/testing.ts";
import { chat, heard, startGuarded } from "./testing.ts";

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
  ...["/model/m/invoke", "/v1/publishers/anthropic/models/m:streamRawPredict"].map((path) => ({
    way: "another format",
    covered: true,
    path,
    body: { ...messages(word), anthropic_version: "2026-10-21" },
  })),
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

describe("what was taken out of an answer", () => {
  const bird = { regexReplace: { rule: "/fal[c]on/g", redactText: "bird" } };
  const json = `{"${word}":"https://a.example/${word}"}`;
  const results = (text: string) => text.replaceAll(`"regexPattern":"${word}"`, "");

  it("is not told in what checks say of it", async () => {
    const { ask } = await startGuarded({ answer: says({ content: `the ${word} flies` }) });
    const guardrails = [bird, { wordCount: { maxWords: 9 }, regexMatch: { rule: word } }];
    const { status, text } = await ask({ output_guardrails: guardrails }, chat("hi"));
    expect([status, text.includes("the bird flies"), text.match(/textExcerpt/g)?.length]).toEqual([200, true, 3]);
    expect(results(text)).not.toContain(word);
  });

  it.each([
    ["whole", { jsonKeys: { keys: [word] } }],
    ["whole", { jsonSchema: { schema: { type: "object" } } }],
    ["whole", { validUrls: {} }],
    ["whole", { "test.odd": { does: "tell" } }],
    ["streamed", { regexMatch: { rule: word, not: true, window: 9 } }],
    ["streamed", { jsonKeys: { keys: [word] } }],
    ["whole", { "test.odd": { does: "tell" }, async: true }],
    ["streamed", { regexMatch: { rule: word }, async: true }],
  ])("is not told to clients and records, %s: %j", async (way, other) => {
    const { ask, ended } = await startGuarded();
    const record = ended();
    const body = chat(json, { stream: way === "streamed" });
    const { text } = await ask({ output_guardrails: [bird, other] }, body, undefined, {
      "x-gateway-strict-open-ai-compliance": "false",
    });
    expect(text).toContain("bird");
    expect(results(text)).not.toContain(word);
    const told = await record;
    expect(told?.after_request_hooks).toHaveLength(2);
    expect(results(JSON.stringify(told))).not.toContain(word);
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
