import { expect, it } from "vitest";
import { askingFor } from "./asking-for.ts";

it.each([
  ['{"a":1}', '{"model":"m","a":1}'],
  ["{ }", '{"model":"m" }'],
  ['{"model":"b","x":[],"model" : "c"}', '{"model":"b","x":[],"model" : "m"}'],
  ['{"mod\\u0065l":null}', '{"mod\\u0065l":"m"}'],
  ['{"model":"m"}', '{"model":"m"}'],
  ["[]", "[]"],
])("%s asks for the model as %s", (asked, written) => expect(`${askingFor(Buffer.from(asked), "m")}`).toBe(written));

it.each(['{"model":{no}}', '{"model":"\\x"}'])("%s is no JSON", (asked) =>
  expect(() => askingFor(Buffer.from(asked), "m")).toThrow(/^The body is not valid JSON/),
);
