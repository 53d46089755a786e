import { expect, it } from "vitest";
import { ShownResults } from "./shown-results.ts";

const text = (said: string) => ({ type: "text", text: said });
const ofTexts = { content: [{ type: "text", text: "" }] } as const;
const ofMore = { content: [{ type: "image", source: { kind: "url", url: "https://example.com" } }] } as const;
const image = (url: string) => ({ type: "image_url", image_url: { url } });

it("has a result without words say where to look, and nothing be empty that was not", () => {
  const shown = new ShownResults();
  expect(shown.add(ofMore, [], [image("a")])).toEqual([text("Shown below.")]);
  expect(shown.take()).toEqual([image("a")]);
  expect(shown.add(ofMore, [text(" ")], [])).toEqual([text("Left out: it cannot be shown here.")]);
  expect(shown.add(ofMore, [text("so.")], [])).toEqual([text("so.")]);
  expect(shown.add(ofTexts, [text("")], [])).toEqual([text("")]);
  expect(shown.take()).toEqual([]);
});

it("tells by their numbers what each of several results gave, in their order", () => {
  const shown = new ShownResults();
  shown.add(ofMore, [], [image("a"), image("b")]);
  shown.add(ofTexts, [text("so.")], []);
  shown.add(ofMore, [text("so.")], [image("c")]);
  expect(shown.take()).toEqual([text("Result 1:"), image("a"), image("b"), text("Result 3:"), image("c")]);
  expect(shown.add(ofMore, [], [image("d")])).toEqual([text("Shown below.")]);
  expect(shown.take()).toEqual([image("d")]);
});
