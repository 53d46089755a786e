import { describe, expect, it } from "vitest";
import type { EncodeContext } from "../../core/index.ts";
import { deepFreeze } from "../../test/arbitraries/chat.ts";
import plugin, { audioFormats } from "./index.ts";

const [speech, transcriptions, translations] = audioFormats;
const context = (asked: Record<string, unknown> = {}): EncodeContext => ({
  provider: "acme",
  model: "m",
  strict: true,
  now: 5,
  id: "i",
  includeUsage: false,
  asked,
});
const file = { filename: "a.mp3", contentType: "audio/mpeg", bytes: Buffer.from("x") };

describe("openai-speech", () => {
  const asked = {
    model: "tts-1",
    input: "Hello",
    voice: "alloy",
    response_format: "wav",
    speed: 0.25,
    instructions: "slowly",
    stream_format: "sse",
    odd: 1,
  };
  it("gives a request back as it came", () => {
    const request = speech.decodeRequest(deepFreeze(asked));
    expect(speech.encodeRequest(deepFreeze(request), (name) => expect.fail(name))).toEqual(asked);
    expect(speech.decodeRequest({ ...asked, voice: { id: "v" } }).voice).toEqual({ id: "v" });
    const ofMistral = { model: "voxtral", input: "Hello", voice_id: "v", stream: true };
    expect(speech.encodeRequest(speech.decodeRequest(ofMistral), (name) => expect.fail(name))).toEqual(ofMistral);
  });

  it.each<[object, string]>([
    [{ model: undefined }, "model"],
    [{ input: "" }, "input"],
    [{ input: "a".repeat(4097) }, "input"],
    [{ voice: undefined }, "voice"],
    [{ voice: 7 }, "voice"],
    [{ speed: 0.2 }, "speed"],
    [{ speed: 4.1 }, "speed"],
    [{ stream_format: "ndjson" }, "stream_format"],
  ])("refuses %j", (change, param) => {
    expect(() => speech.decodeRequest({ ...asked, ...change })).toThrow(
      expect.objectContaining({ code: "invalid_request", details: { param } }),
    );
  });

  it("reads and writes sound", () => {
    const sound = Buffer.from([0, 255]);
    const response = speech.readBytes?.(sound, "audio/mpeg");
    expect(response).toEqual({ audio: "AP8=", mediaType: "audio/mpeg" });
    expect(response && speech.writeBytes?.(response, context())).toEqual({ bytes: sound, contentType: "audio/mpeg" });
    const silent = { audio: "AP8=" };
    expect(speech.writeBytes?.(silent, context())?.contentType).toBe("audio/mpeg");
    expect(speech.writeBytes?.(silent, context({ response_format: "opus" }))?.contentType).toBe("audio/ogg");
    const spoken = { audio_data: "AP8=", usage: { prompt_tokens: 3, completion_tokens: 8 } };
    expect(speech.decodeResponse(spoken)).toEqual({ audio: "AP8=", usage: { inputTokens: 3, outputAudioTokens: 8 } });
    expect(() => speech.decodeResponse({})).toThrow(expect.objectContaining({ code: "upstream_invalid" }));
  });

  it("asks only vendors of its format for events", () => {
    expect(() => speech.refuseElsewhere?.(speech.decodeRequest(asked))).toThrow("stream_format");
    const done = { data: JSON.stringify({ type: "speech.audio.done", usage: { input_tokens: 2, output_tokens: 9 } }) };
    expect(speech.readStreamEnd?.([done])).toMatchObject({
      finished: true,
      usage: { inputTokens: 2, outputAudioTokens: 9 },
    });
    // together-ai 0.52, `AudioSpeechStreamChunk`: pieces, and then the terminator.
    const piece = { data: JSON.stringify({ type: "conversation.item.audio_output.delta", b64: "AAAA" }) };
    expect(speech.readStreamEnd?.([piece, { data: "[DONE]" }])).toMatchObject({ finished: true, terminated: true });
    expect(speech.readStreamEnd?.([piece])).toMatchObject({ finished: false });
  });
});

