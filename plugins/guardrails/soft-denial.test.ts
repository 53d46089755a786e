import { describe, expect, it } from "vitest";
import { startGuarded } from "./testing.ts";

const soft = { contains: { words: ["tea"], operator: "none" }, deny: true, soft_deny_200: true };
const cohere = { model: "m", messages: [{ role: "user", content: "tea" }] };
const gemini = { contents: [{ role: "user", parts: [{ text: "tea" }] }] };
const usual = { cohere: '"finish_reason":"COMPLETE"', gemini: '"finishReason":"STOP"' };

describe("a denial that looks like an answer has ended as answers do", () => {
  it.each<[string, object, string]>([
    ["/v2/chat", cohere, usual.cohere],
    ["/v2/chat", { ...cohere, stream: true }, usual.cohere],
    ["/v1beta/models/m:generateContent", gemini, usual.gemini],
    ["/v1beta/models/m:streamGenerateContent?alt=sse", gemini, usual.gemini],
    ["/v1beta/models/m:streamGenerateContent", gemini, usual.gemini],
  ])("%s, %j", async (path, body, end) => {
    const { ask } = await startGuarded({ plugins: "  format-cohere-chat: {}" });
    for (const side of ["input", "output"]) {
      const { status, text } = await ask({ [`${side}_guardrails`]: [soft] }, body, path);
      expect(status).toBe(200);
      expect(text.match(/"finish_?[rR]eason":"[A-Z]+"/g)).toEqual([end]);
    }
  });
});
