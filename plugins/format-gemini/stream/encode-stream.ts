import {
  type EncodeContext,
  type ErrorDetail,
  type Fields,
  type FinishChunk,
  isRecord,
  joined,
  ownFields,
  PartSpans,
  type StartChunk,
  type StreamChunk,
  type StreamEncoder,
  type TextDelta,
  type Usage,
  usageSoFar,
  writeJson,
  writeSignature,
} from "../../../core/index.ts";
import { streamError } from "../errors.ts";
import { formatName } from "../fields.ts";
import { CallProofs, written } from "../proof.ts";
import { encodeAnswerPart, encodeCall } from "../response/encode-part.ts";
import { encodeEnding, encodeHead, headFields, isBlocked, usageField } from "../response/encode-response.ts";
import { encodeLogprobs } from "../response/logprobs.ts";
import { groundingOf } from "../response/write-grounding.ts";
import { isWhole, type OpenCall } from "./open-call.ts";
import { events, list, type Wrapping } from "./wrapping.ts";

export const encodeStream = (context: EncodeContext): StreamEncoder => new GenerationEncoder(context, events);

/** The stream of a client that did not ask for events: a list that is written frame by frame. */
export const encodeListStream = (context: EncodeContext): StreamEncoder => new GenerationEncoder(context, list);

type ContentChunk = Extract<StreamChunk, { part: number }>;

/** What is known of a choice while it is written. */
interface OpenChoice {
  readonly calls: Map<number, OpenCall>;
  readonly proofs: CallProofs;
  /**
   * The text being written, and what is to be said at its end. The last piece of a thought waits for that: clients pass over
   * thoughts without text, and their signatures with them.
   */
  text?: { readonly part: number; readonly thought: boolean; note: Fields; held?: string };
  refused: boolean;
  said: boolean;
  finish?: FinishChunk;
  /** All text so far, where each part begins in it, and what is cited of which: places are counted from its beginning. */
  whole: string;
  readonly spans: PartSpans;
  readonly cited: TextDelta[];
}

class GenerationEncoder implements StreamEncoder {
  readonly #context: EncodeContext;
  readonly #wrapping: Wrapping;
  readonly #choices = new Map<number, OpenChoice>();
  #head: Omit<StartChunk, "type"> = {};
  /** What every frame ends with, once the head is known. */
  #tail = "";
  #usage: Usage | undefined;
  #frames = 0;
  #over = false;

  constructor(context: EncodeContext, wrapping: Wrapping) {
    this.#context = context;
    this.#wrapping = wrapping;
  }

