import { expect, it } from "vitest";
import { requestOfBody } from "../../../core/index.ts";
import type { HookEntry } from "./results.ts";
import { withoutRemoved } from "./unquoted.ts";

const request = (text: string) =>
  requestOfBody("chat", { model: "m", stream: false, messages: [{ role: "user", content: [{ type: "text", text }] }] });

const said = (data: unknown, url = "https://check.example/"): HookEntry => {
  const at = { execution_time: 1, created_at: "2026-01-01T00:00:00.000Z" };
  const call = { url, method: "POST", status: 200, duration: 1 };
  const log = { calls: [call] } as unknown as NonNullable<HookEntry["checks"][number]["log"]>;
  const check = { id: "a.b", data, verdict: true, transformed: false, log, fail_on_error: false, ...at };
  const of = { id: "g", verdict: true, transformed: true, feedback: null, async: false, deny: false, ...at };
  return { ...of, type: "guardrail", checks: [check] };
};
const told = (before: string, after: string, ...entry: Parameters<typeof said>) => {
  const [hook] = withoutRemoved(request(before), request(after))([said(...entry)]);
  return hook?.checks[0];
};

const text = "I am Al, mail ann@example.com. Or 5551234";
const left = "I am [NAME], mail {{EMAIL_ADDRESS_1}}. Or 5551234";

it.each<[string, unknown, unknown]>([
  ["the beginning of the text", { textExcerpt: text }, { textExcerpt: "" }],
  ["a beginning that was cut off", { textExcerpt: "I am Al, mail..." }, { textExcerpt: "" }],
  ["a part of it", { matchDetails: { matchedText: "Al", index: 5 } }, { matchDetails: { matchedText: "", index: 5 } }],
  [
    "a list of parts",
    [{ entities: [{ text: "ann@example.com", category: "Email" }] }],
    [{ entities: [{ text: "", category: "Email" }] }],
  ],
  ["a sentence around it", { reason: "Found ann@example.com in it." }, { reason: "" }],
  ["a name", { scores: { "ann@example.com": 1, other: 0 } }, { scores: { other: 0 } }],
  [
    "nothing of what stands there still",
    { phone: "5551234", phones: [5551234] },
    { phone: "5551234", phones: [5551234] },
  ],
  ["nothing of what never stood there", { results: [{ title: "Rivers" }] }, { results: [{ title: "Rivers" }] }],
  ["nothing of a check's own words", { regexPattern: "ann@example.com" }, { regexPattern: "ann@example.com" }],
])("results of a redacted request do not quote what was taken out: %s", (_, data, shown) => {
  expect(told(text, left, data)?.data).toEqual(shown);
});

it("nor do the addresses of calls", () => {
  expect(told(text, left, null, "https://h.example/ann@example.com")?.log?.calls[0]?.url).toBe("");
  expect(told(text, left, null)?.log?.calls[0]?.url).toBe("https://check.example/");
});

it("quotes as ever where something was only added", () => {
  expect(told(text, `Be brief. ${text}`, { textExcerpt: text })?.data).toEqual({ textExcerpt: text });
});

it("takes no longer for a text with many signs in a row", () => {
  const signs = `${"!".repeat(200_000)}x`;
  const data = { textExcerpt: "mail ann@example.com", n: 1 };
  expect(told(`mail ann@example.com ${signs}`, `mail * ${signs}`, data)?.data).toEqual({ textExcerpt: "", n: 1 });
});

it("tells nothing of a text that is another one", () => {
  const words = Array.from({ length: 2_000 }, (_, at) => `word${at}`).join(" ");
  expect(told(words, "none", { textExcerpt: "x", n: 1 })?.data).toEqual({ textExcerpt: "", n: 1 });
});
