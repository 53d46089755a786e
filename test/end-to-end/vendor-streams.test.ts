import { describe, expect, it } from "vitest";
import { startTestGateway } from "../support/gateway.ts";
import { startUpstream } from "../support/upstream.ts";

/** A gateway before a vendor whose streams are these bytes. */
async function vendorOf(use: string, options: object, bytes: string) {
  const upstream = await startUpstream((_, response) => {
    response.writeHead(200, { "content-type": "text/event-stream" });
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

  it("are lines of JSON: older completions of Cohere", async () => {
    const lines = [
      { text: " two", is_finished: false },
      { text: " three", is_finished: false },
      { is_finished: true, finish_reason: "COMPLETE", response: { generations: [{ text: " two three" }] } },
    ];
    const ask = await vendorOf("cohere", {}, lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
    const answer = await ask("/v1/completions", { model: "vendor/command", prompt: "One," });
    expect(frames(answer).map(({ choices }) => [choices[0].text, choices[0].finish_reason])).toEqual([
      [" two", null],
      [" three", null],
      ["", "stop"],
    ]);
    expect(answer).toMatch(/data: \[DONE\]\n\n$/);
  });
});
