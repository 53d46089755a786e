import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { gemini } from "../../../plugins/format-gemini/format.ts";
import { openAiChat } from "../../../plugins/format-openai-chat/format.ts";
import type { Format } from "../../model/format.ts";
import type { ClientConnection } from "../road.ts";
import { framingRules } from "../stream/framing.ts";
import { passThrough } from "../stream/stream-work.ts";
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
