import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { anthropicMessages } from "../../../plugins/format-anthropic-messages/index.ts";
import { gemini } from "../../../plugins/format-gemini/format.ts";
import { openAiChat } from "../../../plugins/format-openai-chat/format.ts";
import { GatewayError } from "../../errors/gateway-error.ts";
import type { Format } from "../../model/format.ts";
import type { ClientConnection } from "../road.ts";
import { framingRules } from "../stream/framing.ts";
import { passThrough, type StreamWork, translation } from "../stream/stream-work.ts";
import type { Reply } from "./conversation.ts";
import { StreamDelivery } from "./stream-delivery.ts";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const frame = (wire: object) => `data: ${JSON.stringify(wire)}\n\n`;
const google = (text: string, more: object = {}) =>
  frame({ candidates: [{ content: { parts: [{ text }], role: "model" }, index: 0, ...more }] });
const openAi = (content: string, finish: string | null) =>
  frame({ choices: [{ index: 0, delta: { content }, finish_reason: finish }] });

/** What a client gets of frames that pass through, each with a silence of the vendor behind it. */
function sentOf(format: Format, frames: readonly string[]): string[] {
  const conversation = { read: vi.fn(), firstToken: vi.fn(), abort: vi.fn() };
  const reply = { status: 200, headers: {}, conversation };
  const silence = format.silence ?? framingRules(format.framing).silence;
  const delivery = new StreamDelivery(passThrough(format, 1e6), reply as unknown as Reply, 50, undefined, silence);
  const sent: string[] = [];
  const write = (piece: string | Buffer) => sent.push(piece.toString()) > 0;
  const client = { mayBeSent: vi.fn(), write, end: vi.fn() };
  for (const [at, one] of frames.entries()) {
    delivery.data(Buffer.from(one));
    if (at === 0) void delivery.attach(client as unknown as ClientConnection);
    vi.advanceTimersByTime(60);
  }
  delivery.abandon();
  return sent;
}

it.each<[string, Format, readonly string[], readonly string[]]>([
  [
    "a frame is one, and none stands behind the end of the answer",
    gemini,
    [google("a"), google("b", { finishReason: "STOP" })],
    [gemini.silence ?? "", ""],
  ],
  [
    "a comment is one, to the end",
    openAiChat,
    [openAi("a", null), openAi("", "stop")],
    [": keep-alive\n\n", ": keep-alive\n\n"],
  ],
])("tells the client of a silent vendor that the connection lives where %s", (_, format, frames, silences) => {
  const sent = frames.flatMap((one, at) => [one, silences[at]]).filter((one) => one !== "");
  expect(sentOf(format, frames)).toEqual(sent);
});

const counts = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 };
const upstreams = {
  chat: [openAi("Hi", null), openAi("", "stop"), "data: [DONE]\n\n"],
  counted: [openAi("Hi", null), openAi("", "stop"), frame({ choices: [], usage: counts })],
  half: [openAi("Hi", null), openAi("", "stop")],
  countedSoFar: [
    openAi("Hi", null),
    frame({ choices: [{ index: 0, delta: {}, finish_reason: "stop" }], usage: counts }),
  ],
};

/** What the client of a vendor gets that says this, and then nothing, with its connection open. */
function keptOpen(work: StreamWork, frames: readonly string[], ends: (delivery: StreamDelivery) => void) {
  const conversation = { read: vi.fn(), firstToken: vi.fn(), abort: vi.fn() };
  const reply = { status: 200, headers: {}, conversation } as unknown as Reply;
  const delivery = new StreamDelivery(work, reply, 0, undefined, "");
  let sent = "";
  const add = (piece: string | Buffer) => {
    sent += piece;
    return true;
  };
  const client = { mayBeSent: vi.fn(), write: add, end: add } as unknown as ClientConnection;
  void delivery.attach(client);
  for (const one of frames) delivery.data(Buffer.from(one));
  ends(delivery);
  return { sent, left: conversation.abort.mock.calls.length > 0 };
}

const translated = () =>
  translation({
    upstream: openAiChat as unknown as Format,
    client: anthropicMessages as unknown as Format,
    context: { provider: "p", model: "m", strict: false, now: 0, id: "i", includeUsage: true },
    maxFrameBytes: 1e6,
  });
const passed = () => passThrough(openAiChat as unknown as Format, 1e6);
const silent = (delivery: StreamDelivery) =>
  delivery.error(new GatewayError("request_timeout", "Upstream was silent for 9 ms."));
const waited = () => vi.advanceTimersByTime(1_000);

it("an answer whose end has been told is whole, whatever becomes of its connection", () => {
  for (const frames of [upstreams.chat, upstreams.counted]) {
    const { sent } = keptOpen(translated(), frames, silent);
    expect(sent).toContain("message_stop");
    expect(sent).not.toContain("error");
  }
  expect(keptOpen(passed(), upstreams.chat, silent).sent).toBe(upstreams.chat.join(""));
});

it("an answer that may go on is not, though it has a finish reason", () => {
  for (const frames of [upstreams.half, upstreams.countedSoFar]) {
    expect(keptOpen(translated(), frames, silent).sent).toMatch(/silent for 9 ms/);
    expect(keptOpen(passed(), frames, silent).sent).toMatch(/silent for 9 ms/);
    expect(keptOpen(translated(), frames, waited)).toMatchObject({ left: false });
  }
});

it("clients of another format do not wait for a connection that stays open behind the end", () => {
  for (const frames of [upstreams.chat, upstreams.counted]) {
    const { sent, left } = keptOpen(translated(), frames, waited);
    expect(sent).toContain("message_stop");
    expect(left).toBe(true);
  }
  // What passes through goes on as it comes, also behind its terminator.
  expect(keptOpen(passed(), upstreams.chat, waited).left).toBe(false);
});
