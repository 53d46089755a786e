import {
  type AssistantPart,
  clientId,
  compact,
  type EncodeContext,
  type ErrorDetail,
  eventFrame,
  type Fields,
  type FinishChunk,
  isRecord,
  lookUp,
  ownFields,
  PartsInTurn,
  RanText,
  type StreamChunk,
  type StreamEncoder,
  type Usage,
  unsigned,
  usageSoFar,
  VisibleText,
  writeJson,
  writeSignature,
} from "../../../core/index.ts";
import { shownCitations } from "../blocks/citations.ts";
import { longestId } from "../blocks/encode-block.ts";
import { streamException } from "../errors.ts";
import { formatName, signer } from "../fields.ts";
import { encodeEnding } from "../response/ending.ts";
import { encodeImage } from "../response/response.ts";
import { encodeUsage } from "../response/usage.ts";

export const encodeStream = (context: Pick<EncodeContext, "elapsed" | "id">): StreamEncoder =>
  new ConverseEncoder(context);

type ContentChunk = Extract<StreamChunk, { part: number }>;

const frame = (event: string, wire: Fields): string => eventFrame(event, writeJson(wire));

/** What the last event says of an answer as a whole; the rest belongs to `messageStop`. */
const inMetadata = new Set(["metrics", "trace", "performanceConfig", "serviceTier"]);

/** Writes one choice: a block per part, one after the other. The end waits for the usage, which comes with it. */
class ConverseEncoder implements StreamEncoder {
  readonly #context: Pick<EncodeContext, "elapsed" | "id">;
  #started = false;
  #over = false;
  #blocks = 0;
  /** The block being written, and the part it is of. */
  #open: { readonly part: number; readonly index: number; proof?: "signed" | "unsigned" } | undefined;
  readonly #visible = new VisibleText();
  readonly #parts = new PartsInTurn((chunk) => this.#write(chunk));
  #finish: FinishChunk | undefined;
  #said = false;
  /** Code that was run, which is told as text where nothing else was said. */
  readonly #ran = new RanText();
  #usage: Usage | undefined;

  constructor(context: Pick<EncodeContext, "elapsed" | "id">) {
    this.#context = context;
  }

