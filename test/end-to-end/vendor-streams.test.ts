import { generateKeyPairSync } from "node:crypto";
import { describe, expect, it } from "vitest";
import { startTestGateway } from "../support/gateway.ts";
import { startUpstream } from "../support/upstream.ts";

/** A gateway before a vendor whose streams are these bytes. */
async function vendorOf(use: string, options: object, bytes: string, type = "text/event-stream") {
  const upstream = await startUpstream((_, response) => {
    response.writeHead(200, { "content-type": type });
    response.end(bytes);
  });
  const gateway = await startTestGateway(
    JSON.stringify({
      plugins: { "auth-open": {}, routing: {}, "format-openai-chat": {}, "format-openai-completions": {} },
      providers: { vendor: { use, apiKey: "k", baseUrl: upstream.url, ...options } },
    }),
  );
  return async (path: string, body: object) => {
    const answer = await fetch(`${gateway.url}${path}`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ stream: true, ...body }),
    });
    return answer.text();
  };
}

const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
const pem = privateKey.export({ type: "pkcs8", format: "pem" });

const messages = [{ role: "user", content: "Hi" }];
const frames = (text: string) =>
  text
    .split("\n\n")
    .filter((frame) => frame.startsWith("data: {"))
    .map((frame) => JSON.parse(frame.slice("data: ".length)));

describe("streams of vendors with frames of their own", () => {
  const said = 'data: {"response":"Hel","p":"abc"}\n\ndata: {"response":"lo"}\n\n';

  it.each([
    ["/v1/chat/completions", { messages }, /"content":"Hel"/],
    ["/v1/completions", { prompt: "Hi" }, /"text":"Hel"/],
  ])(
    "end with nothing but the terminator at %s: older models of Workers AI count nothing",
    async (path, body, text) => {
      const ask = await vendorOf("workers-ai", { account: "a1" }, `${said}data: [DONE]\n\n`);
      const answer = await ask(path, { model: "vendor/@cf/meta/llama-2", ...body });
      expect(answer).toMatch(text);
      expect(answer).toMatch(/"finish_reason":"stop"[^\n]*\n\ndata: \[DONE\]\n\n$/);
    },
  );

  it("are not whole without it", async () => {
    const ask = await vendorOf("workers-ai", { account: "a1" }, said);
    const answer = await ask("/v1/chat/completions", { model: "vendor/@cf/meta/llama-2", messages });
    expect(answer).toContain("upstream_truncated");
    expect(answer).not.toContain("[DONE]");
  });

  it.each([
    ["a number", [{ response: 4 }, { response: "2" }], "42", "stop"],
    ["calls", [{ response: null, tool_calls: [{ name: "f", arguments: { a: 1 } }] }], "", "tool_calls"],
  ])("have %s in them, at Workers AI", async (_, said, text, ending) => {
    const usage = { prompt_tokens: 1, completion_tokens: 2, total_tokens: 3 };
    const all = [...said, { response: "", usage }].map((frame) => `data: ${JSON.stringify(frame)}\n\n`).join("");
    const ask = await vendorOf("workers-ai", { account: "a1" }, `${all}data: [DONE]\n\n`);
    const answer = await ask("/v1/chat/completions", { model: "vendor/@cf/meta/llama-4", messages });
    const choices = frames(answer).map((frame) => frame.choices[0]);
    expect(choices.map(({ delta }) => delta.content ?? "").join("")).toBe(text);
    expect(choices.map((choice) => choice.finish_reason).filter((word) => word !== null)).toEqual([ending]);
    expect(frames(answer).at(-1).usage).toEqual(usage);
  });

  const signed = {
    region: "us-chicago-1",
    tenancy: "t",
    user: "u",
    fingerprint: "1",
    compartmentId: "c",
    privateKey: pem,
  };
  it.each<[string, object, string]>([
    ["workers-ai", { account: "a1" }, '{"success":false,"errors":[{"code":3,"message":"No room"}]}'],
    ["oracle", signed, '{"code":"429","message":"No room"}'],
  ])("say what went wrong in words of their own: %s", async (use, options, failure) => {
    const said = { message: { role: "ASSISTANT", content: [{ type: "TEXT", text: "Hel" }] }, response: "Hel" };
    for (const before of ["", `data: ${JSON.stringify(said)}\n\n`]) {
      const ask = await vendorOf(use, options, `${before}data: ${failure}\n\n`);
      const answer = await ask("/v1/chat/completions", { model: "vendor/m", messages });
      expect(answer).toContain("No room");
      expect(answer).not.toContain("[DONE]");
    }
  });

  it.each(["text/event-stream", "application/stream+json", "application/x-ndjson"])(
    "are lines of JSON, whatever they are said to be (%s): older completions of Cohere",
    async (type) => {
      const lines = [
        { text: " two", is_finished: false },
        { text: " three", is_finished: false },
        { is_finished: true, finish_reason: "COMPLETE", response: { generations: [{ text: " two three" }] } },
      ];
      const ask = await vendorOf("cohere", {}, lines.map((line) => `${JSON.stringify(line)}\n`).join(""), type);
      const answer = await ask("/v1/completions", { model: "vendor/command", prompt: "One," });
      expect(frames(answer).map(({ choices }) => [choices[0].text, choices[0].finish_reason])).toEqual([
        [" two", null],
        [" three", null],
        ["", "stop"],
      ]);
      expect(answer).toMatch(/data: \[DONE\]\n\n$/);
    },
  );
});
