import { describe, expect, it } from "vitest";
import { deepFreeze } from "../../test/arbitraries/chat.ts";
import { deepgram } from "./deepgram.ts";
import { googleSpeech } from "./google.ts";
import { mistralSpeech } from "./mistral-speech.ts";
import { mistralTranscriptions } from "./mistral-transcriptions.ts";

const bytes = Buffer.from([1, 2]);
const file = { filename: "a.mp3", contentType: "audio/mpeg", bytes };

describe("deepgram-transcriptions", () => {
  it("sends the sound itself, with what it understands in the address, and says what it cannot be told", () => {
    const dropped: string[] = [];
    const extra = { format: "openai-transcriptions", fields: { "include[]": "logprobs" } };
    const request = { model: "nova-3", file, language: "de", prompt: "p", temperature: 0.5, extra };
    const wire = deepgram.encodeRequest(request, (name) => dropped.push(name));
    expect(dropped).toEqual(["prompt", "temperature", "include[]"]);
    const query = "model=nova-3&language=de&smart_format=true";
    expect(deepgram.writeBody?.(wire)).toEqual({ bytes, contentType: "audio/mpeg", query });
    expect(deepgram.writeBody?.({ file: { filename: "a", bytes } }).contentType).toBe("application/octet-stream");
    expect(() => deepgram.decodeRequest({})).toThrow("Clients do not speak");
  });

  it("has the language found out where none is named, and asks for what has segments", () => {
    const dropped: string[] = [];
    const ask = (more: object) =>
      deepgram.writeBody?.(deepgram.encodeRequest({ model: "m", file, ...more }, (name) => dropped.push(name))).query;
    const query = "model=m&detect_language=true&smart_format=true";
    expect(ask({})).toBe(query);
    expect(ask({ responseFormat: "verbose_json" })).toBe(`${query}&utterances=true`);
    expect(ask({ responseFormat: "verbose_json", granularities: ["word"] })).toBe(query);
    expect(ask({ responseFormat: "verbose_json", granularities: ["segment"] })).toBe(`${query}&utterances=true`);
    expect(ask({ responseFormat: "diarized_json" })).toBe(`${query}&utterances=true&diarize=true`);
    expect(dropped).toEqual([]);
    const fields = { chunking_strategy: "auto", "known_speaker_names[]": "Ada" };
    ask({ responseFormat: "diarized_json", extra: { format: "openai-transcriptions", fields } });
    expect(dropped).toEqual(["known_speaker_names[]"]);
  });

  it("wants the sound itself", () => {
    const ask = () => deepgram.encodeRequest({ model: "m" }, () => {});
    expect(ask).toThrow(expect.objectContaining({ code: "invalid_request", details: { param: "file" } }));
  });

  const words = [{ word: "hi", punctuated_word: "Hi.", start: 0.1, end: 0.5, confidence: 1 }];
  const utterances = [{ transcript: "Hi.", start: 0.1, end: 0.5, channel: 0 }];
  const alternatives = [{ transcript: "Hi.", confidence: 1, words }];
  const answer = {
    metadata: { duration: 1.5 },
    results: { channels: [{ detected_language: "en", alternatives }], utterances },
  };
  it("reads the best transcript, its words and its length", () => {
    expect(deepgram.decodeResponse(deepFreeze(answer))).toMatchObject({
      text: "Hi.",
      language: "en",
      duration: 1.5,
      words: [{ word: "Hi.", start: 0.1, end: 0.5 }],
      segments: [{ text: "Hi.", start: 0.1, end: 0.5 }],
      usage: { audioSeconds: 1.5 },
    });
    expect(deepgram.readUsage(answer)).toEqual({ audioSeconds: 1.5 });
    expect(deepgram.readUsage({})).toBeUndefined();
  });

  it("reads who says what, each turn a segment of its own", () => {
    const said = (word: string, start: number, speaker: number) => ({ word, start, end: start + 1, speaker });
    const spoken = [
      { transcript: "Hi. Yes?", start: 0, end: 2, speaker: 0, words: [said("hi", 0, 0), said("yes", 1, 0)] },
      { transcript: "So it is.", start: 2, end: 5, words: [said("So", 2, 0), said("it", 3, 1), said("is.", 4, 1)] },
      { transcript: "Hm.", start: 5, end: 6, speaker: 27 },
    ];
    const results = { channels: [{ alternatives }], utterances: spoken };
    expect(deepgram.decodeResponse(deepFreeze({ results })).segments).toEqual([
      { text: "Hi. Yes?", start: 0, end: 2, speaker: "A" },
      { text: "So", start: 2, end: 3, speaker: "A" },
      { text: "it is.", start: 3, end: 5, speaker: "B" },
      { text: "Hm.", start: 5, end: 6, speaker: "AB" },
    ]);
  });

  it.each([null, {}, { results: { channels: [] } }, { results: { channels: [{ alternatives: [{}] }] } }])(
    "refuses the answer %j",
    (wire) => {
      expect(() => deepgram.decodeResponse(wire)).toThrow(expect.objectContaining({ code: "upstream_invalid" }));
    },
  );

  it("reads its errors", () => {
    const wire = { err_code: "INVALID_AUTH", err_msg: "Invalid credentials.", request_id: "x" };
    expect(deepgram.decodeError(wire)).toEqual({ message: "Invalid credentials.", code: "INVALID_AUTH" });
    expect(deepgram.decodeError({ message: "no" })).toEqual({ message: "no" });
  });
});

