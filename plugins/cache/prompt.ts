import { type Endpoint, isRecord } from "../../core/index.ts";
import type { Question } from "./question.ts";

/** A question whose words may vary: the words, and everything that may not. */
export interface Prompt {
  readonly text: string;
  /** The body without the words. */
  readonly rest: Readonly<Record<string, unknown>>;
}

/** Bounds of routing-config.md 10.1. */
const mostMessages = 4;
const tokenBound = 8191;
const charactersPerToken = 4;

/** The words of a question that semantic caching is for; undefined where it is not. */
export function promptOf({ type }: Pick<Endpoint, "type">, question: Question): Prompt | undefined {
  const body = question.body();
  const prompt = type === "chatComplete" ? chatPrompt(body) : type === "complete" ? textPrompt(body) : undefined;
  if (!prompt || prompt.text.trim() === "") return undefined;
  return Math.ceil(prompt.text.length / charactersPerToken) < tokenBound ? prompt : undefined;
}

function textPrompt(body: Prompt["rest"]): Prompt | undefined {
  const { prompt } = body;
  if (typeof prompt === "string") return { text: prompt, rest: { ...body, prompt: "" } };
  if (!Array.isArray(prompt) || prompt.length !== 1 || typeof prompt[0] !== "string") return undefined;
  return { text: prompt[0], rest: { ...body, prompt: "" } };
}

/** What people say is compared; who speaks when, and what is not text, has to be the same. */
function chatPrompt(body: Prompt["rest"]): Prompt | undefined {
  const { messages } = body;
  if (!Array.isArray(messages) || messages.length > mostMessages) return undefined;
  const said: string[] = [];
  const rest = messages.map((message: unknown) => {
    if (!isRecord(message) || message.role !== "user") return message;
    const { content } = message;
    if (typeof content === "string") {
      said.push(content);
      return { ...message, content: [] };
    }
    if (!Array.isArray(content)) return message;
    const [texts, others] = [content.filter(isText), content.filter((part) => !isText(part))];
    said.push(...texts.map((part) => String(part.text)));
    return { ...message, content: others };
  });
  return said.length === 0 ? undefined : { text: said.join("\n"), rest: { ...body, messages: rest } };
}

const isText = (part: unknown): part is Readonly<Record<string, unknown>> =>
  isRecord(part) && part.type === "text" && typeof part.text === "string";
