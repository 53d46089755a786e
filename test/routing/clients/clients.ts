import { expect } from "vitest";
import type { Fields } from "../trees.ts";
import { type Client, geminiSpeech, messagesSpeech, type Read, responsesSpeech } from "./speech.ts";

interface Event {
  readonly name: string | undefined;
  readonly data: Fields;
}

/** The events of a stream whose data are JSON. */
function eventsIn(text: string): Event[] {
  return text
    .split("\n\n")
    .filter((frame) => frame.includes("data: {"))
    .map((frame) => ({
      name: /^event: (.*)$/m.exec(frame)?.[1],
      data: JSON.parse(/^data: (.*)$/m.exec(frame)?.[1] ?? "") as Fields,
    }));
}

const at = (value: unknown, ...path: readonly (string | number)[]): unknown =>
  path.reduce<unknown>((inner, key) => (inner as Fields | undefined)?.[key], value);

const textOf = (texts: readonly unknown[]): string => texts.filter((text) => typeof text === "string").join("");

const named = (side: string) => `event: hook_results\ndata: {"hook_results":{"${side}":`;
const typed = { error: { message: expect.any(String), type: expect.any(String) } };

/** What OpenAI has and others do not. */
const foreign = ["user", "logprobs", "metadata", "stop"];

const messagesClient: Client = {
  name: "messages",
  messages: "messages",
  write: (texts, more) => ({
    max_tokens: 50,
    messages: texts.map((content) => ({ role: "user", content })),
    ...more,
  }),
  sent: (body) => ({ path: "/v1/messages", body }),
  loses: (name, value) => foreign.includes(name) && JSON.stringify(value) !== "{}",
  texts: ({ messages }) => (messages as Fields[]).map(({ content }) => content),
  temperature: ({ temperature }) => temperature,
  readWhole: (json) => textOf((json.content as Fields[]).map(({ text }) => text)),
  readStream(text) {
    const events = eventsIn(text);
    return {
      text: textOf(events.map(({ data }) => at(data, "delta", "text"))),
      isWhole: events.some(({ name }) => name === "message_stop"),
      error: events.find(({ name }) => name === "error")?.data,
    };
  },
  error: { type: "error", ...typed },
  aside: named,
  speech: messagesSpeech,
  isPassedThrough: true,
};

const lostOfResponses: Readonly<Record<string, readonly string[]>> = {
  lambda: ["logprobs", "stop", "max_tokens"],
  anthropic: ["logprobs", "stop", "max_tokens", "metadata"],
  google: ["logprobs", "stop", "max_tokens", "metadata", "user"],
};

const responsesClient: Client = {
  name: "responses",
  messages: "input",
  write: (texts, more) => ({ input: texts.map((content) => ({ role: "user", content })), ...more }),
  sent: (body) => ({ path: "/v1/responses", body }),
  loses: (name, value, provider) =>
    lostOfResponses[provider]?.includes(name) === true && JSON.stringify(value) !== "{}",
  texts: ({ input }) => (input as Fields[]).map(({ content }) => content),
  temperature: ({ temperature }) => temperature,
  readWhole: (json) => textOf((json.output as Fields[]).map((item) => at(item, "content", 0, "text"))),
  readStream(text) {
    const events = eventsIn(text);
    const deltas = events.filter(({ name }) => name === "response.output_text.delta");
    return {
      text: textOf(deltas.map(({ data }) => data.delta)),
      isWhole: events.some(({ name }) => name === "response.completed"),
      error: events.find(({ name }) => name === "error")?.data,
    };
  },
  error: typed,
  aside: named,
  speech: responsesSpeech,
  isPassedThrough: true,
};

const readGemini = (candidates: readonly unknown[]): Read => ({
  text: textOf(candidates.map((one) => at(one, "candidates", 0, "content", "parts", 0, "text"))),
  isWhole: candidates.some((one) => at(one, "candidates", 0, "finishReason") !== undefined),
  error: candidates.find((one) => at(one, "error")),
});

const geminiClient = (name: string, query: string, readStream: Client["readStream"]): Client => ({
  name,
  messages: "contents",
  write: (texts, { model, stream = false, temperature, ...more }) => ({
    model: model ?? "m1",
    // Nobody who does not ask for a stream asks for a list of its pieces.
    stream: stream || !query,
    contents: texts.map((text) => ({ role: "user", parts: [{ text }] })),
    ...(temperature !== undefined && { generationConfig: { temperature } }),
    ...more,
  }),
  sent({ model, stream, ...body }) {
    const action = stream === true ? `streamGenerateContent${query}` : "generateContent";
    return { path: `/v1beta/models/${model}:${action}`, body };
  },
  loses: (name) => [...foreign, "max_tokens", "temperature"].includes(name),
  texts: ({ contents }) => (contents as Fields[]).map((one) => at(one, "parts", 0, "text")),
  temperature: ({ generationConfig }) => at(generationConfig, "temperature"),
  readWhole: (json) => readGemini([json]).text,
  readStream,
  error: {
    error: { message: expect.any(String), code: expect.any(Number), status: expect.stringMatching(/^[A-Z_]+$/) },
  },
  speech: geminiSpeech,
  // No vendor speaks in lists.
  isPassedThrough: query !== "",
});

export const clients: readonly Client[] = [
  messagesClient,
  responsesClient,
  geminiClient("gemini", "?alt=sse", (text) => readGemini(eventsIn(text).map(({ data }) => data))),
  geminiClient("gemini in lists", "", (text) => readGemini(JSON.parse(text))),
];
