import { describe, expect, it } from "vitest";
import { chat, heard, startGuarded } from "./testing.ts";

const noTea = { contains: { words: ["tea"], operator: "none" } };
const masks = { regexReplace: { rule: "/\\d{4}/g", redactText: "####" } };

describe("guardrails of the input", () => {
  it("pass, fail, and deny, with what their checks said", async () => {
    const { ask, received } = await startGuarded();
    const passed = await ask({ input_guardrails: [{ id: "no-tea", ...noTea }] }, chat("coffee"));
    expect(passed.status).toBe(200);
    expect(passed.json.hook_results?.before_request_hooks).toMatchObject([
      { id: "no-tea", verdict: true, deny: false, type: "guardrail", async: false, transformed: false, feedback: null },
    ]);
    const failed = await ask({ input_guardrails: [noTea] }, chat("tea"));
    expect([failed.status, failed.json.hook_results?.before_request_hooks[0]?.verdict]).toEqual([246, false]);
    expect(failed.text.startsWith('{"id":"chatcmpl-vendor"')).toBe(true);
    const calls = received.length;
    const denied = await ask({ input_guardrails: [{ ...noTea, deny: true }] }, chat("tea"));
    expect([denied.status, received.length]).toEqual([446, calls]);
    expect(denied.json.error).toMatchObject({ type: "hooks_failed", param: null, code: null });
    expect(denied.json.hook_results).toMatchObject({ before_request_hooks: [{ deny: true }], after_request_hooks: [] });
    const soft = await ask({ input_guardrails: [{ ...noTea, deny: true, soft_deny_200: true }] }, chat("tea"));
    expect(soft.status).toBe(200);
    expect(soft.json).toMatchObject({
      choices: [{ finish_reason: "content_filter" }],
      usage: { total_tokens: 0 },
      hook_results: { before_request_hooks: [{ deny: true }] },
    });
  });

  it("redact what the vendor gets, and only there", async () => {
    const { ask, received } = await startGuarded();
    const { status, json } = await ask({ input_guardrails: [masks] }, chat("PIN 1234, or 5678"));
    expect(status).toBe(200);
    expect(JSON.parse(`${received[0]?.body}`).messages[0].content).toBe("PIN ####, or ####");
    expect(json.hook_results?.before_request_hooks[0]?.transformed).toBe(true);
    const measured = await ask({ input_guardrails: [masks, { wordCount: {} }] }, chat("PIN 1234, and 5678"));
    expect(measured.json.hook_results?.before_request_hooks[1]?.checks[0]?.data).toMatchObject({ wordCount: 4 });
    expect(JSON.stringify(measured.json.hook_results)).not.toMatch(/1234|5678/);
  });
});

describe("guardrails of the output", () => {
  it("fail, deny, and redact whole answers", async () => {
    const { ask } = await startGuarded();
    const failed = await ask({ output_guardrails: [noTea] }, chat("tea"));
    expect([failed.status, failed.json.hook_results?.after_request_hooks[0]?.verdict]).toEqual([246, false]);
    const denied = await ask({ output_guardrails: [{ ...noTea, deny: true }] }, chat("tea"));
    expect([denied.status, denied.json.hook_results?.after_request_hooks[0]?.deny]).toEqual([446, true]);
    const masked = await ask({ output_guardrails: [masks] }, chat("PIN 1234"));
    expect(masked.json).toMatchObject({ choices: [{ message: { content: "PIN ####" } }] });
    expect(
      (await ask({ output_guardrails: [{ ...noTea, deny: true }] }, chat("tea", { model: "status-500" }))).status,
    ).toBe(500);
  });

  it("redact streams while they pass, whatever their pieces", async () => {
    const { ask } = await startGuarded();
    const { status, text } = await ask(
      { output_guardrails: [masks] },
      chat("PIN 1234, then 5678 and 99", { stream: true }),
    );
    expect(status).toBe(200);
    expect(heard(text)).toBe("PIN ####, then #### and 99");
    expect(text.endsWith("data: [DONE]\n\n")).toBe(true);
  });

  it("deny streams before anything of what is denied is sent", async () => {
    const { ask } = await startGuarded({ slow: true });
    const config = { output_guardrails: [{ ...noTea, deny: true }] };
    const { status, text } = await ask(config, chat("first coffee, then tea and more", { stream: true }));
    expect(status).toBe(200);
    // What holds the beginning of it is held back whole.
    expect(heard(text)).toBe("first coffee, then");
    expect(text).toContain("hooks_failed");
    expect(text).not.toContain("[DONE]");
    const early = await ask(config, chat("tea", { stream: true }));
    expect([early.status, early.json.hook_results?.after_request_hooks[0]?.deny]).toEqual([446, true]);
  });

  it("put streams together first, where their checks need them whole", async () => {
    const { ask } = await startGuarded();
    const config = { output_guardrails: [{ contains: { words: ["tea"] }, deny: true }] };
    const denied = await ask(config, chat("coffee", { stream: true }));
    expect([denied.status, denied.json.error?.type]).toEqual([446, "hooks_failed"]);
    const passed = await ask(config, chat("tea", { stream: true }));
    expect([passed.status, heard(passed.text)]).toEqual([200, "tea"]);
  });
});