  push(chunk: StreamChunk): string {
    if (this.#over) return "";
    switch (chunk.type) {
      case "start":
        this.#head = { ...this.#head, ...chunk };
        this.#tail = "";
        return "";
      case "moderation":
        return "";
      case "usage":
        this.#usage = usageSoFar(this.#usage, chunk.usage);
        return "";
      case "finish":
        this.#choice(chunk.choice).finish = chunk;
        return "";
      case "error":
        return this.fail(chunk.error);
      default:
        return this.#content(chunk);
    }
  }

  end(): string {
    if (this.#over) return "";
    this.#over = true;
    let text = "";
    const candidates: Fields[] = [];
    for (const [index, choice] of [...this.#choices].sort(([left], [right]) => left - right)) {
      text += this.#closeText(index, choice) + this.#flush(index, choice, true);
      const { finish } = choice;
      if (!finish) continue;
      // An empty text keeps clients from tripping over a candidate without content.
      const content = { parts: [{ text: "" }], role: "model" };
      candidates.push({ content, ...encodeEnding(finish, index, choice.refused, groundingOf(choice)) });
    }
    const first = [...this.#choices.values()].every(({ said }) => !said);
    const blocked = first && isBlocked(this.#head.extra);
    const extra = this.#choices.get(Math.min(...this.#choices.keys()))?.finish?.extra;
    const last = Object.assign(
      candidates.length > 0 && !blocked ? { candidates } : {},
      usageField(this.#usage, extra),
      encodeHead(this.#head, this.#context),
    );
    return text + this.#frame(last) + this.#wrapping.end(false);
  }

  fail(error: ErrorDetail): string {
    if (this.#over) return "";
    this.#over = true;
    let text = "";
    for (const [index, choice] of this.#choices) text += this.#untold(index, choice);
    return text + this.#wrapping.frame(streamError(error), this.#frames === 0) + this.#wrapping.broken;
  }

  #choice(index: number): OpenChoice {
    const known = this.#choices.get(index);
    if (known) return known;
    const choice: OpenChoice = {
      calls: new Map(),
      proofs: new CallProofs(),
      refused: false,
      said: false,
      whole: "",
      spans: new PartSpans(),
      cited: [],
    };
    this.#choices.set(index, choice);
    return choice;
  }

  #content(chunk: ContentChunk): string {
    const { choice: index, part } = chunk;
    const choice = this.#choice(index);
    switch (chunk.type) {
      case "text-delta":
        choice.spans.begin(part, choice.whole.length);
        if (chunk.citations) choice.cited.push(chunk);
        choice.whole += chunk.text;
        return this.#text(index, choice, part, chunk.text, false, chunk.extra && noteIn(chunk.extra), chunk.logprobs);
      case "thinking-delta":
        return this.#text(index, choice, part, chunk.text, true, ownFields(formatName, chunk.extra), undefined);
      case "thinking-signature":
        return this.#text(
          index,
          choice,
          part,
          "",
          true,
          { thoughtSignature: writeSignature(chunk, formatName) },
          undefined,
        );
      case "refusal-delta":
        choice.refused = true;
        return this.#text(index, choice, part, chunk.text, false, undefined, undefined);
      case "tool-call-start": {
        const { id, name, extra } = chunk;
        const before = this.#closeText(index, choice) + this.#flush(index, choice, false);
        choice.calls.set(part, { id, name, arguments: "", ...(extra && { extra }) });
        return before;
      }
      case "tool-call-delta": {
        const call = choice.calls.get(part);
        if (call) call.arguments += chunk.arguments;
        return "";
      }
      case "part": {
        let text = this.#closeText(index, choice) + this.#flush(index, choice, false);
        for (const wire of encodeAnswerPart(chunk.value)) text += this.#part(index, choice, wire);
        return text;
      }
    }
  }

  #text(
    index: number,
    choice: OpenChoice,
    part: number,
    text: string,
    thought: boolean,
    note: Readonly<Fields> | undefined,
    logprobs: unknown,
  ): string {
    let before = "";
    if (choice.text?.part !== part || choice.text.thought !== thought) {
      before = this.#closeText(index, choice) + this.#flush(index, choice, false);
      choice.text = { part, thought, note: {} };
    }
    if (note && Object.keys(note).length > 0) choice.text.note = said(choice.text.note, note);
    const logprobsResult = logprobs === undefined ? undefined : encodeLogprobs(logprobs);
    if (text === "" && !logprobsResult) return before;
    if (thought) {
      before += this.#held(index, choice);
      choice.text.held = text;
      return before;
    }
    return (
      before + this.#candidate(index, choice, `{"text":${JSON.stringify(text)}}`, logprobsResult && { logprobsResult })
    );
  }

  /** The piece of a thought that waits, with nothing to say of the whole. */
  #held(index: number, { text }: OpenChoice): string {
    if (text?.held === undefined) return "";
    const wire = `{"text":${JSON.stringify(text.held)},"thought":true}`;
    delete text.held;
    return this.#candidate(index, this.#choice(index), wire);
  }

  /** What is said of a text, its signature above all, comes after it. */
  #closeText(index: number, choice: OpenChoice): string {
    const { text } = choice;
    if (!text) return "";
    delete choice.text;
    const { held = "", thought, note } = text;
    if (held === "" && Object.keys(note).length === 0) return "";
    const { thoughtSignature: proof } = note;
    const proven = typeof proof === "string" ? Object.assign({}, note, { thoughtSignature: written(proof) }) : note;
    return this.#part(index, choice, { text: held, ...(thought && { thought: true }), ...proven });
  }

  /** Writes the calls that are complete, in their order; at the end those that never became so as well. */
  #flush(index: number, choice: OpenChoice, isEnd: boolean): string {
    let text = "";
    for (const [part, call] of choice.calls) {
      if (!isEnd && !isWhole(call)) break;
      choice.calls.delete(part);
      text += this.#part(index, choice, choice.proofs.mark(encodeCall(call)));
    }
    return text;
  }

  /** What of an answer that breaks off waits for its end: whole calls behind others, and what its text is cited from. */
  #untold(index: number, choice: OpenChoice): string {
    for (const [part, call] of choice.calls) if (!isWhole(call)) choice.calls.delete(part);
    const text = this.#held(index, choice) + this.#flush(index, choice, false);
    const groundingMetadata = groundingOf(choice).written();
    return groundingMetadata ? text + this.#candidate(index, choice, '{"text":""}', { groundingMetadata }) : text;
  }

  #part(index: number, choice: OpenChoice, part: Fields): string {
    return this.#candidate(index, choice, writeJson(part));
  }

  /** A frame with a part of a choice, which is JSON already. */
  #candidate(index: number, choice: OpenChoice, part: string, more?: Fields): string {
    choice.said = true;
    const rest = more ? `,${writeJson(more).slice(1, -1)}` : "";
    const candidate = `{"content":{"parts":[${part}],"role":"model"},"index":${index}${rest}}`;
    const isFirst = this.#frames === 0;
    if (!isFirst) this.#tail ||= this.#ending({});
    const tail = isFirst ? this.#ending(headFields(this.#head.extra)) : this.#tail;
    return this.#wrapped(`{"candidates":[${candidate}]${tail}`);
  }

  /** What a frame says behind its candidates. */
  #ending(first: Readonly<Fields>): string {
    return `,${writeJson({ ...encodeHead(this.#head, this.#context), ...first }).slice(1)}`;
  }

  /** The first frame says what is known of the whole answer. */
  #frame(wire: Fields): string {
    const first = this.#frames === 0 ? headFields(this.#head.extra) : {};
    return this.#wrapped(writeJson({ ...wire, ...first }));
  }

  #wrapped(json: string): string {
    return this.#wrapping.frame(json, this.#frames++ === 0);
  }
}

function noteIn(extra: NonNullable<StartChunk["extra"]>): Fields {
  const { thought_signature: thoughtSignature, ...fields } = ownFields(formatName, extra);
  return thoughtSignature === undefined ? fields : Object.assign(fields, { thoughtSignature });
}

/** Pieces of a signature are one signature. */
function said(before: Fields, note: Readonly<Fields>): Fields {
  const { thoughtSignature: had } = before;
  const { thoughtSignature: more } = note;
  const all = isRecord(before) ? joined(note, before) : { ...note };
  return typeof had === "string" && typeof more === "string" ? { ...all, thoughtSignature: had + more } : all;
}
