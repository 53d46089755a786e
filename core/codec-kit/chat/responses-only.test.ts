import { expect, it } from "vitest";
import { isInResponsesOnly } from "./responses-only.ts";

it.each([
  "gpt-5-codex",
  "codex-mini-latest",
  "openai/gpt-5.3-codex",
  "o1-pro",
  "o3-pro-2025-06-10",
  "gpt-5-pro",
  "openai/gpt-5.2-pro",
  "o4-mini-deep-research",
  "computer-use-preview",
])("%s is there by the Responses API only", (model) => {
  expect(isInResponsesOnly(model)).toBe(true);
});

it.each(["gpt-5", "gpt-4o", "o3", "o3-mini", "o1-preview", "gpt-5-prompt", "gemini-2.5-pro", "foo3-pro", "gpt-5-mini"])(
  "%s is not",
  (model) => {
    expect(isInResponsesOnly(model)).toBe(false);
  },
);
