import { expect, it } from "vitest";
import { addressOf } from "./told.ts";

it.each([
  ["https://user:secret@hooks.example/in?key=1#f", "https://hooks.example/in"],
  ["https://hooks.slack.com/services/T012/B034/abcdefgh", "https://hooks.slack.com/services/T0*******gh"],
  ["no address", ""],
])("of %s records have %s", (url, shown) => {
  expect(addressOf(url)).toBe(shown);
});
