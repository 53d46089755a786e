import { describe, expect, it, onTestFinished } from "vitest";
import { chat, heard, jsonEvents, key, type Results, startGuarded } from "./testing.ts";

const noTea = { contains: { words: ["tea"], operator: "none" } };
const lenient = { "x-gateway-strict-open-ai-compliance": "false" };
const resultsIn = (stream: string) =>
  jsonEvents(stream).flatMap((event) => (event as { hook_results?: Partial<Results> }).hook_results ?? []);

describe("a denial in the middle of a stream", () => {
  const config = { output_guardrails: [{ ...noTea, deny: true }] };
  const words = "first some coffee, then tea and more";
  const results = 'data: {"hook_results":{"after_request_hooks":';
  const named = `event: hook_results\n${results}`;
  it.each<[string, string, object, string, string, string | undefined]>([
    ["chat completions", "/v1/chat/completions", chat(words), 'data: {"error":{', "[DONE]", results],
    ["completions", "/v1/completions", { model: "m", prompt: words }, 'data: {"error":{', "[DONE]", results],
    ["messages", "/v1/messages", { ...chat(words), max_tokens: 9 }, "event: error\n", "message_stop", named],
    ["responses", "/v1/responses", { model: "m", input: words }, "event: error\n", "response.completed", named],
    [
      "Gemini",
      "/v1beta/models/m:streamGenerateContent?alt=sse",
      { contents: [{ role: "user", parts: [{ text: words }] }] },
      '"error":{',
      '"finishReason"',
      undefined,
    ],
  ])("ends it in the client's format: %s", async (_, path, body, error, end, event) => {
    const { ask, ended } = await startGuarded({ slow: true });
    const record = ended();
    // One that has no Responses API of its own, and one that has completions.
    const provider = path === "/v1/responses" ? "@deepseek" : "@openai";
    const asked = { ...body, stream: true };
    const { status, text: all } = await ask({ ...config, provider }, asked, path, lenient);
    expect(status).toBe(200);
    // Behind the error, and for those who are not strict, what the checks said.
    const [text = "", last] = all.split(event ?? "\0");
    expect(last === undefined).toBe(event === undefined);
    if (last !== undefined) expect(last).toMatch(/^\[\{"verdict":false,.*"deny":true.*\n\n$/);
    expect((await ask({ ...config, provider }, asked, path)).text).not.toContain('hook_results":');
    expect(text).toContain('"fir"');
    expect(text).toContain(error);
    expect(text).toContain("A guardrail denied");
    expect(text).not.toContain(end);
    expect(text.replaceAll("guardrail", "")).not.toMatch(/tea|\bmore\b/);
    expect((await record)?.after_request_hooks).toMatchObject([{ deny: true, verdict: false }]);
  });

  it.each([false, true])(
    "is final, though the stream could be begun anew elsewhere (behind one that died: %s)",
    async (dies) => {
      const { ask, received, ended } = await startGuarded({
        slow: true,
        plugins: "  stream-resume: {}",
        ...(dies && { breaks: 1 }),
      });
      const targets = ["@openai", "@deepseek", "@openai"].map((provider) => ({ provider }));
      const route = { provider: undefined, strategy: { mode: "fallback" }, stream_resume: "restart", targets };
      const headers = { ...lenient, "x-gateway-resume": "restart" };
      const record = ended();
      const { text } = await ask({ ...config, ...route }, chat(words, { stream: true }), undefined, headers);
      expect(received.length).toBe(dies ? 2 : 1);
      expect(text.match(/gateway_restart/g)?.length ?? 0).toBe(dies ? 1 : 0);
      expect(text.match(/"error":\{/g)).toHaveLength(1);
      expect(text.slice(text.lastIndexOf('"error":{'))).toContain(results);
      expect(text).not.toContain("[DONE]");
      expect((await record)?.after_request_hooks).toMatchObject([{ deny: true, verdict: false }]);
    },
  );

  it("has results around a stream that could be begun anew, and was not denied", async () => {
    const { ask } = await startGuarded({ plugins: "  stream-resume: {}" });
    const guards = { input_guardrails: [noTea], output_guardrails: [{ ...noTea, deny: true }] };
    const headers = { ...lenient, "x-gateway-resume": "restart" };
    const { text } = await ask(
      { ...guards, stream_resume: "restart" },
      chat("milk", { stream: true }),
      undefined,
      headers,
    );
    expect(text).toMatch(
      /^data: \{"hook_results":\{"before_request_hooks".*\[DONE\]\n\ndata: \{"hook_results":\{"after_request_hooks"/s,
    );
  });

  it("looks like an answer where it is soft and nothing was sent, and only for who denied", async () => {
    const { ask } = await startGuarded();
    const soft = { deny: true, soft_deny_200: true };
    const other = { contains: { words: ["gin"], operator: "none" } };
    const said = (...output_guardrails: object[]) => ask({ output_guardrails }, chat("tea", { stream: true }));
    const answer = await said({ ...noTea, ...soft });
    expect([answer.status, heard(answer.text)]).toEqual([200, expect.stringContaining("denied")]);
    expect((await said({ ...noTea, deny: true }, { ...other, ...soft })).status).toBe(446);
  });
});

describe("the delay of a stream", () => {
  it.each<[string, object, string]>([
    ["in passing", { ...noTea, deny: true }, "tea"],
    ["put together first", { contains: { words: ["coffee"] }, deny: true }, "tea"],
    ["only reported on", { contains: { words: ["coffee"] } }, ""],
  ])("is in the results: %s", async (_, guardrail) => {
    const { ask } = await startGuarded();
    const { text } = await ask(
      { output_guardrails: [guardrail] },
      chat("coffee", { stream: true }),
      undefined,
      lenient,
    );
    const [results] = resultsIn(text);
    const entry = results?.after_request_hooks?.[0];
    const delays = JSON.stringify(guardrail).includes("deny");
    expect(entry?.stream_delay).toEqual(delays ? expect.any(Number) : undefined);
  });
});

describe("what is held for a time", () => {
  it("goes on when it is over, though the vendor says nothing more", async () => {
    const { gateway, stalled } = await startGuarded({ stalls: "Hello from the vendor" });
    const hold = { milliseconds: 30 };
    const guardrail = { contains: { ...noTea.contains, hold }, deny: true };
    const leaving = new AbortController();
    onTestFinished(() => leaving.abort());
    const response = await fetch(`${gateway.url}/v1/chat/completions`, {
      method: "POST",
      signal: leaving.signal,
      headers: {
        "content-type": "application/json",
        authorization: `Bearer ${key}`,
        "x-gateway-config": JSON.stringify({ provider: "@openai", output_guardrails: [guardrail] }),
      },
      body: JSON.stringify(chat("hi", { stream: true })),
    });
    const reader = (response.body as ReadableStream<Uint8Array>).getReader();
    let text = "";
    while (!heard(text).includes("vendor")) text += Buffer.from((await reader.read()).value ?? []).toString();
    expect(stalled()).toBe(true);
    expect(heard(text)).toBe("Hello from the vendor");
  });
});

describe("the option to report only", () => {
  it("holds nothing back, and tells the verdict at the end", async () => {
    const { ask } = await startGuarded({ options: "{ streams: report }" });
    for (const guardrail of [
      { ...noTea, deny: true },
      { "test.odd": { does: "shout", verdict: false }, deny: true },
    ]) {
      const { status, text } = await ask(
        { output_guardrails: [guardrail] },
        chat("tea", { stream: true }),
        undefined,
        lenient,
      );
      expect([status, heard(text)]).toEqual([200, "tea"]);
      expect(resultsIn(text)).toMatchObject([{ after_request_hooks: [{ verdict: false, deny: true }] }]);
    }
  });

  it("is what a guardrail may choose for itself where it needs the whole", async () => {
    const { ask } = await startGuarded();
    const whole = { contains: { words: ["coffee"] }, deny: true, streams: "verdict" };
    const { status, text } = await ask(
      { output_guardrails: [whole] },
      chat("tea", { stream: true }),
      undefined,
      lenient,
    );
    expect([status, heard(text)]).toEqual([200, "tea"]);
    expect(resultsIn(text)).toMatchObject([{ after_request_hooks: [{ verdict: false, deny: true }] }]);
  });
});
