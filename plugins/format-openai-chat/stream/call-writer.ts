import { type EncodeContext, type Fields, InputReader, isCustomCall, type ToolCallStart } from "../../../core/index.ts";
import { fieldsOf } from "../extra.ts";
import { without } from "../response/encode-response.ts";
import { signatureOf } from "../response/proofs.ts";

interface OpenCall {
  /** Clients count calls, not parts. */
  readonly ordinal: number;
  /** Of a call whose arguments are free text: takes it out of them. */
  readonly input?: InputReader | undefined;
}

/** Writes the tool calls of a choice as deltas. */
export class CallWriter {
  readonly #context: EncodeContext;
  readonly #calls = new Map<number, OpenCall>();
  /** Whether some call has free text. */
  #anyFree = false;

  constructor(context: EncodeContext) {
    this.#context = context;
  }

  start(call: Omit<ToolCallStart, "type" | "choice">): string {
    const { part, id, name, extra } = call;
    const { strict } = this.#context;
    const free = isCustomCall(call, this.#context);
    if (free) this.#anyFree = true;
    const { ordinal } = this.#open(part, free ? new InputReader() : undefined);
    const { inner, outer } = fieldsOf(extra);
    const more = { ...without(inner, strict), ...(strict ? {} : signatureOf(extra)) };
    const wire: Fields = free
      ? { index: ordinal, id, type: "custom", custom: { name, input: "", ...more }, ...outer }
      : { index: ordinal, id, type: "function", function: { name, arguments: "", ...more }, ...outer };
    return JSON.stringify({ tool_calls: [wire] });
  }

  /** More arguments of a call; empty where nothing can be said of them yet. */
  more(part: number, text: string): string {
    const { ordinal, input } = this.#calls.get(part) ?? this.#open(part, undefined);
    if (input) return inputDelta(ordinal, input.push(text));
    return `{"tool_calls":[{"index":${ordinal},"function":{"arguments":${JSON.stringify(text)}}}]}`;
  }

  /** What is left of free texts when no more arguments come. */
  rest(): readonly string[] {
    if (!this.#anyFree) return none;
    const left: string[] = [];
    for (const { ordinal, input } of this.#calls.values()) {
      const delta = input && inputDelta(ordinal, input.end());
      if (delta) left.push(delta);
    }
    return left;
  }

  #open(part: number, input: InputReader | undefined): OpenCall {
    const call = { ordinal: this.#calls.get(part)?.ordinal ?? this.#calls.size, input };
    this.#calls.set(part, call);
    return call;
  }
}

const none: readonly string[] = [];

const inputDelta = (ordinal: number, text: string): string =>
  text === "" ? "" : `{"tool_calls":[{"index":${ordinal},"custom":{"input":${JSON.stringify(text)}}}]}`;
