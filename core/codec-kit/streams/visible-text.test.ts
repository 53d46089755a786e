import { expect, it } from "vitest";
import { VisibleText } from "./visible-text.ts";

it("keeps white space back until a text says something, and for good where it never does", () => {
  const texts = new VisibleText();
  const pieces = [
    [0, "\n"],
    [1, " "],
    [1, "\n"],
    [1, "a"],
    [1, " "],
  ] as const;
  expect(pieces.map(([part, text]) => texts.push(part, text))).toEqual(["", "", "", " \na", " "]);
  expect([texts.push(2, "\n"), texts.release(2)]).toEqual(["", "\n"]);
});