describe.each([transcriptions, translations])("$name", (format) => {
  const asked = {
    file,
    model: "whisper-1",
    language: "de",
    prompt: "p",
    response_format: "verbose_json",
    temperature: "0.5",
    "timestamp_granularities[]": ["word", "segment"],
    "include[]": "logprobs",
  };
  it("gives a form back as it came", () => {
    const request = format.decodeRequest(asked);
    expect(request).toMatchObject({ temperature: 0.5, granularities: ["word", "segment"] });
    expect(format.encodeRequest(request, (name) => expect.fail(name))).toEqual({ ...asked, temperature: 0.5 });
  });

  // Groq's `url`, Mistral's others.
  it.each(["url", "file_url", "file_id"])("takes %s instead of a file", (name) => {
    const wire = { model: "m", [name]: "x" };
    expect(format.encodeRequest(format.decodeRequest(wire), (dropped) => expect.fail(dropped))).toEqual(wire);
  });

  it.each<[object, string]>([
    [{ file: undefined }, "file"],
    [{ file: undefined, url: "" }, "file"],
    [{ file: undefined, file_id: file }, "file"],
    [{ file: "text" }, "file"],
    [{ model: "" }, "model"],
    [{ temperature: "2" }, "temperature"],
    [{ temperature: "" }, "temperature"],
    [{ temperature: "x" }, "temperature"],
    [{ "timestamp_granularities[]": "line" }, "timestamp_granularities[]"],
  ])("refuses %j", (change, param) => {
    expect(() => format.decodeRequest({ ...asked, ...change })).toThrow(
      expect.objectContaining({ code: "invalid_request", details: { param } }),
    );
  });

  it("asks only vendors of its format for streams and subtitles", () => {
    const ask = (change: object) => () => format.refuseElsewhere?.(format.decodeRequest({ ...asked, ...change }));
    expect(ask({ stream: "true" })).toThrow("stream");
    expect(ask({ response_format: "srt" })).toThrow("response_format");
    expect(ask({})).not.toThrow();
  });

  const verbose = { text: "Hi", language: "de", duration: 1.5, words: [{ word: "Hi", start: 0, end: 1 }] };
  it("writes a transcription of another vendor as it was asked for", () => {
    const written = (response_format?: string) => format.encodeResponse(verbose, context({ response_format }));
    expect(written()).toEqual({ text: "Hi" });
    expect(written("verbose_json")).toEqual(verbose);
    expect(format.writeBytes?.(verbose, context({ response_format: "text" }))?.bytes.toString()).toBe("Hi\n");
    expect(format.writeBytes?.(verbose, context({}))).toBeUndefined();
  });

  it("writes who says what, where that was asked for", () => {
    const segments = [
      { text: "Hi.", start: 0, end: 1, speaker: "A" },
      { text: "Yes?", start: 1, end: 2, speaker: "B" },
    ];
    const spoken = { text: "Hi. Yes?", duration: 2.5, words: [], segments };
    expect(format.encodeResponse(spoken, context({ response_format: "diarized_json" }))).toEqual({
      task: "transcribe",
      text: "Hi. Yes?",
      duration: 2.5,
      segments: segments.map((one, at) => ({ type: "transcript.text.segment", id: `seg_${at}`, ...one })),
    });
    expect(format.encodeResponse(spoken, context({ response_format: "verbose_json" }))).toMatchObject({
      segments: [
        { id: 0, text: "Hi.", start: 0, end: 1 },
        { id: 1, text: "Yes?", start: 1, end: 2 },
      ],
    });
  });

  it("gives its own answer back, and counts seconds and tokens", () => {
    const wire = { ...verbose, segments: [{ id: 0 }], usage: { type: "duration", seconds: 2 } };
    const response = format.decodeResponse(deepFreeze(wire));
    expect(response.usage).toEqual({ audioSeconds: 2 });
    expect(format.encodeResponse(response, context(asked))).toEqual(wire);
    const details = { text_tokens: 1, audio_tokens: 4 };
    const tokens = { text: "", usage: { input_tokens: 5, input_token_details: details, output_tokens: 6 } };
    expect(format.readUsage(tokens)).toEqual({ inputTokens: 1, inputAudioTokens: 4, outputTokens: 6 });
    const ofMistral = { usage: { prompt_audio_seconds: 2, prompt_tokens: 4, completion_tokens: 9 } };
    expect(format.readUsage(ofMistral)).toEqual({ inputTokens: 4, outputTokens: 9, audioSeconds: 2 });
    const done = { data: JSON.stringify({ type: "transcription.done", ...ofMistral }) };
    expect(format.readStreamEnd?.([done])).toMatchObject({ finished: true, usage: { audioSeconds: 2 } });
    expect(format.readUsage(null)).toBeUndefined();
    expect(() => format.decodeResponse({})).toThrow(expect.objectContaining({ code: "upstream_invalid" }));
    expect(format.readBytes?.(Buffer.from("1\nHi"), "text/plain")).toEqual({ text: "1\nHi" });
  });
});

it("brings the formats and the endpoints that speak them", async () => {
  const formats: unknown[] = [];
  const endpoints: unknown[] = [];
  const add = { format: (one: unknown) => formats.push(one), endpoint: (one: unknown) => endpoints.push(one) };
  await plugin.setup(add as unknown as Parameters<typeof plugin.setup>[0], {});
  expect(formats).toEqual([...audioFormats]);
  expect(endpoints).toMatchObject([
    { type: "createSpeech", path: "/v1/audio/speech", operation: "speech" },
    { type: "createTranscription", path: "/v1/audio/transcriptions", operation: "transcribe" },
    { type: "createTranslation", path: "/v1/audio/translations", operation: "translate" },
  ]);
});