describe("google-speech", () => {
  const asked = { model: "gemini-2.5-flash-tts", input: "Hello", voice: "Kore" };

  it("asks for what it understands, and says what it cannot be told", () => {
    const dropped: string[] = [];
    const extra = { format: "openai-speech", fields: { language_code: "de-DE", odd: 1 } };
    const request = deepFreeze({ ...asked, responseFormat: "opus", speed: 2, instructions: "slowly", extra });
    const wire = googleSpeech.encodeRequest(request, (name) => dropped.push(name));
    expect(dropped).toEqual(["odd"]);
    expect(JSON.parse(`${googleSpeech.writeBody?.(wire).bytes}`)).toEqual({
      input: { text: "Hello", prompt: "slowly" },
      voice: { languageCode: "de-DE", name: "Kore", modelName: "gemini-2.5-flash-tts" },
      audioConfig: { audioEncoding: "OGG_OPUS", speakingRate: 2 },
    });
    expect(googleSpeech.encodeRequest(asked, () => {})).toMatchObject({
      voice: { languageCode: "en-US" },
      audioConfig: { audioEncoding: "MP3" },
    });
  });

  it("refuses kinds of sound and voices it does not have", () => {
    const ask = (change: object) => () => googleSpeech.encodeRequest({ ...asked, ...change }, () => {});
    expect(ask({ responseFormat: "flac" })).toThrow("response_format");
    expect(ask({ responseFormat: "constructor" })).toThrow("response_format");
    expect(ask({ voice: { id: "x" } })).toThrow("voice");
  });

  it("reads the sound of its answer", () => {
    expect(googleSpeech.decodeResponse({ audioContent: "AQI=" })).toEqual({ audio: "AQI=" });
    for (const wire of [null, {}, { audioContent: 7 }])
      expect(() => googleSpeech.decodeResponse(wire)).toThrow(expect.objectContaining({ code: "upstream_invalid" }));
  });
});

describe("mistral-transcriptions", () => {
  const asked = { model: "voxtral-mini-latest", file };

  it("asks for what it understands, and says what it cannot be told", () => {
    const dropped: string[] = [];
    const fields = { url: "https://a/b", context_bias: ["a", "b"], chunking_strategy: "{}", "include[]": "logprobs" };
    const more = { prompt: "p", temperature: 0, responseFormat: "verbose_json", granularities: ["word"] };
    const request = { ...asked, ...more, extra: { format: "openai-transcriptions", fields } };
    expect(mistralTranscriptions.encodeRequest(request, (name) => dropped.push(name))).toEqual({
      ...asked,
      file_url: "https://a/b",
      temperature: 0,
      timestamp_granularities: "segment",
      context_bias: ["a", "b"],
    });
    expect(dropped).toEqual(["prompt", "timestamp_granularities[]", "chunking_strategy", "include[]"]);
  });

  const said = (text: string, start: number | null, speaker_id?: string) => ({ text, start, end: 9, speaker_id });
  it("reads speakers in the order they speak, seconds, and no times where some are missing", () => {
    const usage = { prompt_audio_seconds: 9, prompt_tokens: 4, completion_tokens: 6 };
    const segments = [said("a", 1, "x9"), said("b", 2, "x3"), said("c", 3, "x9")];
    const response = mistralTranscriptions.decodeResponse(
      deepFreeze({ text: "a b c", language: null, segments, usage }),
    );
    expect(response).toMatchObject({ text: "a b c", duration: 9 });
    expect(response.segments?.map(({ speaker }) => speaker)).toEqual(["A", "B", "A"]);
    expect(response.usage).toEqual({ inputTokens: 4, outputTokens: 6, audioSeconds: 9 });
    const untold = { text: "a", segments: [said("a", null)], usage: {} };
    expect(mistralTranscriptions.decodeResponse(untold)).toEqual({ text: "a" });
    for (const wire of [null, {}, { text: 7 }])
      expect(() => mistralTranscriptions.decodeResponse(wire)).toThrow("holds no transcript");
  });
});

describe("mistral-speech", () => {
  const asked = { model: "voxtral-mini-tts-2603", input: "Hello", voice: "gb_jane_neutral" };

  it("asks for what it understands, and says what it cannot be told", () => {
    const dropped: string[] = [];
    const request = { ...asked, voice: { id: "v" }, speed: 2, instructions: "slowly" };
    const extra = { format: "openai-speech", fields: { metadata: { a: "b" }, odd: 1 } };
    expect(mistralSpeech.encodeRequest(deepFreeze({ ...request, extra }), (name) => dropped.push(name))).toEqual({
      model: asked.model,
      input: "Hello",
      voice_id: "v",
      response_format: "mp3",
      metadata: { a: "b" },
    });
    expect(dropped).toEqual(["speed", "instructions", "odd"]);
    const ask = (change: object) => () => mistralSpeech.encodeRequest({ ...asked, ...change }, () => {});
    expect(ask({ responseFormat: "aac" })).toThrow("response_format");
    expect(ask({ voice: {} })).toThrow("voice");
    for (const wire of [null, {}, { audio_data: 7 }])
      expect(() => mistralSpeech.decodeResponse(wire)).toThrow("holds no sound");
  });
});
