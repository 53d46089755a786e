import { type Fields, isRecord, writeJson } from "../../../core/index.ts";

/** Where the events of a stream go; a whole answer has none of them. */
export interface EventSink {
  event(type: string, fields: Fields): void;
  /** A `prefix` made by `prefix`, then the text, then what follows it. */
  delta(prefix: string, text: string, after: string): void;
  /** The start of an event of which only the text changes. */
  prefix(type: string, fields: Fields): string;
}

type Kind = "output_text" | "refusal" | "summary_text" | "reasoning_text" | "function_call" | "custom_tool_call";

/** What the events of each kind of text are called, and where the text stands in its item. */
const kinds = {
  output_text: {
    delta: "response.output_text",
    part: "response.content_part",
    list: "content",
    index: "content_index",
    text: "text",
  },
  refusal: {
    delta: "response.refusal",
    part: "response.content_part",
    list: "content",
    index: "content_index",
    text: "refusal",
  },
  summary_text: {
    delta: "response.reasoning_summary_text",
    part: "response.reasoning_summary_part",
    list: "summary",
    index: "summary_index",
    text: "text",
  },
  reasoning_text: {
    delta: "response.reasoning_text",
    part: "response.content_part",
    list: "content",
    index: "content_index",
    text: "text",
  },
  function_call: {
    delta: "response.function_call_arguments",
    part: undefined,
    list: undefined,
    index: undefined,
    text: "arguments",
  },
  custom_tool_call: {
    delta: "response.custom_tool_call_input",
    part: undefined,
    list: undefined,
    index: undefined,
    text: "input",
  },
} as const satisfies Record<Kind, unknown>;

/** An item of the output, for the texts in it. */
export interface Place {
  readonly item: Fields;
  /** Its place in the output; of one that is told late, none. */
  readonly index: number;
  /** Its lists of texts, which nobody else has. */
  content?: unknown[];
  summary?: unknown[];
}

/** The list of an item's texts, to be changed. */
function ownList(open: Place, name: "content" | "summary"): unknown[] {
  const own = open[name];
  if (own) return own;
  const given: unknown = open.item[name];
  const list: unknown[] = Array.isArray(given) ? [...given] : [];
  open[name] = list;
  open.item[name] = list;
  return list;
}

/** One text that grows: a part of a message, a summary, the arguments of a call. */
export class TextWriter {
  readonly kind: Kind;
  text = "";
  readonly #sink: EventSink | undefined;
  readonly #open: Place;
  /** Its place in the list of its item. */
  readonly #at: number;
  /** What all events say of it; nobody is told where nobody listens. */
  readonly #place: Readonly<Fields>;
  readonly #prefix: string;
  readonly #fields: Readonly<Fields> | undefined;
  readonly #annotations: unknown[] = [];
  readonly #logprobs: unknown[] = [];
  #finished = false;

  constructor(sink: EventSink | undefined, kind: Kind, open: Place, fields?: Readonly<Fields>) {
    const { part, list } = kinds[kind];
    this.kind = kind;
    this.#sink = sink;
    this.#open = open;
    this.#fields = fields;
    const texts = list && ownList(open, list);
    this.#at = texts?.length ?? 0;
    this.#place = sink ? placeOf(kind, open, this.#at) : nowhere;
    this.#prefix = sink?.prefix(`${kinds[kind].delta}.delta`, this.#place) ?? "";
    if (!part || !texts) return;
    const begun = sink ? this.#part() : nowhere;
    texts.push(begun);
    sink?.event(`${part}.added`, Object.assign({}, this.#place, { part: begun }));
  }

  append(text: string, logprobs: readonly unknown[] = []): void {
    this.text += text;
    if (logprobs.length > 0) this.#logprobs.push(...logprobs);
    if (!this.#sink || (text === "" && logprobs.length === 0)) return;
    const after = this.kind === "output_text" ? `,"logprobs":${logprobs.length > 0 ? writeJson(logprobs) : "[]"}` : "";
    this.#sink.delta(this.#prefix, text, after);
  }

  annotate(annotation: unknown): void {
    const count = this.#annotations.push(annotation);
    const annotated = { annotation_index: count - 1, annotation };
    this.#sink?.event("response.output_text.annotation.added", Object.assign({}, this.#place, annotated));
    if (this.#finished) this.#keep(this.#part());
  }

  finish(): undefined {
    const { delta, part, list, text } = kinds[this.kind];
    this.#sink?.event(`${delta}.done`, Object.assign({}, this.#place, { [text]: this.text }, this.#beside()));
    if (!part || !list) {
      this.#open.item[text] = this.text;
      return;
    }
    const whole = this.#part();
    this.#sink?.event(`${part}.done`, Object.assign({}, this.#place, { part: whole }));
    this.#finished = true;
    this.#keep(whole);
  }

  /** Puts the text into its item as far as it came: nobody is told that it ends. */
  breakOff(): void {
    const { list, text } = kinds[this.kind];
    if (list) this.#keep(this.#part());
    else this.#open.item[text] = this.text;
  }

  /** Puts the part into its item as it is now. */
  #keep(part: Fields): void {
    const { list } = kinds[this.kind];
    if (list) ownList(this.#open, list)[this.#at] = part;
  }

  /** What an event says beside a text that is there as a whole. */
  #beside(): Fields {
    if (this.kind === "output_text") return { logprobs: this.#logprobs };
    return this.kind === "function_call" ? { name: this.#open.item.name } : {};
  }

  #part(): Fields {
    const { kind, text } = this;
    const part: Fields =
      kind === "output_text"
        ? { type: kind, text, annotations: [...this.#annotations], logprobs: [...this.#logprobs] }
        : { type: kind, [kinds[kind].text]: text };
    return this.#fields ? Object.assign(part, this.#fields) : part;
  }
}

const nowhere: Readonly<Fields> = {};

/** What the events of a text say of where it stands. */
function placeOf(kind: Kind, { item, index }: Place, at: number): Readonly<Fields> {
  const { index: counter } = kinds[kind];
  return { item_id: item.id, output_index: index, ...(counter && { [counter]: at }) };
}

/** The tokens of a piece of text, out of the shape the canonical model has for them. */
export const tokensIn = (logprobs: unknown): readonly unknown[] =>
  isRecord(logprobs) && Array.isArray(logprobs.content) ? logprobs.content : [];
