import {
  type AssistantPart,
  callProof,
  clientId,
  type EncodeContext,
  type ErrorDetail,
  type Fields,
  type FinishChunk,
  isRecord,
  ownFields,
  PartsInTurn,
  type Signed,
  type StartChunk,
  type StreamChunk,
  type StreamEncoder,
  type TextPart,
  type ToolCallStart,
  type Usage,
  unsigned,
  usageSoFar,
  VisibleText,
  writeJson,
  writeSignature,
} from "../../../core/index.ts";
import { shownCitations } from "../blocks/citations.ts";
import { errorEvent } from "../errors.ts";
import { formatName, restore } from "../fields.ts";
import { encodeHead, encodeWholePart, endFields, writtenUsage } from "../response/response.ts";
import { encodeStop } from "../response/stop-reason.ts";

export const terminator = 'event: message_stop\ndata: {"type":"message_stop"}\n\n';

export const encodeStream = (context: EncodeContext): StreamEncoder => new MessageEncoder(context);

/** A chunk that belongs to a part. */
type ContentChunk = Extract<StreamChunk, { part: number }>;
type BlockKind = "text" | "thinking" | "tool";

/** The block being written: there is one at most. */
interface OpenBlock {
  readonly kind: BlockKind;
  readonly part: number;
  /** The start of a delta event of this block, up to the text. */
  readonly prefix: string;
  /** Thinking has the proof that goes with it. */
  signed?: true;
}

const deltaEnd = "}}\n\n";
/** Clients give thinking back with the history, and one that nobody signed is refused by whoever wants a proof. */
const unsignedDelta = `"signature_delta","signature":"${unsigned}"${deltaEnd}`;

class MessageEncoder implements StreamEncoder {
  readonly #context: EncodeContext;
  #head: Omit<StartChunk, "type"> = {};
  #begun = false;
  #over = false;
  #usage: Usage = {};
  #finish: FinishChunk | undefined;
  #refused = false;
  #open: OpenBlock | undefined;
  #next = 0;
  /** Parts whose text is in a block that is closed: nothing more can be said of it. */
  readonly #closed = new Set<number>();
  readonly #visible = new VisibleText();
  readonly #parts = new PartsInTurn((chunk) => this.#write(chunk));

  constructor(context: EncodeContext) {
    this.#context = context;
  }

