import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type Recording, startRecording } from "../../plugins/request-log/testing.ts";

type Frame = Record<string, unknown>;
const stream = (...frames: Frame[]) =>
  frames.map((frame) => `${frame.type ? `event: ${frame.type}\n` : ""}data: ${JSON.stringify(frame)}\n\n`).join("");

const chunk = (tier: string | undefined, more: Frame) => ({
  id: "c",
  object: "chat.completion.chunk",
  created: 1,
  model: "m",
  choices: [],
  service_tier: tier,
  ...more,
});
const usage = { prompt_tokens: 1_000_000, completion_tokens: 0, total_tokens: 1_000_000 };

const chatStream = (tier?: string) =>
  `${stream(
    chunk(tier, { choices: [{ index: 0, delta: { role: "assistant", content: "Tea." }, finish_reason: null }] }),
    chunk(tier, { choices: [{ index: 0, delta: {}, finish_reason: "stop" }] }),
    chunk(tier, { usage }),
  )}data: [DONE]\n\n`;

const message = (tier: string) => ({
  id: "msg_1",
  type: "message",
  role: "assistant",
  model: "m",
  content: [{ type: "text", text: "Tea." }],
  stop_reason: "end_turn",
  stop_sequence: null,
  usage: { input_tokens: 1_000_000, output_tokens: 0, service_tier: tier },
});
const messageStream = (tier: string) =>
  stream(
    { type: "message_start", message: { ...message(tier), content: [], stop_reason: null } },
    { type: "content_block_start", index: 0, content_block: { type: "text", text: "" } },
    { type: "content_block_delta", index: 0, delta: { type: "text_delta", text: "Tea." } },
    { type: "content_block_stop", index: 0 },
    { type: "message_delta", delta: { stop_reason: "end_turn", stop_sequence: null }, usage: { output_tokens: 0 } },
    { type: "message_stop" },
  );

/** What the vendors answer, by the end of the path they are asked at and by whether a stream is wanted. */
const answers: Readonly<Record<string, (tier: string) => string>> = {
  "completions stream": (tier) => chatStream(tier === "silent" ? undefined : tier),
  "messages whole": (tier) => JSON.stringify(message(tier)),
  "messages stream": messageStream,
};

let vendor: Server;
let recording: Recording;

beforeAll(async () => {
  vendor = createServer((incoming, response) => {
    const pieces: Buffer[] = [];
    incoming.on("data", (bytes: Buffer) => pieces.push(bytes));
    incoming.on("end", () => {
      const { model, stream: streams } = JSON.parse(Buffer.concat(pieces).toString());
      const asked = `${incoming.url?.split("/").at(-1)} ${streams ? "stream" : "whole"}`;
      response.setHeader("content-type", streams ? "text/event-stream" : "application/json");
      response.end(answers[asked]?.(model));
    });
  });
  await new Promise<void>((resolve) => vendor.listen(0, "127.0.0.1", resolve));
  const baseUrl = `http://127.0.0.1:${(vendor.address() as AddressInfo).port}`;
  // An answer is $100, $1 in flex and $1000 in priority.
  const tiers = { flex: { input: 1, output: 1 }, priority: { input: 1000, output: 1000 } };
  const prices = { input: 100, output: 100, tiers };
  recording = await startRecording(
    {},
    {
      plugins: { pricing: { models: { "@chats/*": prices, "@claudes/*": prices } } },
      providers: {
        chats: { use: "openai", apiKey: "chats-key-0123", baseUrl },
        claudes: { use: "anthropic", apiKey: "claudes-key-0123", baseUrl },
      },
    },
  );
});

afterAll(async () => {
  await recording.stop();
  vendor.closeAllConnections();
  vendor.close();
});

const chats = "/v1/chat/completions";
const messages = "/v1/messages";

/** The tier that the vendor names is the model it is asked for. Costs are in cents. */
it.each<[string, string, string, boolean, string, string, number]>([
  ["a stream asked for flex", chats, "chats", true, "flex", "default", 10_000],
  ["a stream that is left to the vendor", chats, "chats", true, "auto", "flex", 100],
  ["a silent stream asked for flex", chats, "chats", true, "flex", "silent", 100],
  ["a silent stream that is left to the vendor", chats, "chats", true, "auto", "silent", 10_000],
  ["a whole message", messages, "claudes", false, "auto", "priority", 100_000],
  ["a streamed message", messages, "claudes", true, "auto", "priority", 100_000],
  ["a streamed message in the standard tier", messages, "claudes", true, "auto", "standard", 10_000],
  ["a whole message in a chat", chats, "claudes", false, "auto", "priority", 100_000],
  ["a streamed message in a chat", chats, "claudes", true, "auto", "priority", 100_000],
  ["a streamed chat as a message", messages, "chats", true, "auto", "flex", 100],
])("bills %s by the tier of the answer", async (name, path, provider, streams, asked, served, cents) => {
  const body = {
    model: "m",
    max_tokens: 10,
    stream: streams,
    service_tier: asked,
    messages: [{ role: "user", content: "What is there to drink?" }],
  };
  const config = { provider: `@${provider}`, override_params: { model: served } };
  await recording.ask(body, { path, config, headers: { "x-gateway-trace-id": name } });
  expect(await recording.trace(name, 1)).toMatchObject([{ cost: cents, total_units: 1_000_000 }]);
});
