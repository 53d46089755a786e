import { expect, it } from "vitest";
import { openAiChat } from "../../../plugins/format-openai-chat/format.ts";
import { assembler } from "../../codec-kit/streams/assemble.ts";
import { GatewayError } from "../../errors/gateway-error.ts";
import type { Format, StreamDecoder } from "../../model/format.ts";
import { streamListener } from "./stream-listener.ts";
import { passThrough } from "./stream-work.ts";

const frame = (delta: object, finish: string | null = null) =>
  `data: {"id":"c",  "choices":[{"index":0,"delta":${JSON.stringify(delta)},"finish_reason":${JSON.stringify(finish)}}]}\n\n`;
const done = "data: [DONE]\n\n";

/** What a client gets of a stream that somebody reads along with, and what that one has in the end. */
function carried(stream: string, format: Format = openAiChat, size = 7) {
  const answer = assembler();
  const work = passThrough(format, 1e6, streamListener(format, answer));
  const bytes = Buffer.from(stream);
  let sent = "";
  for (let at = 0; at < bytes.length; at += size) sent += work.push(bytes.subarray(at, at + size)).toString();
  const { out, failure } = work.end();
  return { sent: sent + out.toString(), failure: failure?.code, malformed: work.malformed, answer: answer.chat() };
}

it.each<[string, string, object]>([
  [
    "a whole answer",
    `: a comment\n\n${frame({ role: "assistant" })}${frame({ content: "Hello" })}${frame({ content: " you" })}${frame({}, "stop")}${done}`,
    { malformed: 0, failure: undefined },
  ],
  [
    "an answer with a frame in it that says nothing of its format",
    `${frame({ content: "Hello" })}data: {"choices": 7}\n\n${frame({ content: " you" })}${frame({}, "stop")}${done}`,
    { failure: undefined },
  ],
  [
    "an answer with many comments before its end",
    `${frame({ content: "Hello" })}${frame({ content: " you" })}${frame({}, "stop")}${": heartbeat\n\n".repeat(40)}${done}`,
    { malformed: 0, failure: undefined },
  ],
  [
    "an answer that is cut",
    `${frame({ content: "Hello" })}${frame({ content: " you" })}`,
    { failure: "upstream_truncated" },
  ],
])("passes %s on byte for byte, and puts it together", (_, stream, wanted) => {
  const result = carried(stream);
  expect(result.sent).toBe(stream);
  expect(result).toMatchObject(wanted);
  expect(result.answer.choices[0]?.content).toEqual([{ type: "text", text: "Hello you" }]);
});

it.each<[string, Error, string, number]>([
  ["a frame it cannot read", new GatewayError("malformed_frame", "What?"), "Hello you", 1],
  ["a decoder that fails, and asks it nothing any more", new Error("What?"), "Hello", 1],
])("counts %s, so that nobody takes the answer for whole", (_, error, text, count) => {
  const format: Format = {
    ...openAiChat,
    decodeStream() {
      const decoder = openAiChat.decodeStream?.() as StreamDecoder;
      return {
        *push(event) {
          if (event.data.includes("odd")) throw error;
          yield* decoder.push(event);
        },
        end: () => decoder.end(),
      };
    },
  };
  const stream = `${frame({ content: "Hello" })}${frame({ content: "odd" })}${frame({ content: " you" })}${frame({}, "stop")}${done}`;
  const { sent, malformed, answer } = carried(stream, format);
  expect(sent).toBe(stream);
  expect(malformed).toBe(count);
  expect(answer.choices[0]?.content).toEqual([{ type: "text", text }]);
});

it("reads nothing while the stream goes on, unless it is a long one", () => {
  let read = 0;
  const format: Format = {
    ...openAiChat,
    decodeStream: () => ({
      push() {
        read++;
        return [];
      },
      end: () => [],
    }),
  };
  const listener = streamListener(format, assembler());
  const piece = Buffer.from(frame({ content: "x".repeat(1000) }));
  const pieces = Math.floor((256 * 1024) / piece.length);
  for (let at = 0; at < pieces; at++) listener.frames(piece);
  expect(read).toBe(0);
  listener.frames(piece);
  expect(read).toBe(pieces + 1);
  listener.frames(piece);
  expect([listener.malformed, read]).toEqual([0, pieces + 2]);
});

it("takes an answer that its decoder does not believe to be finished for less than whole", () => {
  const format: Format = {
    ...openAiChat,
    decodeStream: () => ({
      push: () => [],
      end() {
        throw new GatewayError("upstream_truncated", "Not finished.");
      },
    }),
  };
  expect(carried(`${frame({}, "stop")}${done}`, format)).toMatchObject({ malformed: 1, failure: undefined });
});
