import type { AssistantPart, EncodeContext } from "../../../core/index.ts";
import { drawnAgain, drawnField } from "../response/drawn-images.ts";
import { soundField, soundIn, soundOf } from "../response/sounds.ts";

/** Writes as deltas what stands in fields of its own beside the text: sounds, and images where they came in one. */
export class FieldWriter {
  readonly #context: Pick<EncodeContext, "id">;
  /** Bytes of the sound that were not told yet. */
  #left = Buffer.alloc(0);

  constructor(context: Pick<EncodeContext, "id">) {
    this.#context = context;
  }

  /** Undefined for a part that no field shows; empty where nothing can be said of it yet. */
  add(part: AssistantPart): string | undefined {
    const spoken = soundIn(part);
    if (spoken !== undefined) return this.#sound(Buffer.from(spoken, "base64"));
    const drawn = part.type === "image" ? drawnAgain(part) : undefined;
    return drawn && JSON.stringify({ [drawnField]: [drawn] });
  }

  /** What is left to say when nothing more comes. */
  rest(): string {
    const last = this.#left;
    this.#left = Buffer.alloc(0);
    return this.#delta(last);
  }

  /** Clients put the pieces together as texts (openai 7.59, `ChatCompletionStream`): none but the last may end with padding. */
  #sound(bytes: Buffer): string {
    const all = Buffer.concat([this.#left, bytes]);
    const whole = all.length - (all.length % 3);
    this.#left = all.subarray(whole);
    return this.#delta(all.subarray(0, whole));
  }

  #delta(bytes: Buffer): string {
    return bytes.length === 0 ? "" : JSON.stringify({ [soundField]: soundOf(bytes.toString("base64"), this.#context) });
  }
}
