import { expect, it } from "vitest";
import type { Attempt } from "../../../core/index.ts";
import { CallCircumstances } from "./circumstances.ts";

type Asked = NonNullable<Attempt["asked"]>;
const ofBody = (operation: string | undefined, body: unknown, json: unknown = body) =>
  ({ operation, body, json, bytes: Buffer.from(JSON.stringify(json)) }) as unknown as Asked;
const chat = (...content: object[]) =>
  ofBody("chat", {
    messages: [{ role: "user", content }],
    tools: [{ type: "function", name: "draw", parameters: { properties: { image: { type: "string" } } } }],
  });
const source = { kind: "url", url: "https://a.example/cat.png" };

it.each<[string, Asked | undefined, boolean]>([
  ["an image in a message", chat({ type: "text", text: "What is it?" }, { type: "image", source }), true],
  [
    "an image that a tool found",
    chat({ type: "tool-result", toolCallId: "1", content: [{ type: "image", source }] }),
    true,
  ],
  [
    "no image, only the word",
    chat({ type: "text", text: 'Say "image": {"type": "image"} and data:image/png.' }),
    false,
  ],
  [
    "a block of a vendor's own",
    chat({ type: "opaque", format: "x", value: { inlineData: { mimeType: "image/png" } } }),
    true,
  ],
  ["a call about one", chat({ type: "tool-call", id: "1", name: "draw", arguments: '{"image":"x"}' }), false],
  ["something to embed", ofBody("embed", {}, { input: [{ text: "a", image: { url: "https://a" } }] }), true],
  ["bytes to embed by a name of a vendor's own", ofBody("embed", {}, { inputs: [{ image_base64: "AA" }] }), true],
  ["texts to embed about images", ofBody("embed", {}, { input: ["an image", "image_url"] }), false],
  ["an image to be changed", ofBody("image", {}, { prompt: "a", image: "data:image/png;base64,AA" }), true],
  ["an image to be made", ofBody("image", {}, { prompt: "an image", n: 1, images: [], image: null }), false],
  ["what nobody here has read", undefined, true],
])("of images a request has %s", (_, asked, shown) => {
  expect(new CallCircumstances(asked ? { asked } : {}, false).mayShow("image")).toBe(shown);
});

it("a document may be a video, and no image", () => {
  const asked = chat({ type: "document", source: { kind: "data", mediaType: "video/mp4", data: "image" } });
  const circumstances = new CallCircumstances({ asked }, false);
  expect([circumstances.mayShow("video"), circumstances.mayShow("image")]).toEqual([true, false]);
});
