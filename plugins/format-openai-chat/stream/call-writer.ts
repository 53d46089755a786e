import {
  type EncodeContext,
  type Fields,
  InputReader,
  isCustomCall,
  jsonArguments,
  type ToolCallStart,
  writeJson,
} from "../../../core/index.ts";
import { fieldsOf } from "../extra.ts";
import { knowsFunctionsOnly } from "../request/functions.ts";
import { without } from "../response/encode-response.ts";
import { signatureOf } from "../response/proofs.ts";

interface OpenCall {
  /** Clients count calls, not parts. */
  readonly ordinal: number;
  /** Of a call whose arguments are free text: takes it out of them. */
  readonly input?: InputReader | undefined;
  /** Nothing but white space has been said of the arguments. */
  blank: boolean;
}

/** Writes the tool calls of a choice as deltas. */
export class CallWriter {
  readonly #context: EncodeContext;
  readonly #calls = new Map<number, OpenCall>();
  /** Whether the client knows one call a message only, of a function; asked when there is a call. */
  #old: boolean | undefined;

  constructor(context: EncodeContext) {
    this.#context = context;
  }

  /** Whether a function was called, and no tool. */
  get isOld(): boolean {
    return this.#calls.size > 0 && this.#old === true;
  }

  /** Empty where the client has no place for the call. */
  start(call: Omit<ToolCallStart, "type" | "choice">): string {
    const { part, id, name, extra } = call;
    const { strict } = this.#context;
    const free = isCustomCall(call, this.#context);
    const { ordinal } = this.#open(part, free ? new InputReader() : undefined);
    const { inner, outer } = fieldsOf(extra);
    const more = { ...without(inner, strict), ...(strict ? {} : signatureOf(extra)) };
    this.#old ??= knowsFunctionsOnly(this.#context.asked);
    if (this.#old) return ordinal > 0 ? "" : writeJson({ function_call: { name, arguments: "", ...more } });
    const wire: Fields = free
      ? { index: ordinal, id, type: "custom", custom: { name, input: "", ...more }, ...outer }
      : { index: ordinal, id, type: "function", function: { name, arguments: "", ...more }, ...outer };
    return writeJson({ tool_calls: [wire] });
  }

  /** More arguments of a call; empty where nothing can be said of them yet. */
  more(part: number, text: string): string {
    const call = this.#calls.get(part) ?? this.#open(part, undefined);
    const { ordinal, input } = call;
    if (input) return inputDelta(ordinal, input.push(text));
    if (call.blank) call.blank = text.trim() === "";
    return this.#arguments(ordinal, text);
  }

  #arguments(ordinal: number, text: string): string {
    if (!this.#old) return argumentsDelta(ordinal, text);
    return ordinal > 0 ? "" : `{"function_call":{"arguments":${JSON.stringify(text)}}}`;
  }

  /** What is left to say when no more arguments come: the ends of free texts, and arguments where there were none. */
  rest(): readonly string[] {
    const left: string[] = [];
    for (const call of this.#calls.values()) {
      const { ordinal, input, blank } = call;
      const last = blank ? this.#arguments(ordinal, jsonArguments("")) : "";
      const delta = input ? inputDelta(ordinal, input.end()) : last;
      call.blank = false;
      if (delta !== "") left.push(delta);
    }
    return left;
  }

  #open(part: number, input: InputReader | undefined): OpenCall {
    const call = { ordinal: this.#calls.get(part)?.ordinal ?? this.#calls.size, input, blank: true };
    this.#calls.set(part, call);
    return call;
  }
}

const argumentsDelta = (ordinal: number, text: string): string =>
  `{"tool_calls":[{"index":${ordinal},"function":{"arguments":${JSON.stringify(text)}}}]}`;

const inputDelta = (ordinal: number, text: string): string =>
  text === "" ? "" : `{"tool_calls":[{"index":${ordinal},"custom":{"input":${JSON.stringify(text)}}}]}`;
