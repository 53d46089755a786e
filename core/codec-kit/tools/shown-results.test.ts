import { expect, it } from "vitest";
import { ShownResults } from "./shown-results.ts";

const text = (said: string) => ({ type: "text", text: said });
const image = (url: string) => ({ type: "image_url", image_url: { url } });

it("has a result without words say where to look, and nothing be empty that was not", () => {
  const shown = new ShownResults();
  expect(shown.add([], [image("a")], true)).toEqual([text("Shown below.")]);
  expect(shown.take()).toEqual([image("a")]);
  expect(shown.add([text(" ")], [], true)).toEqual([text("Left out: it cannot be shown here.")]);
  expect(shown.add([text("so.")], [], true)).toEqual([text("so.")]);
  expect(shown.add([text("")], [], false)).toEqual([text("")]);
  expect(shown.take()).toEqual([]);
});

it("tells by their numbers what each of several results gave, in their order", () => {
  const shown = new ShownResults();
  shown.add([], [image("a"), image("b")], true);
  shown.add([text("so.")], [], false);
  shown.add([text("so.")], [image("c")], true);
  expect(shown.take()).toEqual([text("Result 1:"), image("a"), image("b"), text("Result 3:"), image("c")]);
  expect(shown.add([], [image("d")], true)).toEqual([text("Shown below.")]);
  expect(shown.take()).toEqual([image("d")]);
});
