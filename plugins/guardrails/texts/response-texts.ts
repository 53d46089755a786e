import type {
  AssistantPart,
  ChatResponse,
  CompletionResponse,
  OperationName,
  ResponseOf,
} from "../../../core/index.ts";
import { type FormatsByName, mapFields, withoutQuotes } from "./beside.ts";
import { BesideAnswer } from "./beside-answer.ts";
import type { Texts } from "./request-texts.ts";
import { textsIn } from "./texts-in.ts";

/**
 * What checks look at of an answer: every choice, since how many there are is the caller's to say. The arguments of tool
 * calls count as text where the model said nothing besides in a choice (guardrails.md section 6.1); the blank lines that
 * many models write before a call say nothing.
 */
export function textsOfResponse(
  operation: OperationName | undefined,
  response: ResponseOf<OperationName>,
  formats: FormatsByName = noFormats,
): Texts<ResponseOf<OperationName>> | undefined {
  if (operation === "chat") return ofChat(response as ChatResponse, formats);
  if (operation === "complete") return ofCompletion(response as CompletionResponse);
  return undefined;
}

const noFormats: FormatsByName = { get: () => undefined };

type ChatChoice = ChatResponse["choices"][number];

function ofChat(response: ChatResponse, formats: FormatsByName): Texts<ChatResponse> {
  const said = response.choices.flatMap((choice) => countedIn(choice).map(textOf));
  const beside = new BesideAnswer(response, formats);
  return {
    texts: beside.texts.length === 0 ? said : [...said, ...beside.texts],
    said: said.length,
    with(replaced) {
      const pending = replaced.slice(0, said.length);
      const choices = response.choices.map((choice) => {
        const counted = countedIn(choice);
        const own = pending.splice(0, counted.length);
        return own.every((text) => text === null) ? choice : resaid(choice, counted, own, formats);
      });
      return beside.changed({ ...response, choices }, replaced.slice(said.length));
    },
  };
}

/** A choice that says something else: its tokens, and where its words are told again, would tell what was taken out. */
function resaid(
  choice: ChatChoice,
  counted: readonly AssistantPart[],
  said: readonly (string | null)[],
  formats: FormatsByName,
): ChatChoice {
  const texts = new Map(counted.map((part, at) => [part, said[at] ?? null]));
  const content = choice.content.map((part) => withText(part, texts.get(part) ?? null));
  const { logprobs: _, extra, ...others } = choice;
  return { ...others, content, ...(extra && { extra: withoutQuotes(extra, formats) }) };
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
  const { choices: all, extra } = response;
  const beside = extra ? textsIn(extra.fields) : [];
  return {
    texts: [...all.map(({ text }) => text), ...beside],
    said: all.length,
    with(replaced) {
      const choices = all.map((choice, at) => {
        const text = replaced[at] ?? null;
        if (text === null) return choice;
        const { logprobs: _, ...others } = choice;
        return { ...others, text };
      });
      const others = replaced.slice(all.length);
      if (!extra || others.every((text) => text === null)) return { ...response, choices };
      return { ...response, choices, extra: mapFields(extra, (text) => others.shift() ?? text) };
    },
  };
}
