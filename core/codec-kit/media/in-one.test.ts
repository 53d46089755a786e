import { expect, it } from "vitest";
import { inOne } from "./in-one.ts";

const image = { base64: "AAAA" };

it.each<[readonly unknown[], object | undefined]>([
  [[], {}],
  [[{ image }, { text: "a" }, { text: "b" }], { image, text: "a\nb" }],
  [[{ text: "a", image }], { text: "a", image }],
  [[{ image }, { image }], undefined],
  [[{ inlineData: {} }], undefined],
  [["a"], undefined],
])("puts %j together as %j", (parts, item) => {
  expect(inOne(parts)).toEqual(item);
});
