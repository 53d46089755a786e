import { describe, expect, it } from "vitest";
import type { SocketMoment, Usage } from "../../../core/index.ts";
import { Conversation } from "./conversation.ts";
import { storable } from "./storable.ts";
import { transcriptionUsageOf, usageOf } from "./usage.ts";
import { Watcher } from "./watcher.ts";

describe("usage", () => {
  it.each<[string, unknown, Usage | undefined]>([
    ["nothing", null, undefined],
    ["an empty one", {}, undefined],
    ["totals alone", { input_tokens: 5, output_tokens: 3, total_tokens: 8 }, { inputTokens: 5, outputTokens: 3 }],
    [
      "text and sound",
      {
        input_tokens: 127,
        output_tokens: 148,
        input_token_details: { cached_tokens: 0, text_tokens: 119, audio_tokens: 8 },
        output_token_details: { text_tokens: 36, audio_tokens: 112 },
      },
      { inputTokens: 119, cacheReadTokens: 0, inputAudioTokens: 8, outputTokens: 36, outputAudioTokens: 112 },
    ],
    [
      "what was in the cache, by kind: each token counts once",
      {
        input_tokens: 1000,
        output_tokens: 10,
        input_token_details: {
          text_tokens: 600,
          audio_tokens: 300,
          image_tokens: 100,
          cached_tokens: 700,
          cached_tokens_details: { text_tokens: 470, audio_tokens: 200, image_tokens: 30 },
        },
        output_token_details: { text_tokens: 10, audio_tokens: 0 },
      },
      {
        inputTokens: 200,
        inputImageTokens: 70,
        inputAudioTokens: 100,
        cacheReadTokens: 700,
        cacheReadAudioTokens: 200,
        cacheReadImageTokens: 30,
        outputTokens: 10,
        outputAudioTokens: 0,
      },
    ],
    [
      "a cache that is told by kind alone",
      {
        input_tokens: 50,
        input_token_details: { audio_tokens: 0, cached_tokens_details: { text_tokens: 20, audio_tokens: 5 } },
      },
      { inputTokens: 25, cacheReadTokens: 25, cacheReadAudioTokens: 5, inputAudioTokens: 0 },
    ],
    [
      "counts that do not add up: none is less than nothing",
      { input_tokens: 127, input_token_details: { cached_tokens: 384, audio_tokens: 8 } },
      { inputTokens: 0, cacheReadTokens: 384, inputAudioTokens: 8 },
    ],
  ])("is read from %s", (_, wire, usage) => expect(usageOf(wire)).toEqual(usage));

  it.each<[unknown, Usage | undefined]>([
    [undefined, undefined],
    [{ type: "tokens" }, undefined],
    [
      { input_tokens: 30, input_token_details: { audio_tokens: 22, text_tokens: 8 }, output_tokens: 9 },
      { inputTokens: 8, inputAudioTokens: 22, outputTokens: 9 },
    ],
    [
      { input_tokens: 30, output_tokens: 9 },
      { inputTokens: 30, outputTokens: 9 },
    ],
    [{ type: "duration", seconds: 4.5 }, { audioSeconds: 4.5 }],
  ])("of a transcription is read from %j", (wire, usage) => expect(transcriptionUsageOf(wire)).toEqual(usage));
});

describe("a conversation", () => {
  const item = (id: string, previous_item_id?: string | null, more: object = {}) => ({
    item: { id, ...more },
    ...(previous_item_id !== undefined && { previous_item_id }),
  });
  const order = (conversation: Conversation, ...without: string[]) =>
    conversation.inOrder(new Set(without)).map(({ id }) => id);

  it("is told from its first item on, whatever the order its items came in", () => {
    const conversation = new Conversation();
    for (const one of [item("c", "b"), item("a", null), item("b", "a")]) conversation.keep(one);
    expect(order(conversation)).toEqual(["a", "b", "c"]);
    expect(order(conversation, "b")).toEqual(["a", "c"]);
  });

  it("keeps its order where an item is told anew, put in between, or deleted", () => {
    const conversation = new Conversation();
    for (const one of [item("a"), item("b", "a"), item("d", "b"), item("c", "b")]) conversation.keep(one);
    conversation.keep(item("a", undefined, { status: "completed" }));
    expect(order(conversation)).toEqual(["a", "b", "d", "c"]);
    conversation.remove({ item_id: "b" });
    conversation.remove({ item_id: "nobody" });
    expect(order(conversation)).toEqual(["a", "d", "c"]);
    expect(conversation.inOrder(new Set())[0]).toEqual({ id: "a", status: "completed" });
  });

  it("ends where items are each other's", () => {
    const conversation = new Conversation();
    for (const one of [item("a", "b"), item("b", "a"), item("c", "c"), item("d", null)]) conversation.keep(one);
    expect(order(conversation)).toEqual(["d"]);
  });

  it("is what was said, and not the sound of it", () => {
    const conversation = new Conversation();
    conversation.keep(item("a", null, { content: [{ type: "input_audio", audio: "AAAA", transcript: null }] }));
    conversation.transcribe({ item_id: "a", content_index: 0, transcript: "Hello" });
    conversation.transcribe({ item_id: "nobody", content_index: 0, transcript: "Hello" });
    expect(conversation.inOrder(new Set())).toEqual([
      { id: "a", content: [{ type: "input_audio", transcript: "Hello" }] },
    ]);
  });

  it("forgets its oldest items where they come to too much, and keeps the last however long it is", () => {
    const conversation = new Conversation();
    const kept = () => order(conversation).length;
    const image = (id: string, millions: number) =>
      conversation.keep({
        item: { id, content: [{ type: "input_image", image_url: "x".repeat(millions * 1_000_000) }] },
      });
    for (const id of ["a", "b", "c", "b"]) image(id, 3);
    expect(kept()).toBe(2);
    conversation.remove({ item_id: "b" });
    image("d", 3);
    expect(kept()).toBe(2);
    image("e", 9);
    expect(kept()).toBe(1);
  });

  it("forgets its oldest items", () => {
    const conversation = new Conversation();
    for (let n = 0; n < 1_005; n++) conversation.keep(item(`${n}`, n === 0 ? null : `${n - 1}`));
    expect(order(conversation)).toHaveLength(1_000);
    expect(order(conversation)[0]).toBe("5");
  });
});

