import type { ChatResponse, Choice, FinishReason } from "../model/chat.ts";
import type { CompletionResponse } from "../model/completion.ts";
import type { AssistantPart, Extra } from "../model/content.ts";
import type { StreamChunk } from "../model/stream.ts";
import type { Usage } from "../model/usage.ts";

interface OpenChoice {
  parts: Map<number, Record<string, unknown>>;
  reason: FinishReason;
  rawReason?: string;
  stopSequence?: string;
  logprobs?: unknown;
  extra?: Extra;
}

/** Collects the chunks of a stream into what the whole-answer codec would have given. */
export interface Assembler {
  add(chunk: StreamChunk): void;
  chat(): ChatResponse;
  completion(): CompletionResponse;
  readonly usage: Usage | undefined;
}

export function assembler(): Assembler {
  const choices = new Map<number, OpenChoice>();
  let head: { id?: string; model?: string; created?: number; extra?: Extra } = {};
  let usage: Usage | undefined;

  const choiceOf = (index: number): OpenChoice => {
    const known = choices.get(index);
    if (known) return known;
    const choice: OpenChoice = { parts: new Map(), reason: "other" };
    choices.set(index, choice);
    return choice;
  };
  const partOf = (choice: number, index: number, fresh: () => Record<string, unknown>): Record<string, unknown> => {
    const { parts } = choiceOf(choice);
    const known = parts.get(index);
    if (known) return known;
    const part = fresh();
    parts.set(index, part);
    return part;
  };
  const append = (part: Record<string, unknown>, field: string, text: string) => {
    part[field] = `${part[field] ?? ""}${text}`;
  };

  return {
    add(chunk) {
      switch (chunk.type) {
        case "start": {
          const { type: _, ...rest } = chunk;
          head = { ...head, ...rest };
          break;
        }
        case "text-delta": {
          const part = partOf(chunk.choice, chunk.part, () => ({ type: "text", text: "" }));
          append(part, "text", chunk.text);
          if (chunk.extra) part.extra = mergeExtra(part.extra as Extra | undefined, chunk.extra);
          if (chunk.citations) part.citations = [...((part.citations as unknown[]) ?? []), ...chunk.citations];
          if (chunk.logprobs !== undefined) {
            const choice = choiceOf(chunk.choice);
            choice.logprobs = mergeLogprobs(choice.logprobs, chunk.logprobs);
          }
          break;
        }
        case "thinking-delta": {
          const part = partOf(chunk.choice, chunk.part, () => ({ type: "thinking", text: "" }));
          append(part, "text", chunk.text);
          if (chunk.extra) part.extra = mergeExtra(part.extra as Extra | undefined, chunk.extra);
          break;
        }
        case "thinking-signature":
          append(
            partOf(chunk.choice, chunk.part, () => ({ type: "thinking", text: "" })),
            "signature",
            chunk.signature,
          );
          break;
        case "refusal-delta": {
          const part = partOf(chunk.choice, chunk.part, () => ({ type: "refusal", text: "" }));
          append(part, "text", chunk.text);
          if (chunk.extra) part.extra = mergeExtra(part.extra as Extra | undefined, chunk.extra);
          break;
        }
        case "tool-call-start": {
          const { id, name, extra } = chunk;
          partOf(chunk.choice, chunk.part, () => ({
            type: "tool-call",
            id,
            name,
            arguments: "",
            ...(extra && { extra }),
          }));
          break;
        }
        case "tool-call-delta": {
          const part = partOf(chunk.choice, chunk.part, () => ({ type: "tool-call", id: "", name: "", arguments: "" }));
          append(part, "arguments", chunk.arguments);
          break;
        }
        case "part":
          choiceOf(chunk.choice).parts.set(chunk.part, { ...chunk.value });
          break;
        case "finish": {
          const choice = choiceOf(chunk.choice);
          choice.reason = chunk.reason;
          if (chunk.rawReason !== undefined) choice.rawReason = chunk.rawReason;
          if (chunk.stopSequence !== undefined) choice.stopSequence = chunk.stopSequence;
          if (chunk.extra) choice.extra = chunk.extra;
          break;
        }
        case "usage":
          usage = { ...usage, ...chunk.usage };
          break;
        case "error":
          break;
      }
    },
    chat: () => ({ ...head, choices: sorted(choices).map(chatChoice), ...(usage && { usage }) }),
    completion: () => ({
      ...head,
      choices: sorted(choices).map(([index, choice]) => ({
        index,
        text: contentOf(choice).reduce((all, part) => (part.type === "text" ? all + part.text : all), ""),
        finishReason: choice.reason,
        ...(choice.rawReason !== undefined && { rawFinishReason: choice.rawReason }),
        ...(choice.logprobs !== undefined && { logprobs: choice.logprobs }),
      })),
      ...(usage && { usage }),
    }),
    get usage() {
      return usage;
    },
  };
}

const sorted = (choices: Map<number, OpenChoice>) => [...choices].sort(([left], [right]) => left - right);

const contentOf = (choice: OpenChoice): AssistantPart[] =>
  [...choice.parts]
    .sort(([left], [right]) => left - right)
    .map(([, part]) => part as unknown as AssistantPart)
    .filter((part) => !(part.type === "text" && part.text === "" && part.citations === undefined));

const chatChoice = ([index, choice]: [number, OpenChoice]): Choice => ({
  index,
  content: contentOf(choice),
  finishReason: choice.reason,
  ...(choice.rawReason !== undefined && { rawFinishReason: choice.rawReason }),
  ...(choice.stopSequence !== undefined && { stopSequence: choice.stopSequence }),
  ...(choice.logprobs !== undefined && { logprobs: choice.logprobs }),
  ...(choice.extra && { extra: choice.extra }),
});

/** Later words win, and lists that come in pieces are joined. */
function mergeExtra(before: Extra | undefined, next: Extra): Extra {
  if (!before) return next;
  const fields: Record<string, unknown> = { ...before.fields };
  for (const [name, value] of Object.entries(next.fields)) {
    const had = fields[name];
    fields[name] = Array.isArray(had) && Array.isArray(value) ? [...had, ...value] : value;
  }
  return { ...before, ...next, fields };
}

/** Log probabilities are objects of lists (`content`, `refusal`, or `tokens`, …): the lists are joined field by field. */
function mergeLogprobs(before: unknown, next: unknown): unknown {
  if (before === undefined || before === null) return next;
  if (next === undefined || next === null) return before;
  const merged: Record<string, unknown> = { ...(before as Record<string, unknown>) };
  for (const [field, value] of Object.entries(next as Record<string, unknown>)) {
    const had = merged[field];
    merged[field] = Array.isArray(had) && Array.isArray(value) ? [...had, ...value] : (value ?? had);
  }
  return merged;
}
