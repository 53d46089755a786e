import type { Question, Segment, ToolOffer } from "./question.ts";
import { sampleOf } from "./sample.ts";
import { Refusal } from "./wire.ts";
import { countTokens, digestOf, limited, shortened } from "./words.ts";

/** What the simulated model says, before any format. */
export interface Answer {
  readonly thinking: string;
  /** Proof that the thinking is the simulator's own. */
  readonly signature: string;
  readonly text: string;
  readonly calls: readonly ToolCall[];
  readonly finish: "stop" | "length" | "tool-calls";
  readonly stopSequence?: string;
  /** Tokens of the answer. */
  readonly outputTokens: number;
  readonly thinkingTokens: number;
}

export interface ToolCall {
  readonly name: string;
  readonly arguments: unknown;
}

/** Tokens of the prompt, in disjoint buckets. */
export interface PromptTokens {
  readonly fresh: number;
  readonly cacheRead: number;
  readonly cacheWrite: number;
  /** The part of `cacheWrite` that is kept for one hour. */
  readonly hour: number;
}

/** The same question always gets the same answer; `variant` counts the answers to one question from 0. */
export function answerTo(question: Question, variant = 0): Answer {
  const calls = callsFor(question);
  const thinking = question.thinks ? `Thinking about: ${shortened(question.lastText)}` : "";
  const said = limited(calls.length > 0 ? "" : textFor(question, variant), question);
  const spoken = calls.map((call) => `${call.name} ${JSON.stringify(call.arguments)}`).join(" ");
  return {
    thinking,
    signature: Buffer.from(digestOf("signature", thinking), "hex").toString("base64"),
    ...said,
    calls,
    finish: calls.length > 0 ? "tool-calls" : said.finish,
    outputTokens: countTokens(said.text) + countTokens(spoken),
    thinkingTokens: countTokens(thinking),
  };
}

function textFor({ model, lastText, images, toolResult, schema }: Question, variant: number): string {
  if (schema !== undefined) return JSON.stringify(sampleOf(schema));
  const subject =
    toolResult === undefined
      ? `Simulated answer from ${model}: ${shortened(lastText)}`
      : `The tool said: ${shortened(toolResult)}`;
  const seen = images === 0 ? "" : ` I see ${images} image${images === 1 ? "" : "s"}.`;
  return subject + seen + (variant === 0 ? "" : ` (choice ${variant + 1})`);
}

function callsFor(question: Question): ToolCall[] {
  const { toolChoice, toolResult, lastText } = question;
  // A tool that has spoken is not called again, whatever is asked: agents would never come to an end.
  if (question.tools.length === 0 || toolChoice === "none" || toolResult !== undefined) return [];
  const wanted = wantedTools(question);
  if (wanted.length === 0) return [];
  const several = question.parallel && /\b(?:twice|parallel)\b/i.test(lastText);
  const chosen = several && wanted.length === 1 ? [...wanted, ...wanted] : wanted.slice(0, several ? undefined : 1);
  return chosen.map(({ name, schema }) => ({ name, arguments: sampleOf(schema) }));
}

function wantedTools({ tools: offered, toolChoice, allowed, lastText }: Question): readonly ToolOffer[] {
  const tools = allowed ? offered.filter(({ name }) => allowed.includes(name)) : offered;
  if (typeof toolChoice === "object") {
    const named = tools.filter(({ name }) => name === toolChoice.name);
    if (named.length === 0) throw new Refusal(400, `tool_choice: there is no tool named "${toolChoice.name}".`);
    return named;
  }
  const said = lastText.toLowerCase();
  const mentioned = tools.filter(({ name }) => said.includes(name.toLowerCase()));
  if (mentioned.length > 0) return mentioned;
  return toolChoice === "required" || said.includes("use the tool") ? tools.slice(0, 1) : [];
}

/**
 * Nothing is remembered between requests, so markers alone decide: up to the first one the prompt was in the cache
 * already, from there to the last one it is written now.
 */
export function promptTokens(segments: readonly Segment[]): PromptTokens {
  const first = segments.findIndex(({ cache }) => cache !== undefined);
  const last = segments.findLastIndex(({ cache }) => cache !== undefined);
  const count = (from: number, to: number) =>
    segments.slice(from, to).reduce((sum, { text }) => sum + countTokens(text), 0);
  const cacheWrite = count(first + 1, last + 1);
  return {
    fresh: count(last + 1, segments.length),
    cacheRead: count(0, first + 1),
    cacheWrite,
    hour: segments[last]?.cache === "1h" ? cacheWrite : 0,
  };
}

/** All tokens of a prompt, whatever the cache has to do with them. */
export function totalOf(segments: readonly Segment[]): number {
  const { fresh, cacheRead, cacheWrite } = promptTokens(segments);
  return fresh + cacheRead + cacheWrite;
}
