import { crc32 } from "node:zlib";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Answer, type ChatResponse, type Format, readJson, writeJson } from "../../core/index.ts";
import { arbitraryChatResponse } from "../../test/arbitraries/chat.ts";
import { anthropicMessages } from "../format-anthropic-messages/index.ts";
import { openAiChat } from "../format-openai-chat/index.ts";
import { answerIn, entryOf } from "./entry.ts";
import { question, startCached } from "./testing.ts";

const response: ChatResponse = {
  id: "chatcmpl-1",
  choices: [{ index: 0, content: [{ type: "text", text: "Grüße 🌍\n" }], finishReason: "stop" }],
  usage: { outputTokens: 3 },
};
const answer: Answer<"chat"> = { kind: "answer", status: 200, response };
const key = `answer:${"0123456789abcdef".repeat(4)}`;
const entry = () => entryOf(key, "chat", answer);

const formats = new Map<string, Format>([[openAiChat.name, openAiChat]]);

/** An entry as somebody would make it who knows how. */
const forged = (value: unknown) => {
  const { response: body, ...kind } = (value ?? {}) as { response?: unknown };
  const text = JSON.stringify(kind);
  const bytes = Buffer.from(JSON.stringify(body) ?? "");
  const sum = crc32(bytes, (crc32(text) ^ 0x89abcdef) >>> 0)
    .toString(16)
    .padStart(8, "0");
  return Buffer.concat([Buffer.from(`sluice-answer 3 ${sum} ${text}\n`), bytes]);
};

describe("an entry", () => {
  it("gives back the answer", () => {
    expect(answerIn(key, "chat", entry(), formats)).toEqual(answer);
  });

  it("gives back every canonical answer, with what only one format knows", () => {
    fc.assert(
      fc.property(arbitraryChatResponse, (given) => {
        const kept = entryOf("k", "chat", { kind: "answer", status: 200, response: given });
        expect(answerIn("k", "chat", kept, formats)).toMatchObject({ response: JSON.parse(JSON.stringify(given)) });
      }),
    );
  });

  it("gives back the vendor's own bytes, and what they say", () => {
    const message = { role: "assistant", content: "Hi" };
    const bytes = Buffer.from(
      JSON.stringify({ id: "1", own: true, choices: [{ index: 0, message, finish_reason: "stop" }] }),
    );
    const wire = { format: "openai-chat", bytes };
    const kept = entryOf("k", "chat", { kind: "answer", status: 200, wire });
    expect(answerIn("k", "chat", kept, formats)).toMatchObject({
      wire,
      response: { id: "1", choices: [{ content: [{ type: "text", text: "Hi" }] }] },
    });
    expect(answerIn("k", "chat", kept, new Map())).toBeUndefined();
    for (const spoilt of ["{", "[]", '{"choices":1}'])
      expect(
        answerIn(
          "k",
          "chat",
          entryOf("k", "chat", { kind: "answer", status: 200, wire: { ...wire, bytes: Buffer.from(spoilt) } }),
          formats,
        ),
      ).toBeUndefined();
  });

  it("gives back numbers that no double holds as they were written", () => {
    const input = '{"id":1234567890123456789}';
    const bytes = Buffer.from(
      `{"id":"1","content":[{"type":"tool_use","id":"t","name":"f","input":${input}}],"usage":{}}`,
    );
    const known = new Map<string, Format>([[anthropicMessages.name, anthropicMessages]]);
    const kept = entryOf("k", "chat", { kind: "answer", status: 200, wire: { format: anthropicMessages.name, bytes } });
    expect(answerIn("k", "chat", kept, known)).toMatchObject({
      response: { choices: [{ content: [{ type: "tool-call", arguments: input }] }] },
    });
    const value = readJson(input);
    const part = { type: "opaque", format: "own", value } as const;
    const made = entryOf("k", "chat", {
      kind: "answer",
      status: 200,
      response: { choices: [{ index: 0, content: [part], finishReason: "stop" }] },
    });
    expect(writeJson(answerIn("k", "chat", made, known))).toContain(input);
  });

  it("is worth nothing under another key or for another operation", () => {
    expect(answerIn(`${key.slice(0, -1)}0`, "chat", entry(), formats)).toBeUndefined();
    expect(answerIn(key, "complete", entry(), formats)).toBeUndefined();
  });

  it("is worth nothing when a byte of it is another, or missing", () => {
    const whole = entry();
    for (let at = 0; at < whole.length; at++) {
      const changed = Buffer.from(whole);
      changed[at] = (changed[at] ?? 0) ^ 1;
      expect(answerIn(key, "chat", changed, formats)).toBeUndefined();
      expect(answerIn(key, "chat", whole.subarray(0, at), formats)).toBeUndefined();
    }
    expect(answerIn(key, "chat", Buffer.concat([whole, Buffer.from(" ")]), formats)).toBeUndefined();
  });

  it("may be anything without harm", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
        expect(answerIn("k", "chat", Buffer.from(bytes), formats)).toBeUndefined();
      }),
    );
  });

  const choice = response.choices[0];
  it.each<[unknown]>([
    [null],
    [[]],
    [{ status: 200, operation: "chat" }],
    [{ status: 500, operation: "chat", response }],
    [{ status: 446, operation: "chat", response }],
    [{ status: 246, operation: "chat", response }],
    [{ status: "200", operation: "chat", response }],
    [{ status: 200, operation: "chat", response: { choices: [null] } }],
    [{ status: 200, operation: "chat", response: { choices: [{ ...choice, content: "text" }] } }],
    [{ status: 200, operation: "chat", response: { choices: [{ ...choice, content: [{ type: "text" }] }] } }],
    [{ status: 200, operation: "chat", response: { choices: [{ ...choice, content: [{ type: "toString" }] }] } }],
    [{ status: 200, operation: "chat", response: { choices: [{ ...choice, finishReason: undefined }] } }],
    [{ status: 200, operation: "chat", response: { choices: [], usage: "much" } }],
  ])("is worth nothing when it holds %j", (value) => {
    expect(answerIn(key, "chat", forged(value), formats)).toBeUndefined();
  });

  it.each(["bytes", "another version", "another key"] as const)(
    "that was spoilt (%s) is deleted, and the vendor is asked",
    async (how) => {
      const spoilt: Buffer[] = [];
      const deleted: string[] = [];
      Object.assign(globalThis, { spoilt, deleted });
      const { ask, calls } = await startCached({
        taps: `const store = service(Cache);
      const get = store.get.bind(store), remove = store.delete.bind(store);
      store.get = (entry) => globalThis.spoilt.pop() ?? get(entry);
      store.delete = (entry) => { globalThis.deleted.push(entry.key); remove(entry); };`,
      });
      await ask();
      expect((await ask()).cache).toBe("HIT");
      const kinds = {
        bytes: Buffer.from([0, 159, 146, 150]),
        "another version": Buffer.from(entry().toString().replace("sluice-answer 3", "sluice-answer 2")),
        "another key": entry(),
      };
      spoilt.push(kinds[how]);
      const after = await ask(question);
      expect(after).toMatchObject({ status: 200, cache: "MISS", text: expect.stringContaining("Answer 2.") });
      expect(deleted).toEqual([expect.stringMatching(/^answer:[\da-f]{64}$/)]);
      expect((await ask()).cache).toBe("HIT");
      expect(calls()).toBe(2);
    },
  );
});
