import { expect, it } from "vitest";
import { thrownAt } from "./thrown-at.ts";

const product = new URL("../kernel.ts", import.meta.url).pathname;
const thrown = (...frames: readonly string[]) =>
  Object.assign(new Error("no"), { stack: `Error: no\n${frames.map((frame) => `    at ${frame}`).join("\n")}` });

it.each([
  [["setup (/elsewhere/rule.ts:3:9)", `start (${product}:1:2)`], " (/elsewhere/rule.ts:3:9)"],
  [["file:///elsewhere/my%20rule.js:3:9"], " (/elsewhere/my rule.js:3:9)"],
  [[`setUp (${product}:1:2)`, "/elsewhere/rule.ts:3:9"], " (/elsewhere/rule.ts:3:9)"],
  [["parse (/elsewhere/node_modules/zod/x.js:1:1)", "setup (/elsewhere/rule.ts:3:9)"], " (/elsewhere/rule.ts:3:9)"],
  [["setup (/elsewhere/node_modules/@acme/rules/x.js:1:1)"], " (/elsewhere/node_modules/@acme/rules/x.js:1:1)"],
  [["finalizeResolution (node:internal/modules/esm/resolve:283:11)", `load (${product}:1:2)`], ""],
])("finds whose code it was in %j", (frames, place) => {
  expect(thrownAt(thrown(...frames))).toBe(place);
});

it("says nothing of what is no error", () => {
  expect(thrownAt("no")).toBe("");
});