  push(chunk: StreamChunk): string {
    if (this.#over) return "";
    switch (chunk.type) {
      case "start":
        // The event waits for the next chunk: usage that follows at once belongs into it.
        this.#head = chunk;
        return "";
      case "moderation":
        return "";
      case "usage":
        this.#usage = usageSoFar(this.#usage, chunk.usage);
        return this.#begin();
      case "finish":
        // Blocks stay open: arguments may still follow.
        if (chunk.choice === 0) this.#finish = chunk;
        return this.#begin();
      case "error":
        return this.fail(chunk.error);
      default:
        return chunk.choice === 0 ? this.#begin() + this.#parts.push(chunk) : "";
    }
  }

  end(): string {
    if (this.#over) return "";
    const text = this.#begin() + this.#parts.end() + this.#close();
    this.#over = true;
    const { reason = "other", rawReason, stopSequence, extra } = this.#finish ?? {};
    const stop = encodeStop(
      {
        finishReason: reason,
        ...(rawReason !== undefined && { rawFinishReason: rawReason }),
        ...(stopSequence !== undefined && { stopSequence }),
      },
      this.#refused,
    );
    const { usage: atEnd, ...own } = ownFields(formatName, extra);
    const fields = Object.entries(own);
    const beside = Object.fromEntries(fields.filter(([name]) => endFields.has(name)));
    const delta = { ...stop, ...Object.fromEntries(fields.filter(([name]) => !endFields.has(name))) };
    const usage = writtenUsage(this.#usage, undefined, atEnd);
    return text + event({ type: "message_delta", delta, usage, ...beside }) + terminator;
  }

  fail(error: ErrorDetail): string {
    if (this.#over) return "";
    this.#over = true;
    return this.#parts.breakOff(() => this.#leave()) + errorEvent(error);
  }

  /** A block that never became whole has no end. */
  #leave(): void {
    this.#open = undefined;
  }

  #begin(): string {
    if (this.#begun) return "";
    this.#begun = true;
    const message = Object.assign(encodeHead(this.#head, this.#context), {
      content: [],
      stop_reason: null,
      stop_sequence: null,
      usage: writtenUsage(this.#usage, this.#head.extra),
    });
    return event({ type: "message_start", message });
  }

  #write(chunk: ContentChunk): string {
    switch (chunk.type) {
      case "text-delta":
        return this.#text(chunk.part, chunk.text) + this.#citations(chunk.part, chunk);
      case "refusal-delta":
        this.#refused = true;
        return this.#text(chunk.part, chunk.text);
      case "thinking-delta":
        return this.#thinking(chunk.part, "thinking_delta", "thinking", chunk.text);
      case "thinking-signature":
        return this.#thinking(chunk.part, "signature_delta", "signature", writeSignature(chunk, formatName));
      case "tool-call-start":
        return this.#openTool(chunk);
      case "tool-call-delta":
        return this.#arguments(chunk.part, chunk.arguments);
      case "part":
        return this.#part(chunk.part, chunk.value);
    }
  }

  #text(part: number, text: string): string {
    return this.#shown(part, this.#visible.push(part, text));
  }

  #shown(part: number, text: string): string {
    if (text === "") return "";
    const start = this.#ensure("text", part);
    return `${start}${this.#open?.prefix}"text_delta","text":${JSON.stringify(text)}${deltaEnd}`;
  }

  #citations(part: number, said: Pick<TextPart, "citations" | "extra">): string {
    const own = said.citations && shownCitations(said);
    if (!own || own.length === 0 || (this.#open?.part !== part && this.#closed.has(part))) return "";
    let text = this.#shown(part, this.#visible.release(part)) + this.#ensure("text", part);
    for (const citation of own)
      text += `${this.#open?.prefix}"citations_delta","citation":${writeJson(citation)}${deltaEnd}`;
    return text;
  }

  #thinking(part: number, type: string, field: string, value: string): string {
    if (value === "") return "";
    const start = this.#ensure("thinking", part);
    if (field === "signature" && this.#open) this.#open.signed = true;
    return `${start}${this.#open?.prefix}"${type}","${field}":${JSON.stringify(value)}${deltaEnd}`;
  }

  /** Arguments of a call whose block is closed have nowhere to go; after complete JSON there is only white space. */
  #arguments(part: number, json: string): string {
    if (json === "" || this.#open?.kind !== "tool" || this.#open.part !== part) return "";
    return `${this.#open.prefix}"input_json_delta","partial_json":${JSON.stringify(json)}${deltaEnd}`;
  }

  #openTool({ part, id, name, extra }: Pick<ToolCallStart, "part" | "id" | "name" | "extra">): string {
    if (this.#open?.kind === "tool" && this.#open.part === part) return "";
    const proof = this.#proof(part, callProof(extra));
    const known = clientId(id, this.#context.id);
    return proof + this.#start("tool", part, restore({ type: "tool_use", id: known, name, input: {} }, extra));
  }

  /** The proof of a call goes with the thinking that is open, where that has none, or with thinking that says nothing. */
  #proof(part: number, proof: Signed | undefined): string {
    if (!proof) return "";
    const open = this.#open;
    const at = open?.kind === "thinking" && !open.signed ? open.part : part;
    return this.#thinking(at, "signature_delta", "signature", writeSignature(proof, formatName));
  }

  #part(part: number, value: AssistantPart): string {
    switch (value.type) {
      case "text":
        return this.#text(part, value.text) + this.#citations(part, value);
      case "refusal":
        return this.#write({ type: "refusal-delta", choice: 0, part, text: value.text });
      case "thinking": {
        const said = this.#thinking(part, "thinking_delta", "thinking", value.text);
        return said + this.#thinking(part, "signature_delta", "signature", writeSignature(value, formatName));
      }
      case "tool-call":
        return this.#openTool({ ...value, part }) + this.#arguments(part, value.arguments);
      default:
        return encodeWholePart(value)
          .map((block) => this.#whole(part, block))
          .join("");
    }
  }

  /** The input of a server tool streams like that of any tool; everything else is in the start of its block. */
  #whole(part: number, block: Fields): string {
    if (!isRecord(block.input)) return this.#start("text", part, block) + this.#close();
    const start = this.#start("tool", part, { ...block, input: {} });
    return start + this.#arguments(part, writeJson(block.input)) + this.#close();
  }

  /** Sees to it that the open block is of this kind and part. */
  #ensure(kind: BlockKind, part: number): string {
    if (this.#open?.part === part && this.#open.kind === kind) return "";
    const block = kind === "text" ? { type: "text", text: "" } : { type: "thinking", thinking: "", signature: "" };
    return this.#start(kind, part, block);
  }

  #start(kind: BlockKind, part: number, block: Fields): string {
    const closing = this.#close();
    const index = this.#next++;
    const prefix = `event: content_block_delta\ndata: {"type":"content_block_delta","index":${index},"delta":{"type":`;
    this.#open = { kind, part, prefix };
    return closing + event({ type: "content_block_start", index, content_block: block });
  }

  #close(): string {
    const open = this.#open;
    if (!open) return "";
    const proof = open.kind === "thinking" && !open.signed ? `${open.prefix}${unsignedDelta}` : "";
    if (open.kind === "text") this.#closed.add(open.part);
    this.#open = undefined;
    return proof + event({ type: "content_block_stop", index: this.#next - 1 });
  }
}

const event = (data: Fields & { type: string }): string => `event: ${data.type}\ndata: ${writeJson(data)}\n\n`;
