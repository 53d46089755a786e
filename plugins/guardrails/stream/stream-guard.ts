import type { StreamChunk } from "../../../core/index.ts";
import type { Lane } from "./lane.ts";

/** A chunk that waits, and the part of a lane that is in it. */
interface Waiting {
  readonly chunk: StreamChunk;
  readonly lane?: Lane;
  readonly start: number;
  readonly end: number;
  readonly since: number;
}

export interface StreamGuardParts {
  makeLane(): Lane;
  now(): number;
}

/**
 * Holds back the chunks of a stream until what is in them was looked at, and lets them go on in their order: as they came
 * where nothing has to be changed in them.
 */
export class StreamGuard {
  readonly #parts: StreamGuardParts;
  readonly #lanes = new Map<string, Lane>();
  readonly #spoken = new Set<number>();
  #open = new Map<number, { readonly key: string; readonly lane: Lane }>();
  #waiting: Waiting[] = [];
  #denied = false;
  /** The longest a chunk was held back, in milliseconds. */
  longestDelay = 0;

  constructor(parts: StreamGuardParts) {
    this.#parts = parts;
  }

  get denied(): boolean {
    return this.#denied;
  }

  /** What may go on now. Nothing any more once the answer was denied. */
  push(chunks: readonly StreamChunk[]): StreamChunk[] {
    const out: StreamChunk[] = [];
    for (const chunk of chunks) {
      if (this.#denied) break;
      if (!this.#take(chunk)) {
        this.#denied = true;
        this.#waiting = [];
        break;
      }
    }
    this.#release(out);
    return out;
  }

  /** False when the answer is denied. */
  #take(chunk: StreamChunk): boolean {
    const since = this.#parts.now();
    const text = this.#textOf(chunk);
    if (text !== undefined && "part" in chunk) {
      const lane = this.#laneOf(chunk.choice, chunk.part, chunk.type);
      if (!lane) return false;
      const start = lane.length;
      this.#waiting.push({ chunk, lane, start, end: start + text.length, since });
      return lane.grow(text);
    }
    if (chunk.type === "finish" && !this.#close(chunk.choice)) return false;
    // Nothing is known of what a broken stream would have gone on to say: what is held was not looked at as a whole.
    if (chunk.type === "error") this.#waiting = this.#waiting.filter(({ lane }) => lane === undefined);
    this.#waiting.push({ chunk, start: 0, end: 0, since });
    return true;
  }

  /** The arguments of tools count as text where the model says nothing besides. */
  #textOf(chunk: StreamChunk): string | undefined {
    if (chunk.type === "text-delta" || chunk.type === "refusal-delta") {
      if (chunk.text !== "") this.#spoken.add(chunk.choice);
      return chunk.text;
    }
    return chunk.type === "tool-call-delta" && !this.#spoken.has(chunk.choice) ? chunk.arguments : undefined;
  }

  /** The lane of a part. That of the part before it in the same choice ends; undefined when it is denied then. */
  #laneOf(choice: number, part: number, type: string): Lane | undefined {
    const key = `${choice} ${part} ${type}`;
    const open = this.#open.get(choice);
    if (open?.key === key) return open.lane;
    if (open && !open.lane.end()) return undefined;
    const lane = this.#lanes.get(key) ?? this.#parts.makeLane();
    this.#lanes.set(key, lane);
    this.#open.set(choice, { key, lane });
    return lane;
  }

  #close(choice: number): boolean {
    const open = this.#open.get(choice);
    this.#open.delete(choice);
    return open?.lane.end() ?? true;
  }

  #release(out: StreamChunk[]): void {
    let count = 0;
    for (const { chunk, lane, start, end, since } of this.#waiting) {
      if (lane && end > lane.free) break;
      count++;
      this.longestDelay = Math.max(this.longestDelay, this.#parts.now() - since);
      if (!lane) out.push(chunk);
      else {
        const part = lane.part(start, end);
        if (!part.changed) out.push(chunk);
        else if (part.text !== "") out.push(withText(chunk, part.text));
      }
    }
    if (count > 0) this.#waiting.splice(0, count);
  }
}

/** A delta with another text. What tells of the old one goes. */
function withText(chunk: StreamChunk, text: string): StreamChunk {
  if (chunk.type === "tool-call-delta") return { ...chunk, arguments: text };
  const { choice, part } = chunk as StreamChunk & { readonly choice: number; readonly part: number };
  return chunk.type === "refusal-delta"
    ? { type: "refusal-delta", choice, part, text }
    : { type: "text-delta", choice, part, text };
}