  push(chunk: StreamChunk): string {
    if (this.#over) return "";
    switch (chunk.type) {
      case "start":
        return this.#begin();
      case "moderation":
        return "";
      case "usage":
        this.#usage = usageSoFar(this.#usage, chunk.usage);
        return "";
      case "finish":
        if (chunk.choice === 0) this.#finish = chunk;
        return "";
      case "error":
        return this.fail(chunk.error);
      default:
        return chunk.choice === 0 ? this.#begin() + this.#parts.push(chunk) : "";
    }
  }

  end(): string {
    if (this.#over) return "";
    let before = this.#begin() + this.#parts.end() + this.#close();
    const { text } = this.#ran;
    if (text !== "" && !this.#said) before += this.#delta(-1, { text }) + this.#close();
    this.#over = true;
    const { stopReason, fields, counted } = encodeEnding(this.#finish ?? { reason: "other" }, this.#context);
    const last: Fields = {};
    const stop: Fields = { stopReason };
    for (const [name, value] of Object.entries(fields)) (inMetadata.has(name) ? last : stop)[name] = value;
    const usage = this.#usage || counted ? { usage: encodeUsage(this.#usage ?? {}, counted) } : {};
    // Clients read the numbers without asking whether they are there.
    return before + frame("messageStop", stop) + frame("metadata", Object.assign({}, usage, last));
  }

  fail(error: ErrorDetail): string {
    if (this.#over) return "";
    this.#over = true;
    return this.#parts.breakOff(() => this.#leave()) + streamException(error);
  }

  /** A block that never became whole has no end. */
  #leave(): void {
    this.#open = undefined;
  }

  #begin(): string {
    if (this.#started) return "";
    this.#started = true;
    return frame("messageStart", { role: "assistant" });
  }

  #write(chunk: ContentChunk): string {
    if (!isThought(chunk)) this.#said = true;
    switch (chunk.type) {
      case "text-delta":
        return this.#text(chunk);
      case "refusal-delta":
        return this.#shown(chunk.part, this.#visible.push(chunk.part, chunk.text));
      case "thinking-delta":
        return this.#thought(chunk.part, { text: chunk.text }, "unsigned");
      case "thinking-signature":
        return this.#thought(chunk.part, { signature: writeSignature(chunk, signer) }, "signed");
      case "tool-call-start": {
        const { part, id, name, extra } = chunk;
        const toolUseId = clientId(id, this.#context.id, longestId);
        return this.#start(part, { toolUse: compact({ toolUseId, name, ...ownFields(formatName, extra) }) });
      }
      case "tool-call-delta":
        return this.#arguments(chunk.part, chunk.arguments);
      case "part":
        return this.#part(chunk.part, chunk.value);
    }
  }

  #thought(part: number, delta: Fields, proof: "signed" | "unsigned"): string {
    const text = this.#delta(part, { reasoningContent: delta });
    if (this.#open && this.#open.proof !== "signed") this.#open.proof = proof;
    return text;
  }

  /** Arguments of a call whose block is closed have nowhere to go; after complete JSON there is only white space. */
  #arguments(part: number, input: string): string {
    return this.#open?.part === part ? this.#piece(part, `{"toolUse":{"input":${JSON.stringify(input)}}}`) : "";
  }

  #text({ part, text, citations, extra }: Extract<ContentChunk, { type: "text-delta" }>): string {
    const cited = citations ? shownCitations({ citations, ...(extra && { extra }) }) : [];
    const shown = this.#visible.push(part, text) || (cited.length > 0 ? this.#visible.release(part) : "");
    const said = this.#shown(part, shown);
    return said + cited.map((citation) => this.#delta(part, { citation })).join("");
  }

  #shown(part: number, text: string): string {
    return text === "" ? "" : this.#piece(part, `{"text":${JSON.stringify(text)}}`);
  }

  #part(part: number, value: AssistantPart): string {
    if (value.type === "redacted-thinking")
      return this.#delta(part, { reasoningContent: { redactedContent: value.data } });
    if (value.type === "text") return this.#shown(part, this.#visible.push(part, value.text));
    if (value.type === "opaque" && value.format !== formatName) this.#ran.add(value);
    const wire = value.type === "image" ? encodeImage(value) : value.type === "opaque" ? value.value : undefined;
    if (!isRecord(wire) || (value.type === "opaque" && value.format !== formatName)) return "";
    return this.#whole(part, wire);
  }

  /** An image, a use of the vendor's own tool, or its result: how it begins, and its content as one piece. */
  #whole(part: number, block: Readonly<Fields>): string {
    const [[kind, wire] = [undefined, undefined]] = Object.entries(block);
    if (kind === undefined || !isRecord(wire)) return "";
    const { source, content, input, ...start } = wire;
    const pieces: Readonly<Fields> = { image: { source }, toolUse: { input: writeJson(input ?? {}) } };
    const piece = lookUp(pieces, kind) ?? content;
    const began = this.#start(part, { [kind]: start });
    return piece === undefined ? began : began + this.#delta(part, { [kind]: piece });
  }

  #start(part: number, start: Fields): string {
    const before = this.#close();
    return before + frame("contentBlockStart", { start, contentBlockIndex: this.#openFor(part) });
  }

  #delta(part: number, delta: Fields): string {
    return this.#piece(part, writeJson(delta));
  }

  /** A block that was closed takes no more: what follows of its part begins another one. */
  #piece(part: number, delta: string): string {
    const before = this.#open?.part === part ? "" : this.#close();
    const index = this.#open?.index ?? this.#openFor(part);
    return before + eventFrame("contentBlockDelta", `{"contentBlockIndex":${index},"delta":${delta}}`);
  }

  #openFor(part: number): number {
    const index = this.#blocks++;
    this.#open = { part, index };
    return index;
  }

  #close(): string {
    if (!this.#open) return "";
    const { index, proof } = this.#open;
    this.#open = undefined;
    const before =
      proof === "unsigned"
        ? frame("contentBlockDelta", { contentBlockIndex: index, delta: { reasoningContent: { signature: unsigned } } })
        : "";
    return before + frame("contentBlockStop", { contentBlockIndex: index });
  }
}

/** Whether nothing is said to the user by it. */
const isThought = (chunk: ContentChunk): boolean =>
  chunk.type === "thinking-delta" ||
  chunk.type === "thinking-signature" ||
  (chunk.type === "part" && (chunk.value.type === "opaque" || chunk.value.type === "redacted-thinking"));
