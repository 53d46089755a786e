import {
  type Fields,
  GatewayError,
  isRecord,
  jsonOr,
  leftovers,
  lookUp,
  parseFrame,
  proofChunks,
  raise,
  type StreamChunk,
  type StreamDecoder,
  TextFrames,
  type WireEvent,
  writeJson,
} from "../../../core/index.ts";
import { citationMark } from "../blocks/citations.ts";
import { opaque } from "../blocks/decode-plain.ts";
import { decodeError } from "../errors.ts";
import { extraOf, formatName } from "../fields.ts";
import { decodeHead } from "../response/response.ts";
import { decodeStopReason } from "../response/stop-reason.ts";
import { decodeUsage, usageAtEnd } from "../response/usage.ts";
import { fieldsOf, redactedWire, toolUseWire } from "../wire.ts";

/** A block between its start and its stop. Its part is numbered when it first says something: empty text has none. */
interface OpenBlock {
  readonly kind: "text" | "thinking" | "tool-call" | "redacted" | "opaque";
  /** The block as it started, with what deltas said about an opaque one. */
  value: Fields;
  part?: number;
  /** Citations of a text, which are about it as a whole: they are told when it is. */
  readonly citations: unknown[];
  /** JSON of the arguments, for blocks that are given whole at their stop; for tools, whether there was any. */
  json: string;
}

const kinds: Readonly<Record<string, OpenBlock["kind"]>> = {
  text: "text",
  thinking: "thinking",
  tool_use: "tool-call",
  redacted_thinking: "redacted",
};
const redactedFields = fieldsOf(redactedWire);
const toolUseFields = fieldsOf(toolUseWire);

const stopFields = new Set(["stop_reason", "stop_sequence"]);
const deltaEventFields = new Set(["type", "delta", "usage"]);

/** message_start → (content_block_start → content_block_delta* → content_block_stop)* → message_delta → message_stop */
export function decodeStream(): StreamDecoder {
  return new MessageDecoder();
}

class MessageDecoder implements StreamDecoder {
  readonly #open = new Map<number, OpenBlock>();
  /** What the event being read has given so far. */
  #chunks: StreamChunk[] = [];
  readonly #alike = new TextFrames(({ delta }) => (isRecord(delta) ? delta.text : undefined));
  #parts = 0;
  #started = false;
  #finished = false;
  #failed = false;

