import { expect, it, onTestFinished } from "vitest";
import { builtInFormats } from "../core/built-in-formats.ts";
import { operationsOf } from "../core/provider-kit/offered-operations.ts";
import type { CommonOptions } from "../core/provider-kit/provider-definition.ts";
import { startGateway } from "../core/test-kit/index.ts";
import minimax from "./minimax.ts";

const thinking = { type: "thinking", thinking: "Hm.", signature: "6b19dfed" };
const call = { type: "tool_use", id: "toolu_01A09q90qw90lq917835lq9", name: "look", input: { at: 1 } };
/** As the page of its Messages API shows an answer. */
const answer = {
  id: "066a381b",
  type: "message",
  role: "assistant",
  model: "MiniMax-M3",
  content: [thinking, call],
  usage: { input_tokens: 1209, output_tokens: 211, cache_creation_input_tokens: 0, cache_read_input_tokens: 156 },
  stop_reason: "tool_use",
};
const chat = {
  id: "c",
  object: "chat.completion",
  created: 1,
  model: "m",
  choices: [
    { index: 0, message: { role: "assistant", content: "<think>\nHm.\n</think>\n\nHi." }, finish_reason: "stop" },
  ],
};
const event = (data: { type: string } & Record<string, unknown>) =>
  `event: ${data.type}\ndata: ${JSON.stringify(data)}\n\n`;
const streamed = [
  event({ type: "message_start", message: { ...answer, content: [], stop_reason: null } }),
  event({ type: "content_block_start", index: 0, content_block: { type: "thinking", thinking: "", signature: "" } }),
  event({ type: "content_block_delta", index: 0, delta: { type: "thinking_delta", thinking: "Hm." } }),
  event({ type: "content_block_delta", index: 0, delta: { type: "signature_delta", signature: "6b19" } }),
  event({ type: "content_block_delta", index: 0, delta: { type: "signature_delta", signature: "dfed" } }),
  event({ type: "content_block_stop", index: 0 }),
  event({ type: "message_delta", delta: { stop_reason: "end_turn" }, usage: { output_tokens: 2 } }),
  event({ type: "message_stop" }),
].join("");

const tools = [{ name: "look", input_schema: { type: "object", properties: { at: { type: "integer" } } } }];
const user = { role: "user", content: "Hello?" };

async function start(options: object = { messagesApi: true }) {
  const asked: { url: string; json: Record<string, unknown> }[] = [];
  const formats = ["openai-chat", "openai-responses", "anthropic-messages", "gemini"];
  const gateway = await startGateway({
    config: {
      plugins: { "auth-open": {}, routing: {}, ...Object.fromEntries(formats.map((name) => [`format-${name}`, {}])) },
      providers: {
        minimax: { baseUrl: "${VENDOR}/v1", apiKey: "key-0123456789", ...options },
        anthropic: { baseUrl: "${VENDOR}/claude", apiKey: "key-0123456789" },
      },
    },
    upstreams: {
      VENDOR: ({ url, json, headers }) => {
        const body = json as Record<string, unknown>;
        if (!url.startsWith("/claude")) expect(headers.authorization).toBe("Bearer key-0123456789");
        asked.push({ url, json: body });
        if (url.endsWith("/chat/completions")) return { json: chat };
        return body.stream === true
          ? { headers: { "content-type": "text/event-stream" }, text: streamed }
          : { json: answer };
      },
    },
  });
  onTestFinished(gateway.close);
  const ask = async (path: string, body: object, provider = "minimax") => {
    const response = await fetch(gateway.url + path, {
      method: "POST",
      headers: { "content-type": "application/json", "x-gateway-provider": provider },
      body: JSON.stringify(body),
    });
    return { dropped: response.headers.get("x-gateway-dropped-params"), text: await response.text() };
  };
  return { ask, asked };
}

const messages = (more: object = {}) => ({ model: "MiniMax-M3", max_tokens: 99, messages: [user], tools, ...more });

