import type { ChatResponse, Choice, FinishReason, Moderated } from "../../model/chat.ts";
import type { CompletionResponse } from "../../model/completion.ts";
import type { AssistantPart, Extra } from "../../model/content.ts";
import type { FinishChunk, StartChunk, StreamChunk, TextDelta, ToolCallStart } from "../../model/stream.ts";
import type { Usage } from "../../model/usage.ts";
import type { Draft } from "../records.ts";
import { usageSoFar } from "../usage/usage-so-far.ts";
import { GrowingLists } from "./growing-lists.ts";

type OpenPart = Record<string, unknown>;

/** What a piece begins where nothing has. */
type Begun = "text" | "thinking" | "refusal" | "tool-call";

interface OpenChoice {
  readonly parts: Map<number, OpenPart>;
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

export const assembler = (): Assembler => new Assembly();

interface Head {
  id?: string;
  model?: string;
  created?: number;
  extra?: Extra;
}

class Assembly implements Assembler {
  readonly #choices = new Map<number, OpenChoice>();
  /** Citations, log probabilities and lists of vendors' own. */
  readonly #lists = new GrowingLists();
  readonly #head: Head = {};
  #moderation: Moderated | undefined;
  #usage: Usage | undefined;

  get usage(): Usage | undefined {
    return this.#usage;
  }

  add(chunk: StreamChunk): void {
    switch (chunk.type) {
      case "start":
        return this.#begin(chunk);
      case "text-delta":
        return this.#text(chunk);
      case "thinking-delta":
        this.#append(this.#part(chunk, "thinking"), "text", chunk.text, chunk.extra);
        return;
      case "thinking-signature": {
        const part = this.#part(chunk, "thinking");
        this.#append(part, "signature", chunk.signature);
        if (chunk.signer !== undefined) part.signer ??= chunk.signer;
        return;
      }
      case "refusal-delta":
        this.#append(this.#part(chunk, "refusal"), "text", chunk.text, chunk.extra);
        return;
      case "tool-call-start": {
        const { parts } = this.#choice(chunk.choice);
        if (!parts.has(chunk.part)) parts.set(chunk.part, callOf(chunk.id, chunk.name, chunk));
        return;
      }
      case "tool-call-delta":
        this.#append(this.#part(chunk, "tool-call"), "arguments", chunk.arguments);
        return;
      case "part":
        this.#choice(chunk.choice).parts.set(chunk.part, { ...chunk.value });
        return;
      case "finish":
        return this.#finish(chunk);
      case "moderation":
        this.#moderation = Object.assign({}, this.#moderation, chunk.moderation);
        return;
      case "usage":
        this.#usage = usageSoFar(this.#usage, chunk.usage);
        return;
      case "error":
    }
  }

  chat(): ChatResponse {
    const answer = this.#whole(inOrder(this.#choices, chatChoice));
    return this.#moderation ? Object.assign(answer, { moderation: this.#moderation }) : answer;
  }

  completion(): CompletionResponse {
    return this.#whole(inOrder(this.#choices, completionChoice));
  }

  #begin({ id, model, created, extra }: StartChunk): void {
    if (id !== undefined) this.#head.id = id;
    if (model !== undefined) this.#head.model = model;
    if (created !== undefined) this.#head.created = created;
    if (extra !== undefined) this.#head.extra = extra;
  }

  #text({ choice, part, text, extra, citations, logprobs }: TextDelta): void {
    const open = this.#choice(choice);
    const known = partIn(open, part, "text");
    this.#append(known, "text", text, extra);
    if (citations) known.citations = this.#lists.joined((known.citations as unknown[]) ?? [], citations);
    if (logprobs !== undefined) open.logprobs = mergeLogprobs(open.logprobs, logprobs, this.#lists);
  }

  #append(part: OpenPart, field: string, text: string, extra?: Extra): void {
    part[field] = `${part[field] ?? ""}${text}`;
    if (extra) part.extra = mergeExtra(part.extra as Extra | undefined, extra, this.#lists);
  }

