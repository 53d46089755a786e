import { expect, it } from "vitest";
import { readErrorBody } from "./error-body.ts";

it.each<[unknown, unknown]>([
  [{ error: { message: "no", type: "bad", param: "n", code: 7 } }, { message: "no", type: "bad", param: "n", code: 7 }],
  [{ error: { message: "no", type: null, param: [], code: null } }, { message: "no" }],
  [{ error: { message: ["no", "never"] } }, { message: "no, never" }],
  [
    { error: { message: "no", code: "content_filter", innererror: { code: "ResponsibleAIPolicyViolation" } } },
    { message: "no", code: "content_filter", innererror: { code: "ResponsibleAIPolicyViolation" } },
  ],
  [{ error: { reason: "x" } }, { message: '{"reason":"x"}' }],
  [{ error: "no" }, { message: "no" }],
  [
    { error: "Forbidden", message: "no key", code: "c" },
    { message: "no key", code: "c" },
  ],
  [{ message: "no" }, { message: "no" }],
  [{ msg: "no" }, { message: "no" }],
  [{ detail: "no" }, { message: "no" }],
  [{ detail: { message: "no" } }, { message: "no" }],
  [{ detail: { reason: 1 } }, { message: '{"reason":1}' }],
  [{ detail: [{ loc: ["body", "n"], msg: "too big" }, "and odd"] }, { message: "body.n: too big, and odd" }],
  [
    { object: "error", message: { detail: [{ loc: ["body", "n"], msg: "extra" }] }, type: "invalid" },
    { message: "body.n: extra", type: "invalid" },
  ],
  [{ message: { other: "no" } }, undefined],
  [{ detail: [{ msg: "no" }] }, { message: '[{"msg":"no"}]' }],
  [[{ error: { message: "no" } }], { message: "no" }],
  [[], undefined],
  [{ error: "" }, undefined],
  [{ error: null }, undefined],
  ["no", undefined],
  [null, undefined],
])("reads %j", (wire, detail) => {
  expect(readErrorBody(wire)).toEqual(detail);
});
