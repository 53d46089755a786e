import { expect, it } from "vitest";
import { recordedAddress } from "./recorded-address.ts";

it.each([
  ["https://user:secret@hooks.example/in?key=1#f", "https://hooks.example/in"],
  ["https://hooks.slack.com/services/T012/B034/abcdefgh", "https://hooks.slack.com/services/T0*******gh"],
  ["https://hooks.example/key one/of/key%20one", "https://hooks.example/***/of/***"],
  ["no address", ""],
])("of %s records have %s", (url, shown) => {
  expect(recordedAddress(url, ["key one"])).toBe(shown);
});
