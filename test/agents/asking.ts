import Anthropic from "@anthropic-ai/sdk";
import { GoogleGenAI } from "@google/genai";
import OpenAI from "openai";
import { eventsIn, list, must, text, type Wire, wire } from "../conformance/conversations/speaker.ts";
import type { Agent, AgentRequest } from "./agent.ts";
import { claudeCode } from "./claude-code.ts";
import { codex } from "./codex.ts";
import { geminiCli } from "./gemini-cli.ts";
import { qwenCode } from "./qwen-code.ts";

/** How agents ask: with the SDKs they are built with, which ask again by themselves, or without one. */
export interface Asking {
  readonly agent: Agent;
  /** Whether its SDK asks again by itself, at once where it is told so. */
  readonly retries: boolean;
  /** The events of a whole answer, after as many attempts as the SDK makes. Rejects as it does. */
  ask(url: string, request: AgentRequest, model: string, maxRetries: number): Promise<readonly Wire[]>;
}

/** What an agent makes of a failure. */
export interface Seen {
  readonly status?: number | undefined;
  /** The object `error`, as its format has it. */
  readonly error?: Wire;
  readonly message: string;
  readonly header?: ((name: string) => string | null | undefined) | undefined;
}

async function events(stream: unknown): Promise<readonly Wire[]> {
  const all: Wire[] = [];
  for await (const event of stream as AsyncIterable<Wire>) all.push(event);
  return all;
}

/** Codex has no SDK: an answer is whole with `response.completed`, and it reads what went wrong in `response.failed`. */
async function askBare(url: string, { path, headers, body }: AgentRequest): Promise<readonly Wire[]> {
  const reply = await fetch(url + path, {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: JSON.stringify(body),
  });
  const bytes = Buffer.from(await reply.arrayBuffer());
  const header = (name: string) => reply.headers.get(name);
  if (!reply.ok) {
    const { error } = JSON.parse(bytes.toString());
    throw Object.assign(new Error(error.message), { status: reply.status, error, headers: { get: header } });
  }
  const all = eventsIn(bytes);
  const last = all.at(-1);
  if (last?.type === "response.completed" || last?.type === "response.incomplete") return all;
  const failed = all.find(({ type }) => type === "response.failed" || type === "error");
  const error = wire(wire(failed?.response).error ?? failed?.error);
  throw Object.assign(new Error(text(error.message)), { error });
}

export const askings: readonly Asking[] = [
  {
    agent: claudeCode,
    retries: true,
    ask: async (url, { path, body, headers }, _model, maxRetries) => {
      const client = new Anthropic({ apiKey: "sk-agent", authToken: null, baseURL: url, maxRetries });
      return events(await client.post(path, { body, headers, stream: true }));
    },
  },
  { agent: codex, retries: false, ask: askBare },
  {
    agent: geminiCli,
    // It asks again itself, and has its SDK not do so.
    retries: false,
    ask: async (url, { body }, model) => {
      const client = new GoogleGenAI({ apiKey: "agent", httpOptions: { baseUrl: url } });
      const { contents, systemInstruction, tools, generationConfig } = body;
      const config = { ...wire(generationConfig), systemInstruction, tools };
      const asked = { model, contents, config } as Parameters<typeof client.models.generateContentStream>[0];
      return events(await client.models.generateContentStream(asked));
    },
  },
  {
    agent: qwenCode,
    retries: true,
    ask: async (url, { path, body, headers }, _model, maxRetries) => {
      const client = new OpenAI({ apiKey: "agent", baseURL: url, maxRetries });
      return events(await client.post(path, { body, headers, stream: true }));
    },
  },
];

/** What a failure says, wherever the SDK has it: that of Gemini has it in the message. */
export function seenIn(error: unknown): Seen {
  must(error instanceof Error, "an error", error);
  const {
    status,
    error: body,
    headers,
  } = error as Error & {
    status?: number;
    error?: Wire;
    headers?: { get(name: string): string | null };
  };
  const at = error.message.indexOf("{");
  const inMessage = body === undefined && at >= 0 ? wire(JSON.parse(error.message.slice(at)).error) : undefined;
  return {
    status,
    error: inMessage ?? wire(wire(body).error ?? body),
    message: error.message,
    ...(headers && { header: (name: string) => headers.get(name) }),
  };
}

/** All that an agent was told in text. */
export const textIn = (all: readonly Wire[]): string =>
  all
    .flatMap((event) => [
      text(wire(event.delta).text),
      event.type === "response.output_text.delta" ? text(event.delta) : "",
      ...list(event.choices).map(({ delta }) => text(wire(delta).content)),
      ...list(event.candidates).flatMap(({ content }) => list(wire(content).parts).map((part) => text(part.text))),
    ])
    .join("");

/** Why an answer ended, as far as it did not end by itself. */
export const endIn = (all: readonly Wire[]): unknown =>
  all
    .flatMap((event) => [
      wire(event.delta).stop_reason,
      wire(wire(event.response).incomplete_details).reason,
      ...list(event.choices).map((choice) => choice.finish_reason),
      ...list(event.candidates).map((candidate) => candidate.finishReason),
    ])
    .find((reason) => typeof reason === "string");
