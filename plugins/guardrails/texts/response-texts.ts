import type {
  AssistantPart,
  ChatResponse,
  CompletionResponse,
  OperationName,
  ResponseOf,
} from "../../../core/index.ts";
import type { Texts } from "./request-texts.ts";

/**
 * What checks look at of an answer: the first choice. The arguments of tool calls count as text where the model said
 * nothing besides (guardrails.md section 6.1).
 */
export function textsOfResponse(
  operation: OperationName | undefined,
  response: ResponseOf<OperationName>,
): Texts<ResponseOf<OperationName>> | undefined {
  if (operation === "chat") return ofChat(response as ChatResponse);
  if (operation === "complete") return ofCompletion(response as CompletionResponse);
  return undefined;
}

function ofChat(response: ChatResponse): Texts<ChatResponse> {
  const [first, ...others] = response.choices;
  if (!first) return { texts: [], with: () => response };
  const said = first.content.some((part) => part.type === "text" && part.text !== "");
  const counts = (part: AssistantPart): boolean => part.type !== "tool-call" || !said;
  return {
    texts: first.content.filter(counts).map(textOf),
    with(replaced) {
      const pending = [...replaced];
      const content = first.content.map((part) => (counts(part) ? withText(part, pending.shift() ?? null) : part));
      return { ...response, choices: [{ ...first, content }, ...others] };
    },
  };
}

function textOf(part: AssistantPart): string {
  if (part.type === "text" || part.type === "refusal") return part.text;
  return part.type === "tool-call" ? part.arguments : "";
}

function withText(part: AssistantPart, text: string | null): AssistantPart {
  if (text === null) return part;
  if (part.type === "text" || part.type === "refusal") return { ...part, text };
  return part.type === "tool-call" ? { ...part, arguments: text } : part;
}

function ofCompletion(response: CompletionResponse): Texts<CompletionResponse> {
  const [first, ...others] = response.choices;
  if (!first) return { texts: [], with: () => response };
  return {
    texts: [first.text],
    with: ([text]) => ({ ...response, choices: [{ ...first, text: text ?? first.text }, ...others] }),
  };
}
