import { expect, it } from "vitest";
import { startTestGateway } from "../support/gateway.ts";
import { startUpstream } from "../support/upstream.ts";

const lists = "[".repeat(100_000) + "]".repeat(100_000);

const asked: Readonly<Record<string, object>> = {
  "/v1/chat/completions": { messages: [{ role: "user", content: "Hi" }] },
  "/v1/responses": { input: "Hi" },
  "/v1/messages": { max_tokens: 10, messages: [{ role: "user", content: "Hi" }] },
  "/v1/completions": { prompt: "Hi" },
};

/** What each vendor says, with something nested without end where its format has room for it. */
const vendors: Readonly<Record<string, { readonly whole: string; readonly frame: string }>> = {
  openai: {
    whole: `{"id":"c","choices":[{"index":0,"message":{"role":"assistant","content":${lists}},"finish_reason":"stop"}]}`,
    frame: `{"error":{"message":${lists}}}`,
  },
  anthropic: {
    whole: `{"id":"m","type":"message","role":"assistant","model":"m","content":[{"type":"tool_use","id":"t","name":"n","input":{"a":${lists}}}],"stop_reason":"end_turn","usage":{"input_tokens":1,"output_tokens":1}}`,
    frame: `{"type":"message_start","message":{"id":"m","role":"assistant","content":${lists},"usage":{"x":${lists}}}}`,
  },
  google: {
    whole: `{"candidates":[{"content":{"parts":[{"functionCall":{"name":"n","args":{"a":${lists}}}}]},"finishReason":"STOP"}]}`,
    frame: `{"candidates":[{"content":{"parts":[{"functionCall":{"name":"n","args":{"a":${lists}}}}]}}]}`,
  },
  cohere: {
    whole: `{"id":"c","message":{"role":"assistant","tool_calls":${lists}},"finish_reason":"COMPLETE"}`,
    frame: `{"type":"message-start","delta":${lists}}`,
  },
};

async function start() {
  const next = { status: 200, stream: false, text: "{}" };
  const upstream = await startUpstream((_, response) => {
    response.writeHead(next.status, { "content-type": next.stream ? "text/event-stream" : "application/json" });
    response.end(next.stream ? `data: ${next.text}\n\n` : next.text);
  });
  const formats = [
    "openai-chat",
    "openai-responses",
    "openai-completions",
    "anthropic-messages",
    "gemini",
    "cohere-chat",
  ];
  const gateway = await startTestGateway(
    JSON.stringify({
      plugins: {
        "auth-open": {},
        routing: {},
        pricing: {},
        ...Object.fromEntries(formats.map((name) => [`format-${name}`, {}])),
      },
      providers: Object.fromEntries(
        Object.keys(vendors).map((name) => [name, { apiKey: `${name}-key-0123`, baseUrl: `${upstream.url}/v1` }]),
      ),
    }),
  );
  const ask = async (path: string, vendor: string, answer: Partial<typeof next>) => {
    Object.assign(next, { status: 200, stream: false }, answer);
    const response = await fetch(`${gateway.url}${path}`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ model: `${vendor}/m`, stream: next.stream, ...asked[path] }),
    });
    return { status: response.status, text: await response.text() };
  };
  const failures = () => gateway.log.lines.filter(({ level }) => level === "error");
  return { ask, failures };
}

/** Whether V8 can write what is nested so deep: from Node 26 on it can, and what it can is told as it came. */
const isWritten = (() => {
  try {
    return JSON.stringify(JSON.parse(lists)) === lists;
  } catch {
    return false;
  }
})();

const tooDeep = expect.stringMatching(isWritten ? /nested 1000\d\d levels deep|\[{40}/ : /nested 1000\d\d levels deep/);

it.each(Object.keys(asked))("what a vendor nests without end is no failure of the gateway: %s", async (path) => {
  const { ask, failures } = await start();
  for (const [vendor, { whole, frame }] of Object.entries(vendors)) {
    // It has no completions.
    if (vendor === "google" && path === "/v1/completions") continue;
    const refused = { status: isWritten ? expect.toBeOneOf([429, 502]) : 502, text: tooDeep };
    for (const text of [`{"error":{"x":${lists}}}`, lists])
      expect([vendor, await ask(path, vendor, { status: 429, text })]).toEqual([vendor, refused]);
    // One that says what is wrong is what it says, whatever stands beside it.
    const legible = { status: 429, text: `{"error":{"message":"Too busy.","x":${lists}}}` };
    expect(await ask(path, vendor, legible)).toMatchObject({ status: 429, text: expect.stringContaining("Too busy.") });
    // What passes through unread, or has no field for it, is not looked into.
    for (const answer of [
      { text: whole },
      { text: frame, stream: true },
      { text: lists },
      { text: lists, stream: true },
    ]) {
      const { status, text } = await ask(path, vendor, answer);
      expect([vendor, status === 500, text.includes("Something went wrong")]).toEqual([vendor, false, false]);
    }
  }
  expect(failures()).toEqual([]);
});

it.each<[path: string, vendor: string]>([
  ["/v1/messages", "openai"],
  ["/v1/chat/completions", "anthropic"],
  ["/v1/chat/completions", "google"],
  ["/v1/responses", "google"],
  ["/v1/messages", "google"],
])("whole answers and streams for %s that %s nests without end are invalid, or passed on", async (path, vendor) => {
  const { ask, failures } = await start();
  const { whole, frame } = vendors[vendor] ?? { whole: "", frame: "" };
  const said = { status: isWritten ? expect.toBeOneOf([200, 502]) : 502, text: tooDeep };
  expect(await ask(path, vendor, { text: whole })).toEqual(said);
  if (vendor !== "anthropic") expect(await ask(path, vendor, { text: frame, stream: true })).toEqual(said);
  expect(failures()).toEqual([]);
});