it.each<[string, string, object, string]>([
  ["Messages API", "/v1/messages", messages(), "/anthropic/v1/messages"],
  ["Responses API", "/v1/responses", { model: "MiniMax-M2.7", input: "Hello?" }, "/v1/chat/completions"],
  [
    "Gemini API",
    "/v1beta/models/MiniMax-M2:generateContent",
    { contents: [{ role: "user", parts: [{ text: "Hello?" }] }] },
    "/v1/chat/completions",
  ],
  ["chat API", "/v1/chat/completions", { model: "MiniMax-M3", messages: [user] }, "/v1/chat/completions"],
  ["Messages API, of a model before", "/v1/messages", messages({ model: "MiniMax-M1" }), "/v1/chat/completions"],
])("clients of the %s", async (_, path, body, url) => {
  const { ask, asked } = await start();
  const { text } = await ask(path, body);
  expect(asked.map((one) => one.url)).toEqual([url]);
  expect(text).toContain("Hm.");
});

it("is asked for chat completions only where somebody else serves its models", async () => {
  const { ask, asked } = await start({});
  await ask("/v1/messages", messages());
  expect(asked.map(({ url }) => url)).toEqual(["/v1/chat/completions"]);
});

it.each([
  [undefined, "https://api.minimax.io/anthropic/v1/messages"],
  ["https://api.minimaxi.com/v1/", "https://api.minimaxi.com/anthropic/v1/messages"],
  ["https://api.minimax.io", "https://api.minimax.io/anthropic/v1/messages"],
  ["https://api.minimax.io.example/v1", undefined],
])("has its Messages API beside %s", async (baseUrl, path) => {
  const { formats } = await builtInFormats();
  const options = { ...(baseUrl !== undefined && { baseUrl }) } as CommonOptions & Record<string, unknown>;
  const [, spec] = operationsOf(minimax, options, formats).chat ?? [];
  expect(spec?.path).toBe(path);
});

it("says whose its signatures are, and gets them back", async () => {
  const { ask, asked } = await start();
  const whole = JSON.parse((await ask("/v1/messages", messages())).text);
  expect(whole.content).toEqual([{ ...thinking, signature: "signed-by:minimax:6b19dfed" }, call]);
  const { text } = await ask("/v1/messages", messages({ stream: true }));
  expect(text.match(/signed-by:minimax:\w+/g)).toEqual(["signed-by:minimax:6b19", "signed-by:minimax:dfed"]);

  const results = {
    role: "user",
    content: [{ type: "tool_result", tool_use_id: "toolu_01A09q90qw90lq917835lq9", content: "Here." }],
  };
  const next = messages({ messages: [user, { role: "assistant", content: whole.content }, results] });
  await ask("/v1/messages", next);
  expect(asked.at(-1)?.json.messages).toMatchObject([{}, { content: [thinking, call] }, {}]);
  await ask("/v1/messages", { ...next, model: "claude-sonnet-4-5" }, "anthropic");
  expect(asked.at(-1)?.json.messages).toMatchObject([{}, { content: [call] }, {}]);
});

it("is given back signatures that came in pieces whole, and is not shown what Anthropic signed or hid", async () => {
  const { ask, asked } = await start();
  const said = (...parts: object[]) => ({ role: "assistant", content: [...parts, { type: "text", text: "Hi." }] });
  const shown = async (...parts: object[]) => {
    const { dropped } = await ask("/v1/messages", messages({ messages: [user, said(...parts), user] }));
    const [, answered] = (asked.at(-1)?.json.messages ?? []) as { content: unknown[] }[];
    return { first: answered?.content[0], dropped };
  };
  const text = { type: "text", text: "Hi." };
  const pieces = { ...thinking, signature: "signed-by:minimax:6b19signed-by:minimax:dfed" };
  expect(await shown(pieces)).toEqual({ first: thinking, dropped: null });
  const lost = { first: text, dropped: "messages.thinking" };
  expect(await shown({ ...thinking, signature: "EqQB" })).toEqual(lost);
  expect(await shown({ type: "redacted_thinking", data: "EmwK" })).toEqual(lost);
});

it("is asked for some chance at least, and what it does not look at is named", async () => {
  const { ask, asked } = await start();
  const { dropped } = await ask(
    "/v1/messages",
    messages({
      temperature: 0,
      stop_sequences: ["x"],
      top_k: 4,
      service_tier: "auto",
      output_config: { effort: "high" },
    }),
  );
  expect(dropped).toBe("output_config,stop_sequences,top_k");
  expect(asked[0]?.json).toMatchObject({ temperature: 0.01 });
  await ask("/v1/chat/completions", { model: "MiniMax-M3", messages: [user], temperature: 0 });
  expect(asked[1]?.json).toMatchObject({ temperature: 0.01 });
});