it("keeps no sound and no secret", () =>
  expect(
    storable({
      client_secret: { value: "ek_0123456789abcdef", expires_at: 1 },
      audio: { input: { format: "pcm16" } },
      tools: [{ type: "mcp", authorization: "Bearer 0123456789", headers: { any: "0123456789abc" } }],
      content: [{ type: "audio", audio: "AAAA", transcript: "Hi" }],
    }),
  ).toEqual({
    client_secret: { value: "ek********def", expires_at: 1 },
    audio: { input: { format: "pcm16" } },
    tools: [{ type: "mcp", authorization: "Be********789", headers: { any: "01********abc" } }],
    content: [{ type: "audio", transcript: "Hi" }],
  }));

describe("a watcher", () => {
  function watching() {
    const moments: SocketMoment[] = [];
    let now = 0;
    const watcher = new Watcher({
      elapsed: () => now++,
      async record(moment) {
        moments.push(moment);
      },
    });
    const saw = (...events: (object | string)[]) =>
      events.map((event) => watcher.saw(Buffer.from(typeof event === "string" ? event : JSON.stringify(event))));
    return { moments, watcher, saw };
  }

  it("reads the kind of an event wherever it stands", () => {
    const { moments, saw } = watching();
    const session = { id: "s", type: "realtime" };
    saw(
      { type: "session.created", session },
      { event_id: "e", type: "session.created", session },
      { session, type: "session.created" },
      '  { "event_id" : "e" ,\n "type" : "session.created", "session": {"id":"s","type":"realtime"} }',
      { event_id: "e", session: { type: "session.created" }, type: "session.updated" },
    );
    expect(moments.map(({ event }) => event)).toEqual([
      ...Array.from({ length: 4 }, () => "session.created"),
      "session.updated",
    ]);
    expect(moments[0]?.response).toEqual(session);
  });

  it("takes no notice of what it does not know or cannot read", () => {
    const { moments, saw, watcher } = watching();
    const seen = saw("", "nonsense", "[]", "null", '"response.done"', '{"type":7}', '{"type":"response.done", broken', {
      type: "response.output_audio.delta",
      delta: "AAAA",
    });
    seen.push(...saw({ type: "constructor" }, { type: "toString" }));
    expect(seen.every((one) => one === undefined)).toBe(true);
    expect([moments, watcher.isAnswering]).toEqual([[], false]);
  });

  it("survives what is too deep to be read", () => {
    const { moments, saw } = watching();
    const deep = "[".repeat(1_000_000) + "]".repeat(1_000_000);
    saw(`{"type":"session.created","session":${deep}}`, `{"type":"response.done","response":{"output":${deep}}}`);
    expect(moments).toEqual([]);
  });

  it("knows which answers are under way", () => {
    const { saw, watcher, moments } = watching();
    saw({ type: "response.created", response: { id: "r1" } }, { type: "response.created", response: { id: "r2" } });
    saw({ type: "response.done", response: { id: "r1" } });
    expect(watcher.isAnswering).toBe(true);
    saw({ type: "response.done", response: { id: "r2", status: "failed" } });
    expect(watcher.isAnswering).toBe(false);
    expect(moments.map(({ startedAt, status }) => [startedAt, status])).toEqual([
      [0, 200],
      [1, 500],
    ]);
  });

  it.each([
    ["session.created", { audio: { input: { transcription: { model: "writer" } } } }, "writer"],
    ["transcription_session.updated", { input_audio_transcription: { model: "writer" } }, "writer"],
    ["session.updated", { audio: { input: { transcription: null } } }, undefined],
  ])("says of a transcription whose it was, by %s", (type, session, model) => {
    const { moments, saw } = watching();
    const event = "conversation.item.input_audio_transcription.completed";
    saw({ type, session });
    const [used, without] = saw(
      { type: event, item_id: "i", transcript: "Hi", usage: { type: "duration", seconds: 2 } },
      { type: event, item_id: "i", transcript: "Hi" },
    );
    expect([used, without]).toEqual([expect.any(Promise), undefined]);
    const usage = { audioSeconds: 2, ...(model === undefined && { otherModels: true }) };
    expect(moments.slice(1)).toEqual([{ event, status: 200, model, response: expect.anything(), usage }]);
  });

  it.each([
    ["completed", { uncounted: true }],
    ["incomplete", { uncounted: true }],
    ["failed", undefined],
  ])("does not take what a %s answer leaves unsaid for nothing, where it is there", (status, usage) => {
    const { moments, saw } = watching();
    saw({ type: "response.done", response: { id: "r", status, usage: null } });
    expect(moments[0]?.usage).toEqual(usage);
  });

  it("says when something was used", () => {
    const { saw } = watching();
    const [without, used] = saw(
      { type: "response.done", response: { id: "r" } },
      { type: "response.done", response: { id: "r", usage: { input_tokens: 1 } } },
    );
    expect([without, used]).toEqual([undefined, expect.any(Promise)]);
  });
});
