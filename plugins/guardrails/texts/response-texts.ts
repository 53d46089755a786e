import type {
  AssistantPart,
  ChatResponse,
  CompletionResponse,
  OperationName,
  ResponseOf,
} from "../../../core/index.ts";
import type { Texts } from "./request-texts.ts";

/**
 * What checks look at of an answer: every choice, since how many there are is the caller's to say. The arguments of tool
 * calls count as text where the model said nothing besides in a choice (guardrails.md section 6.1); the blank lines that
 * many models write before a call say nothing.
 */
export function textsOfResponse(
  operation: OperationName | undefined,
  response: ResponseOf<OperationName>,
): Texts<ResponseOf<OperationName>> | undefined {
  if (operation === "chat") return ofChat(response as ChatResponse);
  if (operation === "complete") return ofCompletion(response as CompletionResponse);
  return undefined;
}

type ChatChoice = ChatResponse["choices"][number];

function ofChat(response: ChatResponse): Texts<ChatResponse> {
  return {
    texts: response.choices.flatMap((choice) => countedIn(choice).map(textOf)),
    with(replaced) {
      const pending = [...replaced];
      const choices = response.choices.map((choice) => {
        const counted = countedIn(choice);
        const own = pending.splice(0, counted.length);
        if (own.every((text) => text === null)) return choice;
        const texts = new Map(counted.map((part, at) => [part, own[at] ?? null]));
        const content = choice.content.map((part) => withText(part, texts.get(part) ?? null));
        // Its tokens would tell what was taken out.
        const { logprobs: _, ...others } = choice;
        return { ...others, content };
      });
      return { ...response, choices };
    },
  };
}

function countedIn({ content }: ChatChoice): readonly AssistantPart[] {
  const said = content.some((part) => part.type === "text" && part.text.trim() !== "");
  return said ? content.filter(({ type }) => type !== "tool-call") : content;
}

function textOf(part: AssistantPart): string {
  if (part.type === "text" || part.type === "refusal") return part.text;
  return part.type === "tool-call" ? part.arguments : "";
}

/** What tells of the old text, its citations, goes with it. */
function withText(part: AssistantPart, text: string | null): AssistantPart {
  if (text === null) return part;
  if (part.type === "text" || part.type === "refusal") return { type: part.type, text };
  return part.type === "tool-call" ? { ...part, arguments: text } : part;
}

function ofCompletion(response: CompletionResponse): Texts<CompletionResponse> {
  return {
    texts: response.choices.map(({ text }) => text),
    with(replaced) {
      const choices = response.choices.map((choice, at) => {
        const text = replaced[at] ?? null;
        if (text === null) return choice;
        const { logprobs: _, ...others } = choice;
        return { ...others, text };
      });
      return { ...response, choices };
    },
  };
}
