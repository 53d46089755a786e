import { describe, expect, it } from "vitest";
import type { GatewayRequest } from "../model/request.ts";
import { refusedIn } from "./refused-in-chat.ts";

const isRefused = refusedIn("openai-chat");

it.each([
  "gpt-5-codex",
  "codex-mini-latest",
  "openai/gpt-5.3-codex-max",
  "team-gpt-5-codex",
  "o1-pro",
  "o3-pro-2025-06-10",
  "gpt-5-pro",
  "openai/gpt-5.2-pro",
  "o3-deep-research",
  "o4-mini-deep-research-2025-06-26",
  "computer-use-preview",
])("%s is there by the Responses API only", (model) => {
  expect(isRefused(model)).toBe(true);
});

it.each([
  "gpt-5",
  "gpt-5.6",
  "gpt-4o",
  "o3",
  "o3-mini",
  "o1-preview",
  "gpt-5-prompt",
  "gemini-2.5-pro",
  "foo3-pro",
  "my-codex-7b",
  "gpt-35-turbo",
])("%s is there by both", (model) => {
  expect(isRefused(model)).toBe(false);
});

const tool = { type: "function", name: "f" };
const asking = (body: object | undefined, format = "anthropic-messages", keys?: string[]) =>
  ({
    format,
    keys: keys && new Set(keys),
    get body() {
      if (!body) throw new Error("not readable");
      return body;
    },
  }) as unknown as GatewayRequest;

describe("documents of clients of other formats", () => {
  const shown = (source: object, type = "document") => ({ messages: [{ role: "user", content: [{ type, source }] }] });
  const data = (mediaType: string) => shown({ kind: "data", data: "YQ==", mediaType });
  it.each<[object, boolean]>([
    [shown({ kind: "url", url: "https://a/b.pdf" }), true],
    [data("application/vnd.openxmlformats-officedocument.wordprocessingml.document"), true],
    [data("application/pdf"), false],
    [data("text/csv"), false],
    [data("application/json"), false],
    [data("video/mp4"), false],
    [shown({ kind: "text", text: "a", mediaType: "text/plain" }), false],
    [shown({ kind: "file", fileId: "f" }), false],
    [shown({ kind: "url", url: "https://a/b.png" }, "image"), false],
    [
      {
        messages: [
          {
            role: "tool",
            content: [
              { type: "tool-result", toolCallId: "c", ...shown({ kind: "url", url: "https://a" }).messages[0] },
            ],
          },
        ],
      },
      true,
    ],
  ])("%j go by the Responses API: %j", (body, expected) => {
    expect(isRefused("gpt-4o", asking(body))).toBe(expected);
    expect(isRefused("gpt-4o", asking(body, "openai-chat"))).toBe(false);
  });
});

describe("functions", () => {
  it.each<[string, object, boolean]>([
    ["gpt-5.6-terra", { tools: [tool] }, true],
    ["gpt-5.6", { tools: [tool], reasoning: { effort: "low" } }, true],
    ["gpt-5.6", { tools: [tool], reasoning: { effort: "none" } }, false],
    ["gpt-5.6", { tools: [{ type: "native" }] }, false],
    ["gpt-5.6", {}, false],
    ["gpt-5.4", { tools: [tool] }, false],
    ["gpt-5.5-mini", { tools: [tool], reasoning: { effort: "xhigh" } }, true],
    ["gpt-5.4", { tools: [tool], reasoning: { effort: "none" } }, false],
    ["gpt-5.2", { tools: [tool], reasoning: { effort: "high" } }, false],
    ["gpt-4.1", { tools: [tool] }, false],
    ["gpt-35-turbo", { tools: [tool] }, false],
    ["gpt-6", { tools: [tool] }, true],
  ])("of %s with %j", (model, body, refused) => {
    expect(isRefused(model, asking(body))).toBe(refused);
  });

  it("are not looked for where a client of the same API has none, or does not reason", () => {
    expect(isRefused("gpt-5.6", asking(undefined, "openai-chat", ["model", "messages"]))).toBe(false);
    expect(isRefused("gpt-5.4", asking(undefined, "openai-chat", ["tools"]))).toBe(false);
  });

  it("that nobody can read are the vendor's to judge", () => {
    expect(isRefused("gpt-5.6", asking(undefined, "openai-chat", ["tools"]))).toBe(false);
  });
});
