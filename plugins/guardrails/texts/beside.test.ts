import { expect, it } from "vitest";
import type { StreamChunk } from "../../../core/index.ts";
import { mapChunk } from "./beside.ts";

const extra = { format: "f", fields: { tier: "a", usage: { tokens: [1, { kind: "b" }] } }, more: { tier: "a", at: 1 } };
const cited = [{ type: "page", url: "https://a.example", title: "A page.", at: [1, 2] }];
const delta = { type: "text-delta", choice: 0, part: 0, text: "a" } as const;

it.each<StreamChunk>([
  delta,
  { ...delta, extra },
  { ...delta, citations: cited },
  { type: "part", choice: 0, part: 0, value: { type: "opaque", format: "f", value: { type: "b", output: ["c"] } } },
  { type: "finish", choice: 0, reason: "stop", extra },
])("a chunk in which nothing is changed is not made anew: %j", (chunk) => {
  expect(mapChunk(chunk, (text) => text)).toBe(chunk);
});
