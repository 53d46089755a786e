import { expect, it } from "vitest";
import { withTexts } from "./plain-texts.ts";

const text = (said: string, more: object = {}) => ({ type: "text", text: said, ...more });
const image = { type: "image_url", image_url: { url: "https://a/b.png" } };

it("makes one text of several, and of nothing else", () => {
  const messages = [
    { role: "system", content: [text("Be brief."), text("Be kind.")], name: "n" },
    { role: "user", content: [text("See"), image] },
    { role: "assistant", content: null, tool_calls: [{ id: "c" }] },
    { role: "tool", tool_call_id: "c", content: [] },
    { role: "user", content: "Hi" },
    { role: "user", content: [{ type: "text" }] },
    null,
    "x",
  ];
  const dropped: string[] = [];
  expect(withTexts(messages, (name) => dropped.push(name))).toEqual([
    { role: "system", content: "Be brief.\nBe kind.", name: "n" },
    messages[1],
    messages[2],
    { role: "tool", tool_call_id: "c", content: "" },
    ...messages.slice(4),
  ]);
  expect(dropped).toEqual([]);
});

it("reports what is lost of them", () => {
  const dropped: string[] = [];
  const content = [text("Hi", { cache_control: { type: "ephemeral" } }), text("there", { cache_control: null })];
  expect(withTexts([{ role: "user", content }], (name) => dropped.push(name))).toEqual([
    { role: "user", content: "Hi\nthere" },
  ]);
  expect(dropped).toEqual(["messages.cache_control"]);
});
