import { expect, it } from "vitest";
import type { Message } from "../../../core/index.ts";
import { encodeInput } from "./encode-input.ts";

it("a result is of the kind of the last call of its id, where a vendor gave the same one twice", () => {
  const turn = (name: string, more: object = {}): Message[] => [
    { role: "assistant", content: [{ type: "tool-call", id: "call_0", name, arguments: '{"input":"a"}', ...more }] },
    { role: "tool", content: [{ type: "tool-result", toolCallId: "call_0", content: [{ type: "text", text: "1" }] }] },
  ];
  const items = encodeInput(
    [...turn("patch", { custom: true }), ...turn("look"), ...turn("patch", { custom: true })],
    expect.fail,
    true,
  );
  const kind = (type: string) => [`${type}_call`, `${type}_call_output`];
  expect(items.map(({ type }) => type)).toEqual([...kind("custom_tool"), ...kind("function"), ...kind("custom_tool")]);
});
