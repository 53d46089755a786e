import { expect, it } from "vitest";
import { headerText } from "./header-text.ts";

it.each([
  ["plain", "plain", "plain"],
  ["UTF-8", Buffer.from("München 😀").toString("latin1"), "München 😀"],
  ["Latin-1", "M\xfcnchen", "M\xfcnchen"],
])("reads %s", (_, text, read) => expect(headerText(text)).toBe(read));
