import {
  type Fields,
  isDone,
  isRecord,
  parseFrame,
  raise,
  type StreamChunk,
  type StreamDecoder,
  type WireEvent,
} from "../../../core/index.ts";
import { decodeError } from "../errors.ts";
import { decodeEnd, decodeStart } from "../response/decode-response.ts";
import { usageOf } from "../response/usage.ts";
import { ItemReader, type TextKind } from "./item-reader.ts";
import { isFailure, isGiven, typeOf } from "./stream-end.ts";

const none: readonly StreamChunk[] = [];

export const decodeStream = (): StreamDecoder => new ResponseDecoder();

/** Events about texts: what the text is, and where its place in the item is told. */
const texts: Readonly<Record<string, readonly [kind: TextKind, index: string]>> = {
  "response.output_text": ["output_text", "content_index"],
  "response.refusal": ["refusal", "content_index"],
  "response.reasoning_summary_text": ["summary_text", "summary_index"],
  "response.reasoning_text": ["reasoning_text", "content_index"],
};

const textOf = (value: unknown): string => (typeof value === "string" ? value : "");
const numberOf = (value: unknown): number => (typeof value === "number" ? value : 0);

/**
 * created → (item added → its pieces → item done)* → completed | incomplete | failed
 *
 * Items may overlap. Only one of the last three ends an answer: a stream without it is truncated. Events of built-in
 * tools say nothing their finished item does not say; those newer than this file are skipped.
 */
class ResponseDecoder implements StreamDecoder {
  readonly #items = new ItemReader();
  #started = false;
  #over: "given" | "failed" | undefined;

  push(event: WireEvent): Iterable<StreamChunk> {
    if (this.#over || isDone(event)) return none;
    const frame = parseFrame(event.data);
    const type = typeOf(event, frame);
    if (isFailure(type, frame)) {
      this.#over = "failed";
      const usage = isRecord(frame.response) ? usageOf(frame.response) : undefined;
      const error: StreamChunk = { type: "error", error: decodeError(frame) ?? { message: "The response failed." } };
      return usage ? [{ type: "usage", usage }, error] : [error];
    }
    const chunks: StreamChunk[] = [];
    const response = isRecord(frame.response) ? frame.response : undefined;
    if (!this.#started && (response || typeof frame.output_index === "number")) {
      this.#started = true;
      chunks.push(decodeStart(response ?? {}));
    }
    if (isGiven(type)) this.#end(response ?? {}, chunks);
    else if (typeof type === "string") this.#item(type, frame, chunks);
    return chunks;
  }

  get over(): boolean {
    return this.#over === "given";
  }

  end(): Iterable<StreamChunk> {
    if (!this.#over) raise("upstream_truncated", "The stream ended before the response was completed.");
    return none;
  }

  #item(type: string, frame: Fields, chunks: StreamChunk[]): void {
    const index = numberOf(frame.output_index);
    switch (type) {
      case "response.output_item.added":
        if (isRecord(frame.item)) this.#items.begin(index, frame.item, chunks);
        return;
      case "response.output_item.done":
        if (isRecord(frame.item)) this.#items.finish(index, frame.item, chunks);
        return;
      case "response.function_call_arguments.delta":
      case "response.custom_tool_call_input.delta":
        return this.#items.arguments(index, textOf(frame.delta), chunks);
      case "response.custom_tool_call_input.done":
        return this.#items.finishArguments(index, textOf(frame.input), chunks);
      case "response.function_call_arguments.done":
        return this.#items.finishArguments(index, textOf(frame.arguments), chunks);
      case "response.output_text.annotation.added":
        return this.#items.annotation(index, numberOf(frame.content_index), frame.annotation, chunks);
      default:
        this.#text(type, index, frame, chunks);
    }
  }

  #text(type: string, index: number, frame: Fields, chunks: StreamChunk[]): void {
    const dot = type.lastIndexOf(".");
    const found = texts[type.slice(0, dot)];
    if (!found) return;
    const [kind, place] = found;
    const at = numberOf(frame[place]);
    const step = type.slice(dot + 1);
    if (step === "delta") this.#items.text(index, kind, at, textOf(frame.delta), chunks, frame.logprobs);
    else if (step === "done")
      this.#items.finishText(index, kind, at, textOf(frame.text ?? frame.refusal), chunks, frame.logprobs);
  }

  /** Some vendors send nothing but the end: the items stand in it, too. */
  #end(response: Readonly<Fields>, chunks: StreamChunk[]): void {
    this.#over = "given";
    const output: readonly unknown[] = Array.isArray(response.output) ? response.output : [];
    if (!this.#items.any)
      for (const [index, item] of output.entries()) if (isRecord(item)) this.#items.finish(index, item, chunks);
    decodeEnd(response, this.#items.called, chunks);
  }
}
