import type {
  AssistantPart,
  ChatRequest,
  ChatResponse,
  CompletionRequest,
  CompletionResponse,
  ContentPart,
  EmbeddingRequest,
  Message,
  OperationName,
  ToolResultPart,
} from "../../../core/index.ts";

/** The texts of a call that make up its tokens. Undefined where some of it is no text: nobody could count that. */
export interface Texts {
  readonly input: readonly string[];
  /** Tokens that stand around the texts. */
  readonly around: number;
  readonly output: readonly string[];
  readonly reasoning: readonly string[];
}

/** Tokens that say whose turn it is, for each message, and that the answer begins. */
const perMessage = 3;
const atTheEnd = 3;

/** What was asked and answered, canonical. Undefined also for operations whose tokens are not those of texts. */
export function textsOf(operation: OperationName | undefined, body: unknown, response: unknown): Texts | undefined {
  switch (operation) {
    case "chat":
      return response ? chatTexts(body as ChatRequest, response as ChatResponse) : undefined;
    case "complete":
      return response ? completionTexts(body as CompletionRequest, response as CompletionResponse) : undefined;
    case "embed":
      return embeddingTexts(body as EmbeddingRequest);
    default:
      return undefined;
  }
}

function chatTexts({ messages, tools = [] }: ChatRequest, { choices }: ChatResponse): Texts | undefined {
  const input = new Collected();
  for (const message of messages) input.message(message);
  for (const tool of tools) input.add(JSON.stringify(tool));
  const output = new Collected();
  for (const { content } of choices) output.parts(content);
  if (!input.whole || !output.whole) return undefined;
  const { texts, reasoning } = output;
  return { input: input.texts, around: messages.length * perMessage + atTheEnd, output: texts, reasoning };
}

function completionTexts({ prompt }: CompletionRequest, { choices }: CompletionResponse): Texts | undefined {
  const input = [prompt ?? ""].flat(1) as readonly unknown[];
  if (!input.every((one) => typeof one === "string")) return undefined;
  return { input, around: 0, output: choices.map(({ text }) => text), reasoning: [] };
}

function embeddingTexts({ input }: EmbeddingRequest): Texts | undefined {
  if (!input.every((one) => typeof one === "string")) return undefined;
  return { input, around: 0, output: [], reasoning: [] };
}

type AnyPart = ContentPart | AssistantPart | ToolResultPart;

/** Texts of messages, as long as there is nothing else in them. */
class Collected {
  readonly texts: string[] = [];
  readonly reasoning: string[] = [];
  whole = true;

  add(text: string): void {
    if (text !== "") this.texts.push(text);
  }

  message({ content }: Message): void {
    this.parts(content);
  }

  parts(parts: readonly AnyPart[]): void {
    for (const part of parts) this.#part(part);
  }

  #part(part: AnyPart): void {
    switch (part.type) {
      case "text":
      case "refusal":
        return this.add(part.text);
      case "thinking":
        return void (part.text !== "" && this.reasoning.push(part.text));
      case "tool-call":
        return this.add(`${part.name} ${part.arguments}`);
      case "tool-result":
        return this.parts(part.content);
      default:
        this.whole = false;
    }
  }
}
