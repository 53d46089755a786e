import { describe, expect, it } from "vitest";
import type { AssistantPart, ContentPart, Format, InstructionPart, Message } from "../../core/index.ts";
import { anthropicMessages } from "../../plugins/format-anthropic-messages/index.ts";
import { bedrockConverse } from "../../plugins/format-bedrock-converse/index.ts";
import { gemini } from "../../plugins/format-gemini/index.ts";
import { chatFormats } from "./pairs.ts";

const text = (value: string) => ({ type: "text" as const, text: value });
const user = (...content: ContentPart[]): Message => ({ role: "user", content });
const said = (...content: AssistantPart[]): Message => ({ role: "assistant", content });
const call = said({ type: "tool-call", id: "t", name: "f", arguments: "{}" });
const results: Message = { role: "tool", content: [{ type: "tool-result", toolCallId: "t", content: [text("r")] }] };
const turns = { "anthropic-messages": "messages", "bedrock-converse": "messages", gemini: "contents" } as const;

describe.each([anthropicMessages, bedrockConverse, gemini])("a request for $name", (format) => {
  const sent = (...messages: Message[]) => {
    const wire = format.encodeRequest({ model: "m", messages, stream: false }, () => {});
    return wire[turns[format.name as keyof typeof turns]] as { role: string }[];
  };

  it.each<[string, Message[]]>([
    ["nothing", [user()]],
    ["nothing, after the model", [user(text("a")), said(text("b")), user(text(""))]],
    ["nothing twice, after the model", [user(text("a")), said(text("b")), user(), user(text(""))]],
    [
      "a block of another format only",
      [user(text("a")), said(text("b")), user({ type: "opaque", format: "x", value: {} })],
    ],
  ])("is refused by name where the last turn says %s: the model was not asked to go on with its own", (_, messages) => {
    const param = `messages[${messages.length - 1}].content`;
    expect(() => sent(...messages)).toThrow(expect.objectContaining({ code: "invalid_request", details: { param } }));
  });

  it("leaves out what says nothing behind what is to be answered", () => {
    expect(sent(user(text("a")), user(text("")))).toHaveLength(1);
    expect(sent(user(text("a")), call, results, user(text("")))).toHaveLength(3);
    expect(sent(user(text("a")), user(text("")), said(text("b")))).toHaveLength(2);
  });
});

describe("what only another format has among instructions", () => {
  const change = { type: "opaque", format: "x", value: { type: "tool_change" } } as const;
  const instructions = (...content: InstructionPart[]): Message => ({ role: "system", content });
  const shown: Message = {
    role: "tool",
    content: [
      {
        type: "tool-result",
        toolCallId: "t",
        content: [{ type: "image", source: { kind: "data", data: "AAAA", mediaType: "image/png" } }],
      },
    ],
  };
  const asked = (format: Format<"chat">, ...messages: Message[]) => {
    const dropped: string[] = [];
    const wire = format.encodeRequest({ model: "m", messages, stream: false }, (name) => dropped.push(name));
    return { wire, dropped };
  };

  it.each(chatFormats)("is lost under its name in $name, and the rest stays", (format) => {
    const kept = asked(format, user(text("a")), said(text("b")), instructions(text("c")), user(text("d")));
    const { wire, dropped } = asked(
      format,
      user(text("a")),
      said(text("b")),
      instructions(change, text("c"), change),
      user(text("d")),
    );
    expect(wire).toEqual(kept.wire);
    expect(dropped).toContain("messages.tool_change");
  });

  it.each(chatFormats)("leaves no message in $name, and parts nothing that belongs together", (format) => {
    const without = asked(format, user(text("a")), call, shown, user(text("b")));
    const empty: Message = { role: "system", content: [], extra: { format: "x", fields: { effort: "low" } } };
    for (const more of [instructions(change, change), empty])
      expect(asked(format, user(text("a")), call, shown, more, user(text("b"))).wire).toEqual(without.wire);
  });
});