  push(event: WireEvent): readonly StreamChunk[] {
    // Some hosts end this format the way another one ends.
    if (this.#failed || event.data === "[DONE]") return [];
    const known = this.#alike.decoded(event);
    if (known) return known;
    // Any other frame may end the block.
    this.#alike.forget();
    this.#chunks = [];
    this.#take(parseFrame(event.data), event.event);
    this.#alike.learn(event, this.#chunks);
    return this.#chunks;
  }

  #take(wire: Fields, event: string | undefined): void {
    switch (typeof wire.type === "string" ? wire.type : event) {
      case "message_start":
        this.#start(isRecord(wire.message) ? wire.message : {});
        break;
      case "content_block_start":
        this.#openBlock(indexOf(wire), wire.content_block);
        break;
      case "content_block_delta":
        this.#delta(indexOf(wire), wire.delta);
        break;
      case "content_block_stop":
        this.#closeBlock(indexOf(wire));
        break;
      case "message_delta":
        this.#finish(wire);
        break;
      case "error":
        this.#failed = true;
        this.#chunks.push({
          type: "error",
          error: decodeError(wire) ?? { message: "The upstream reported an error." },
        });
        break;
      default: // ping, message_stop, and events newer than this file
    }
  }

  /** Nothing but `message_stop` follows what says why the answer ended. */
  get over(): boolean {
    return this.#finished;
  }

  end(): readonly StreamChunk[] {
    if (!this.#finished && !this.#failed)
      raise("upstream_truncated", "The stream ended before the message was finished.");
    return [];
  }

  #start(message: Fields): void {
    if (this.#started) return;
    this.#started = true;
    this.#chunks.push({ type: "start", ...decodeHead(message) });
    const usage = decodeUsage(message.usage);
    if (usage) this.#chunks.push({ type: "usage", usage });
  }

  #ensureStart(): void {
    if (!this.#started) this.#start({});
  }

  #openBlock(index: number, value: unknown): void {
    if (!isRecord(value) || typeof value.type !== "string") malformed("A content block has no type.");
    const { id = "", name = "" } = value;
    if (typeof id !== "string" || typeof name !== "string") malformed("The id or the name of a block is not text.");
    this.#ensureStart();
    // Some vendors use one index for all blocks, and stop none.
    if (this.#open.has(index)) this.#closeBlock(index);
    const block: OpenBlock = { kind: lookUp(kinds, value.type) ?? "opaque", value, citations: [], json: "" };
    this.#open.set(index, block);
    switch (block.kind) {
      case "text":
        if (Array.isArray(value.citations)) block.citations.push(...value.citations);
        this.#text(block, value.text);
        break;
      case "thinking":
        this.#thinking(block, value.thinking, value.signature);
        break;
      case "tool-call": {
        const extra = extraOf(leftovers(value, toolUseFields));
        this.#chunks.push({ type: "tool-call-start", choice: 0, part: this.#partOf(block), id, name, ...extra });
        break;
      }
      case "redacted": {
        const data = typeof value.data === "string" ? value.data : "";
        const extra = extraOf(leftovers(value, redactedFields));
        const part = this.#partOf(block);
        this.#chunks.push({ type: "part", choice: 0, part, value: { type: "redacted-thinking", data, ...extra } });
        break;
      }
      case "opaque":
        this.#partOf(block);
    }
  }

  #delta(index: number, delta: unknown): void {
    const block = this.#open.get(index) ?? malformed(`Content block ${index} was used before it started.`);
    if (!isRecord(delta)) malformed("A content block delta is not an object.");
    if (delta.type === "text_delta" && block.kind === "text") this.#text(block, delta.text);
    else if (delta.type === "input_json_delta") this.#json(block, delta.partial_json);
    else if (delta.type === "thinking_delta" && block.kind === "thinking")
      this.#thinking(block, delta.thinking, undefined);
    else if (delta.type === "signature_delta" && block.kind === "thinking")
      this.#thinking(block, undefined, delta.signature);
    else if (delta.type === "citations_delta" && block.kind === "text") block.citations.push(delta.citation);
    else if (block.kind === "opaque") {
      // A delta nobody here knows holds final values of its block's fields.
      const { type: _, ...fields } = delta;
      block.value = { ...block.value, ...fields };
    }
  }

  #text(block: OpenBlock, text: unknown): void {
    if (typeof text === "string" && text !== "")
      this.#chunks.push({ type: "text-delta", choice: 0, part: this.#partOf(block), text });
  }

  #thinking(block: OpenBlock, text: unknown, signature: unknown): void {
    if (typeof text === "string" && text !== "")
      this.#chunks.push({ type: "thinking-delta", choice: 0, part: this.#partOf(block), text });
    if (typeof signature === "string" && signature !== "")
      this.#chunks.push(...proofChunks(0, this.#partOf(block), signature, formatName));
  }

  #json(block: OpenBlock, json: unknown): void {
    if (typeof json !== "string" || json === "") return;
    block.json += json;
    if (block.kind === "tool-call")
      this.#chunks.push({ type: "tool-call-delta", choice: 0, part: this.#partOf(block), arguments: json });
  }

  #closeBlock(index: number): void {
    const block = this.#open.get(index);
    this.#open.delete(index);
    const { citations = [] } = block ?? {};
    if (block && citations.length > 0) {
      const part = this.#partOf(block);
      this.#chunks.push({ type: "text-delta", choice: 0, part, text: "", citations, ...citationMark(citations) });
    }
    if (block?.kind === "tool-call" && block.json === "") {
      // The whole input came with the start, or there is none.
      const text = writeJson(isRecord(block.value.input) ? block.value.input : {});
      this.#chunks.push({ type: "tool-call-delta", choice: 0, part: this.#partOf(block), arguments: text });
    } else if (block?.kind === "opaque") {
      const value = block.json === "" ? block.value : { ...block.value, input: jsonOr(block.json, block.json) };
      const part = this.#partOf(block);
      this.#chunks.push({ type: "part", choice: 0, part, value: opaque(value) });
    }
  }

  #finish(wire: Fields): void {
    this.#ensureStart();
    const delta = isRecord(wire.delta) ? wire.delta : {};
    const { stop_reason: reason, stop_sequence: sequence } = delta;
    if (typeof reason === "string" && reason !== "" && !this.#finished) {
      for (const index of [...this.#open.keys()]) this.#closeBlock(index);
      this.#finished = true;
      this.#chunks.push({
        type: "finish",
        choice: 0,
        reason: decodeStopReason(reason),
        rawReason: reason,
        ...(typeof sequence === "string" && { stopSequence: sequence }),
        ...extraOf({
          ...leftovers(delta, stopFields),
          ...leftovers(wire, deltaEventFields),
          ...usageAtEnd(wire.usage),
        }),
      });
    }
    const usage = decodeUsage(wire.usage);
    if (usage) this.#chunks.push({ type: "usage", usage });
  }

  #partOf(block: OpenBlock): number {
    block.part ??= this.#parts++;
    return block.part;
  }
}

function malformed(message: string): never {
  throw new GatewayError("malformed_frame", message);
}

const indexOf = ({ index }: Fields): number =>
  typeof index === "number" ? index : malformed("A content block event has no index.");
