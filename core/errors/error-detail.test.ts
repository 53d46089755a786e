import { expect, it } from "vitest";
import { type ErrorDetail, unquoted } from "./error-detail.ts";

it.each<[string, ErrorDetail, string, ErrorDetail]>([
  ["a number", { message: "Slow.", retryAfter: 60_000 }, "6000", { message: "Slow.", retryAfter: 60_000 }],
  ["a word of JSON", { message: "It is null.", details: [null] }, "null", { message: "It is ***.", details: [null] }],
  ["a name of its own", { message: "No message" }, "message", { message: "No ***" }],
  [
    "escaped in JSON that is quoted",
    { message: '{"key":"a\\u002Bb\\/cd"}', details: [{ said: { "a+b/cd": 'a+b/cd"' } }] },
    "a+b/cd",
    { message: '{"key":"***"}', details: [{ said: { "***": '***"' } }] },
  ],
])("an error is the same without a secret that is %s", (_what, detail, secret, clean) => {
  expect(unquoted(detail, [secret])).toEqual(clean);
});
