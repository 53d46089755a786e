import { expect, it } from "vitest";
import { Succession } from "./succession.ts";

it("hands on to the generation that answers, and to none where the last one ends", () => {
  const succession = new Succession<string>();
  succession.serve("old");
  succession.serve("new");
  succession.leave("old");
  expect(succession.serving).toBe("new");
  succession.leave("new");
  expect(succession.serving).toBeUndefined();
});
