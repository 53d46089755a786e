import { describe, expect, it } from "vitest";
import { assembler, type StreamChunk } from "../../../core/index.ts";
import { gemini } from "../../format-gemini/index.ts";
import { openAiChat } from "../index.ts";

const { decodeResponse, encodeResponse, decodeStream, encodeStream } = openAiChat;
const context = { provider: "openrouter", model: "m", strict: true, now: 1, id: "0f1e2d", includeUsage: false };

/** As OpenRouter answers for a model that draws. */
const images = [{ type: "image_url", image_url: { url: "data:image/png;base64,iVBORw0KGgo=" }, index: 0 }];
const message = { role: "assistant", content: "A cat.", images };
const answer = (more: object = {}) => ({
  id: "gen-1",
  object: "chat.completion",
  model: "m",
  choices: [{ index: 0, message, finish_reason: "stop", ...more }],
});
const frame = (delta: object, more: object = {}) => ({
  data: JSON.stringify({ id: "gen-1", choices: [{ index: 0, delta, finish_reason: null, ...more }] }),
});
const events = [
  frame({ role: "assistant", content: "A cat." }),
  frame({ content: "", images }),
  frame({}, { finish_reason: "stop" }),
];

function chunksOf(frames: readonly { data: string }[]): StreamChunk[] {
  const decoder = decodeStream?.();
  return [...frames.flatMap((event) => [...(decoder?.push(event) ?? [])]), ...(decoder?.end() ?? [])];
}

describe("images that a model drew", () => {
  it("are images of the answer, whole and streamed", () => {
    const whole = decodeResponse(answer());
    expect(whole.choices[0]?.content).toMatchObject([
      { type: "text", text: "A cat." },
      { type: "image", source: { kind: "data", mediaType: "image/png", data: "iVBORw0KGgo=" } },
    ]);
    const pieces = assembler();
    for (const chunk of chunksOf(events)) pieces.add(chunk);
    expect(pieces.chat().choices[0]?.content).toEqual(whole.choices[0]?.content);
  });

  it("stand where they stood when they are written again", () => {
    expect(encodeResponse(decodeResponse(answer()), context)).toMatchObject({ choices: [{ message: { images } }] });
    const encoder = encodeStream?.(context);
    const text = chunksOf(events)
      .map((chunk) => encoder?.push(chunk))
      .join("");
    expect(text).toContain(`"delta":{"images":${JSON.stringify(images)}}`);
    expect(text).not.toContain("content_blocks");
  });

  it("reach clients of other formats", () => {
    expect(JSON.stringify(gemini.encodeResponse(decodeResponse(answer()), context))).toContain('"iVBORw0KGgo="');
  });

  it("stay what they are where they are none", () => {
    const odd = [{ type: "image_url", image_url: 7 }];
    const { choices } = decodeResponse(answer({ message: { ...message, images: odd } }));
    expect(choices[0]).toMatchObject({ content: [{ type: "text" }], extra: { fields: { images: odd } } });
  });
});

describe("a model that failed while it answered", () => {
  const failed = { finish_reason: "error", error: { code: 502, message: "Provider disconnected" } };

  it("has not answered", () => {
    expect(() => decodeResponse(answer(failed))).toThrow(
      expect.objectContaining({ code: "upstream_invalid", message: "The answer failed: Provider disconnected" }),
    );
    expect(decodeResponse(answer({ error: null })).choices).toHaveLength(1);
  });

  it("ends its stream with an error, also where that passes through", () => {
    const frames = [frame({ content: "A c" }), frame({ content: "" }, failed)];
    expect(chunksOf(frames).at(-1)).toEqual({ type: "error", error: { message: "Provider disconnected", code: 502 } });
    expect(openAiChat.readStreamEnd?.(frames)).toMatchObject({ failed: true });
  });
});

describe("sounds that a model makes", () => {
  const pieces = ["AAECAw==", "BAU="]; // bytes 0 to 3, and 4 and 5
  const part = (data: string) => ({ type: "audio", source: { kind: "data", data, mediaType: "audio/pcm" } }) as const;
  const finish = { type: "finish", choice: 0, reason: "stop" } as const;

  it("are the sound of the message, for strict clients too", () => {
    const content = pieces.map(part);
    const response = { choices: [{ index: 0, content, finishReason: "stop" }] } as const;
    const audio = { id: "audio-0f1e2d", data: "AAECAwQF", expires_at: 1, transcript: "" };
    expect(encodeResponse(response, context)).toMatchObject({
      choices: [{ message: { role: "assistant", content: null, audio } }],
    });
    expect(encodeResponse(response, { ...context, strict: false })).toMatchObject({
      choices: [{ message: { audio, content_blocks: [{ type: "input_audio" }, { type: "input_audio" }] } }],
    });
  });

  it("end with what is left of them", () => {
    const writer = encodeStream?.(context);
    const chunks: StreamChunk[] = [
      { type: "start" },
      { type: "part", choice: 0, part: 0, value: part("AAECAw==") },
      finish,
    ];
    const text = chunks.map((chunk) => writer?.push(chunk)).join("") + writer?.end();
    expect([...text.matchAll(/"data":"([^"]*)"/g)].map(([, data]) => data)).toEqual(["AAEC", "Aw=="]);
  });

  it.each([true, false])("come piece by piece in a stream (strict: %s)", (strict) => {
    const writer = encodeStream?.({ ...context, strict });
    const chunks: StreamChunk[] = [
      { type: "start" },
      ...pieces.map((data, at) => ({ type: "part", choice: 0, part: at, value: part(data) }) as const),
      finish,
    ];
    const text = chunks.map((chunk) => writer?.push(chunk)).join("");
    const deltas = [...text.matchAll(/"audio":(\{[^}]*\})/g)].map(([, audio = ""]) => JSON.parse(audio));
    // Clients put the pieces together as texts: none but the last ends with padding.
    expect(deltas).toEqual(["AAEC", "AwQF"].map((data) => ({ id: "audio-0f1e2d", data })));
    expect(text.includes("content_blocks")).toBe(!strict);
  });
});
