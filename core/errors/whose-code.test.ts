import { expect, it } from "vitest";
import { errorMessage } from "./error-message.ts";
import { noteCode, whoseCode } from "./whose-code.ts";

const thrown = (...frames: readonly string[]) =>
  Object.assign(new Error("no"), { stack: `Error: no\n${frames.map((frame) => `    at ${frame}`).join("\n")}` });

noteCode("/elsewhere/rule.ts", { plugin: "rule" });
noteCode("/elsewhere/vendor/index.ts", { provider: "vendor" });
noteCode("/app/node_modules/@acme/rules/dist/main.js", { plugin: "acme" });
noteCode("/app/index.ts", { plugin: "root" });
noteCode("/app/node_modules/sluice/plugins/own/index.ts", { plugin: "own" }, "/app/node_modules/sluice/");
noteCode("/app/node_modules/sluice/providers/flat.ts", { provider: "flat" }, "/app/node_modules/sluice/");

it.each([
  [["tap (/elsewhere/rule.ts:3:9)", "listOnTimeout (node:internal/timers:581:17)"], { plugin: "rule" }],
  [["file:///elsewhere/rule.ts:3:9"], { plugin: "rule" }],
  [["sign (/elsewhere/vendor/signing.ts:3:9)"], { provider: "vendor" }],
  [["parse (/app/node_modules/zod/x.js:1:1)", "x (/app/node_modules/@acme/rules/dist/x.js:1:1)"], { plugin: "acme" }],
  [["one (/elsewhere/vendor/index.ts:1:1)", "two (/elsewhere/rule.ts:3:9)"], { provider: "vendor" }],
  [["tap (/app/node_modules/sluice/plugins/own/rule.ts:3:9)"], { plugin: "own" }],
  [["sign (/app/node_modules/sluice/providers/flat.ts:3:9)"], { provider: "flat" }],
  [["end (/app/node_modules/sluice/core/cli/stop-signals.ts:10:47)"], undefined],
  [["tap (/app/rules/of-it.ts:3:9)"], { plugin: "root" }],
  [["beside (/elsewhere/other.ts:3:9)", "afterConnect (node:net:1611:16)"], undefined],
])("finds whose code %j is", (frames, whose) => {
  expect(whoseCode(thrown(...frames))).toEqual(whose);
});

it("knows nothing of what is no error", () => {
  expect(whoseCode("no")).toBeUndefined();
});

it("has words for what was thrown without any", () => {
  expect(errorMessage(Object.create(null))).toBe("something without words was thrown");
});