  #finish({ choice, reason, rawReason, stopSequence, extra }: FinishChunk): void {
    const open = this.#choice(choice);
    open.reason = reason;
    if (rawReason !== undefined) open.rawReason = rawReason;
    if (stopSequence !== undefined) open.stopSequence = stopSequence;
    if (extra) open.extra = extra;
  }

  #choice(index: number): OpenChoice {
    const known = this.#choices.get(index);
    if (known) return known;
    const choice: OpenChoice = { parts: new Map(), reason: "other" };
    this.#choices.set(index, choice);
    return choice;
  }

  #part({ choice, part }: { readonly choice: number; readonly part: number }, type: Begun): OpenPart {
    return partIn(this.#choice(choice), part, type);
  }

  #whole<Choice>(choices: Choice[]): Head & { choices: Choice[]; usage?: Usage } {
    return Object.assign({}, this.#head, this.#usage ? { choices, usage: this.#usage } : { choices });
  }
}

function partIn({ parts }: OpenChoice, index: number, type: Begun): OpenPart {
  const known = parts.get(index);
  if (known) return known;
  const part: OpenPart = type === "tool-call" ? callOf("", "") : { type, text: "" };
  parts.set(index, part);
  return part;
}

const callOf = (
  id: string,
  name: string,
  { custom, extra }: Pick<ToolCallStart, "custom" | "extra"> = {},
): OpenPart => ({
  type: "tool-call",
  id,
  name,
  arguments: "",
  ...(custom && { custom }),
  ...(extra && { extra }),
});

/** What is made of the members of a map, by their numbers. They mostly are in order: most answers have one of them. */
function inOrder<Member, Made>(members: Map<number, Member>, make: (member: Member, index: number) => Made): Made[] {
  const made: Made[] = [];
  let last = Number.NEGATIVE_INFINITY;
  for (const [index, member] of members) {
    if (index < last) return inOrder(new Map([...members].sort(([left], [right]) => left - right)), make);
    last = index;
    made.push(make(member, index));
  }
  return made;
}

const contentOf = ({ parts }: OpenChoice): AssistantPart[] => inOrder(parts, asPart).filter(isSaid);

const asPart = (part: OpenPart): AssistantPart => part as unknown as AssistantPart;

const isSaid = (part: AssistantPart): boolean =>
  !(part.type === "text" && part.text === "" && part.citations === undefined);

const completionChoice = (choice: OpenChoice, index: number): CompletionResponse["choices"][number] => ({
  index,
  text: contentOf(choice).reduce((all, part) => (part.type === "text" ? all + part.text : all), ""),
  finishReason: choice.reason,
  ...(choice.rawReason !== undefined && { rawFinishReason: choice.rawReason }),
  ...(choice.logprobs !== undefined && { logprobs: choice.logprobs }),
});

function chatChoice(choice: OpenChoice, index: number): Choice {
  const { reason: finishReason, rawReason, stopSequence, logprobs, extra } = choice;
  const made: Draft<Choice> = { index, content: contentOf(choice), finishReason };
  if (rawReason !== undefined) made.rawFinishReason = rawReason;
  if (stopSequence !== undefined) made.stopSequence = stopSequence;
  if (logprobs !== undefined) made.logprobs = logprobs;
  if (extra) made.extra = extra;
  return made;
}

/** Later words win, and lists that come in pieces are joined. */
function mergeExtra(before: Extra | undefined, next: Extra, lists: GrowingLists): Extra {
  if (!before) return next;
  const fields: Record<string, unknown> = { ...before.fields };
  for (const [name, value] of Object.entries(next.fields)) {
    const had = fields[name];
    fields[name] = Array.isArray(had) && Array.isArray(value) ? lists.joined(had, value) : value;
  }
  return { ...before, ...next, fields };
}

/** Log probabilities are objects of lists (`content`, `refusal`, or `tokens`, …): the lists are joined field by field. */
function mergeLogprobs(before: unknown, next: unknown, lists: GrowingLists): unknown {
  if (before === undefined || before === null) return next;
  if (next === undefined || next === null) return before;
  const merged: Record<string, unknown> = { ...(before as Record<string, unknown>) };
  for (const [field, value] of Object.entries(next as Record<string, unknown>)) {
    const had = merged[field];
    merged[field] = Array.isArray(had) && Array.isArray(value) ? lists.joined(had, value) : (value ?? had);
  }
  return merged;
}
