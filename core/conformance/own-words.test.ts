import { createHmac } from "node:crypto";
import { expect, it } from "vitest";
import { temporaryFolder } from "../cli/testing.ts";
import { defineProvider, secret, z } from "../provider-kit/index.ts";
import { checkProvider } from "./index.ts";

type Wire = Record<string, unknown>;

const message = { role: "user", content: "Hello" };
const asked = { model: "m", messages: [message] };
const answer = {
  id: "chat-1",
  object: "chat.completion",
  created: 1,
  model: "m",
  choices: [{ index: 0, message: { role: "assistant", content: "Hi" }, logprobs: null, finish_reason: "stop" }],
};
const frame = (more: Wire) =>
  `data: ${JSON.stringify({ id: "1", object: "chat.completion.chunk", created: 1, ...more })}\n\n`;
const delta = (content: string, finish_reason: string | null) =>
  frame({ choices: [{ index: 0, delta: { content }, finish_reason }] });

/** A vendor that counts in a field of its own. */
const counted = ({ meter, ...wire }: Wire): Wire => {
  const { read, said } = (meter ?? {}) as { read?: number; said?: number };
  const usage = read === undefined ? undefined : { prompt_tokens: read, completion_tokens: said };
  return { ...wire, usage };
};
const metered = defineProvider({
  name: "metered",
  summary: "A vendor that counts in words of its own.",
  baseUrl: "https://metered.example/v1",
  operations: { chat: { format: "openai-chat", normalise: counted, normaliseFrame: counted } },
});
const sent = { path: "/chat/completions", body: asked };
const streamed = { ...asked, stream: true, stream_options: { include_usage: true } };
const meter = { read: 3, said: 2 };
const usage = { prompt_tokens: 3, completion_tokens: 2, total_tokens: 5 };

const folder = (fixtures: Readonly<Record<string, unknown>>): string =>
  temporaryFolder(
    Object.fromEntries(
      Object.entries(fixtures).map(([file, content]) => [
        file,
        typeof content === "string" ? content : JSON.stringify(content),
      ]),
    ),
  );

const whole = {
  "whole/request.json": { path: "/v1/chat/completions", body: asked },
  "whole/upstream-request.json": sent,
  "whole/upstream-answer.json": { body: { ...answer, meter } },
  "whole/answer.json": { body: { ...answer, provider: "metered", usage } },
};
const stream = {
  "stream/request.json": { path: "/v1/messages", body: { ...asked, max_tokens: 9, stream: true } },
  "stream/upstream-request.json": { path: "/chat/completions", body: { ...streamed, max_tokens: 9 } },
  "stream/upstream-answer.sse": `${delta("Hi", null)}${delta("", "stop")}${frame({ choices: [], meter })}data: [DONE]\n\n`,
};

it("counts as a fixture shows, where the vendor does in words of its own", async () => {
  const bare = await checkProvider(metered);
  expect(bare.failures.join("\n")).toContain(
    "; where the vendor counts in words that normalise reads, a fixture has to show them",
  );
  const { rows } = await checkProvider(metered, {
    fixtures: folder({ ...whole, ...stream, "stream/answer.sse": "data: {}\n\n" }),
  });
  expect(rows.map(({ client, cells }) => [client, cells.whole.result, cells.usage.result])).toEqual([
    ["openai-chat", "ok", "ok"],
    ["anthropic-messages", "ok", "ok"],
  ]);
});

it.each([
  ["…", "ok"],
  ["2", "failed"],
])("lets a fixture of a stream leave open what is made anew each time: %s", async (id, result) => {
  const plain = defineProvider({
    name: "plain",
    summary: "A vendor like most.",
    baseUrl: "https://plain.example/v1",
    operations: { chat: "openai-chat" },
  });
  const frames = `${delta("Hi", null)}${delta("", "stop")}data: [DONE]\n\n`;
  const fixtures = folder({
    "stream/request.json": { path: "/v1/chat/completions", body: { ...asked, stream: true } },
    "stream/upstream-request.json": { path: "/chat/completions", body: { ...asked, stream: true } },
    "stream/upstream-answer.sse": frames,
    "stream/answer.sse": frames.replaceAll('"id":"1"', `"id":"${id}"`),
  });
  const report = await checkProvider(plain, { fixtures });
  expect(report.fixtures.map(({ cell }) => cell)).toMatchObject([{ result }]);
});

it.each([
  ["answer", "there is no answer.json, and no answer.sse"],
  ["upstream-request", "there is no upstream-request.json"],
])("tells which file of a fixture is missing: %s", async (name, reason) => {
  const { [`whole/${name}.json`]: _, ...others } = whole as Record<string, unknown>;
  await expect(checkProvider(metered, { fixtures: folder(others) })).rejects.toThrow(`whole: ${reason}`);
});

it("tells where an answer differs from that of a fixture", async () => {
  const other = { ...answer, provider: "metered", usage: { ...usage, total_tokens: 6 } };
  const { fixtures } = await checkProvider(metered, {
    fixtures: folder({ ...whole, "whole/answer.json": { body: other } }),
  });
  expect(JSON.stringify(fixtures)).toContain("it differs at usage.total_tokens");
});

it.each([
  ["a signature in headers of its own", {}],
  [
    "a token in a header of its own",
    { authenticate: () => async () => ({ "x-token": "made-just-now" }), sign: undefined },
  ],
])("takes %s for a credential", async (_, more) => {
  const signing = defineProvider({
    name: "signing",
    summary: "A vendor that is shown signatures.",
    baseUrl: "https://signing.example/v1",
    options: z.strictObject({ secretKey: secret().describe("Signs.") }),
    authenticate: () => ({}),
    sign: ({ body = "" }, { secretKey }) => ({
      "x-signature": createHmac("sha256", secretKey.reveal()).update(body).digest("hex"),
    }),
    operations: { chat: "openai-chat" },
    ...(more as object),
  });
  expect((await checkProvider(signing)).failures).toEqual([]);
});
