import {
  type EncodeContext,
  type ErrorDetail,
  type FinishChunk,
  ownFields,
  type StartChunk,
  type StreamChunk,
  type StreamEncoder,
  type TextDelta,
  type Usage,
  usageSoFar,
  usualErrorFrame,
  writeJson,
} from "../../core/index.ts";
import { formatName } from "./fields.ts";
import { encodeFinishReason, encodeHead } from "./response.ts";
import { encodeUsage } from "./usage.ts";

export const terminator = "data: [DONE]\n\n";

/** frames of text → a finish frame per choice (usage on the last) → usage frame when asked for → [DONE] */
export const encodeStream = (context: EncodeContext): StreamEncoder => new CompletionStreamEncoder(context);

/**
 * Frames are put together from text. A finish frame waits for the usage that may follow it, unless the client asked for
 * usage in a frame of its own. Chunks of anything but text have no place in this format.
 */
class CompletionStreamEncoder implements StreamEncoder {
  readonly #context: EncodeContext;
  readonly #after: string;
  #head = "";
  #usage: Usage | undefined;
  /** The finish frame that waits, up to its choice. */
  #held: string | undefined;
  #failed = false;

  constructor(context: EncodeContext) {
    this.#context = context;
    this.#after = context.includeUsage ? `],"usage":null}\n\n` : "]}\n\n";
  }

  push(chunk: StreamChunk): string {
    if (chunk.type === "start") {
      this.#begin(chunk);
      return "";
    }
    if (this.#head === "") this.#begin({});
    switch (chunk.type) {
      case "text-delta":
        return this.#text(chunk);
      case "finish":
        return this.#finish(chunk);
      case "usage":
        this.#usage = usageSoFar(this.#usage, chunk.usage);
        return this.#release(this.#usage);
      case "error":
        return this.fail(chunk.error);
      default:
        return "";
    }
  }

  end(): string {
    if (this.#failed) return "";
    if (this.#head === "") this.#begin({});
    const usage = this.#usage;
    const last = this.#release(usage);
    const asked = this.#context.includeUsage && usage;
    return last + (asked ? `${this.#head}],"usage":${writeJson(encodeUsage(usage))}}\n\n` : "") + terminator;
  }

  fail(error: ErrorDetail): string {
    if (this.#failed) return "";
    this.#failed = true;
    return usualErrorFrame(error);
  }

  #begin(chunk: Partial<Omit<StartChunk, "type">>): void {
    const fields = writeJson({ ...encodeHead(chunk, this.#context), ...ownFields(formatName, chunk.extra) });
    this.#head = `data: ${fields.slice(0, -1)},"choices":[`;
  }

  #text({ choice, text, logprobs }: TextDelta): string {
    if (text === "" && logprobs === undefined) return "";
    const measured = logprobs === undefined ? "null" : writeJson(logprobs);
    return `${this.#head}{"text":${JSON.stringify(text)},"index":${choice},"logprobs":${measured},"finish_reason":null}${this.#after}`;
  }

  #finish({ choice, reason, rawReason }: FinishChunk): string {
    const word = JSON.stringify(encodeFinishReason(reason, rawReason, this.#context.strict));
    const frame = `${this.#head}{"text":"","index":${choice},"logprobs":null,"finish_reason":${word}}`;
    if (this.#context.includeUsage) return frame + this.#after;
    const earlier = this.#release(undefined);
    this.#held = frame;
    return earlier;
  }

  #release(totals: Usage | undefined): string {
    const held = this.#held;
    if (held === undefined) return "";
    this.#held = undefined;
    return `${held}]${totals ? `,"usage":${writeJson(encodeUsage(totals))}` : ""}}\n\n`;
  }
}
