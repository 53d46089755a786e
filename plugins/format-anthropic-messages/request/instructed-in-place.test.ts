import { describe, expect, it } from "vitest";
import type { Message } from "../../../core/index.ts";
import { anthropicCount, anthropicMessages } from "../index.ts";

const text = (value: string) => [{ type: "text" as const, text: value }];
const system = (value: string): Message => ({ role: "system", content: text(value) });
const developer = (value: string): Message => ({ role: "developer", content: text(value) });
const user = (value: string): Message => ({ role: "user", content: text(value) });
const answer = (value: string): Message => ({ role: "assistant", content: text(value) });
const called: Message = { role: "assistant", content: [{ type: "tool-call", id: "c1", name: "f", arguments: "{}" }] };
const result: Message = {
  role: "tool",
  content: [{ type: "tool-result", toolCallId: "c1", content: text("found") }],
};

interface Sent {
  readonly system?: readonly { readonly text: string }[];
  readonly messages: readonly {
    readonly role: string;
    readonly content: string | readonly { readonly type: string; readonly text?: string }[];
  }[];
}

function said(messages: readonly Message[], model = "claude-opus-5-5", instructsWithin = true) {
  const request = { model, messages, stream: false, tools: [{ type: "function" as const, name: "f" }] };
  const wire = anthropicMessages.encodeRequest(request, () => {}, { instructsWithin }) as unknown as Sent;
  const words = wire.messages.map(({ role, content }) =>
    [role, ...(typeof content === "string" ? [content] : content.map((one) => one.text ?? one.type))].join(" "),
  );
  return { front: wire.system?.map((one) => one.text) ?? [], words };
}

const begun = [system("Be brief."), developer("Be kind."), user("Hi"), answer("Yes?")];

describe("instructions of clients of other formats, between messages", () => {
  it.each<[string, readonly Message[], readonly string[]]>([
    ["before a question", [developer("Shout."), user("Why?")], ["user Why?", "system Shout."]],
    ["behind a question", [user("Why?"), developer("Shout.")], ["user Why?", "system Shout."]],
    [
      "around a question, as one message",
      [system("Shout."), user("Why?"), developer("Twice.")],
      ["user Why?", "system Shout. Twice."],
    ],
    [
      "before an answer that was given",
      [user("Why?"), developer("Shout."), answer("WHY NOT"), user("Oh.")],
      ["user Why?", "system Shout.", "assistant WHY NOT", "user Oh."],
    ],
    [
      "between a call, its result and a word beside it",
      [user("Look."), called, developer("Shout."), result, developer("Twice."), user("Well?")],
      ["user Look.", "assistant tool_use", "user tool_result Well?", "system Shout. Twice."],
    ],
    ["where the user said nothing: the user says them", [developer("Go on.")], ["user Go on."]],
  ])("stay %s", (_, more, words) => {
    expect(said([...begun, ...more])).toEqual({
      front: ["Be brief.", "Be kind."],
      words: ["user Hi", "assistant Yes?", ...words],
    });
  });

  it("change nothing before them from turn to turn", () => {
    const turns = [
      developer("Shout."),
      user("Why?"),
      answer("NO"),
      user("Oh."),
      system("Whisper."),
      answer("so"),
      user("Ah."),
    ];
    const sent = turns.flatMap((next, at) =>
      next.role === "user" ? [said([...begun, ...turns.slice(0, at + 1)])] : [],
    );
    for (const [at, { front, words }] of sent.slice(1).entries()) {
      expect(front).toEqual(sent[at]?.front);
      expect(words.slice(0, sent[at]?.words.length)).toEqual(sent[at]?.words);
    }
  });

  it.each([
    ["claude-opus-4-7", true],
    ["claude-sonnet-5", true],
    ["claude-opus-5-5", false],
    ["glm-5", true],
  ])("stand in front where the model or the host does not take them: %s, %s", (model, takes) => {
    expect(said([...begun, developer("Shout."), user("Why?")], model, takes)).toEqual({
      front: ["Be brief.", "Be kind.", "Shout."],
      words: ["user Hi", "assistant Yes?", "user Why?"],
    });
  });

  it("are counted where they are sent", () => {
    const request = {
      model: "claude-opus-5-5",
      messages: [...begun, developer("Shout."), user("Why?")],
      stream: false,
    };
    const wire = anthropicCount.encodeRequest(request, () => {}, { instructsWithin: true });
    expect(wire).toMatchObject({ messages: [{}, {}, { role: "user" }, { role: "system" }] });
  });
});
