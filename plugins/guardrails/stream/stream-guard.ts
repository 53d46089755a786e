import type { StreamChunk } from "../../../core/index.ts";
import type { Lane } from "./lane.ts";

/** A chunk that waits, and the piece of a lane that is in it. */
interface Waiting {
  readonly chunk: StreamChunk;
  readonly since: number;
  readonly lane?: Lane;
  readonly start: number;
  readonly text: string;
}

export interface StreamGuardParts {
  makeLane(): Lane;
  now(): number;
}

interface OpenLane {
  readonly key: string;
  readonly lane: Lane;
}

/**
 * Holds back the chunks of a stream until what is in them was looked at, and lets them go on in their order: as they came
 * where nothing has to be changed in them. One choice does not wait for another.
 */
export class StreamGuard {
  readonly #parts: StreamGuardParts;
  readonly #lanes = new Map<string, Lane>();
  readonly #open = new Map<number, OpenLane>();
  readonly #spoken = new Set<number>();
  readonly #finished = new Set<number>();
  #waiting: Waiting[] = [];
  /** What says nothing goes with the first that does: an answer that is denied at once is not begun. */
  #early: StreamChunk[] | undefined = [];
  #moved = false;
  #denied = false;
  /** The longest a chunk was held back, in milliseconds. */
  longestDelay = 0;

  constructor(parts: StreamGuardParts) {
    this.#parts = parts;
  }

  get denied(): boolean {
    return this.#denied;
  }

  /** What may go on now; without chunks, what its time came for. Nothing any more once the answer was denied. */
  push(chunks: readonly StreamChunk[]): StreamChunk[] {
    if (this.#denied) return [];
    const passed = chunks.length === 0 ? this.#stirred() : chunks.every((chunk) => this.#take(chunk));
    if (!passed) {
      this.#denied = true;
      this.#waiting = [];
      return [];
    }
    return this.#moved ? this.#begun(this.#released()) : [];
  }

  #begun(released: StreamChunk[]): StreamChunk[] {
    if (!this.#early) return released;
    const all = [...this.#early, ...released];
    const says = released.some(saysSomething);
    this.#early = says ? undefined : all;
    return says ? all : [];
  }

  #stirred(): boolean {
    return [...this.#open.values()].every(({ lane }) => this.#grow(lane, "", false));
  }

  /** False when the answer is denied. */
  #take(chunk: StreamChunk): boolean {
    const since = this.#parts.now();
    if ("part" in chunk && this.#open.get(chunk.choice)?.key !== keyOf(chunk) && !this.#close(chunk.choice))
      return false;
    const text = this.#textOf(chunk);
    if (text !== undefined && "part" in chunk) {
      const lane = this.#laneOf(chunk);
      this.#waiting.push({ chunk, since, lane, start: lane.length, text });
      // An empty piece is where the one before it ended.
      this.#moved ||= text === "";
      return this.#grow(lane, text, this.#finished.has(chunk.choice));
    }
    if (chunk.type === "finish") {
      this.#finished.add(chunk.choice);
      if (!this.#close(chunk.choice)) return false;
    }
    // Nothing is known of what a broken stream would have gone on to say: what is held was not looked at as a whole.
    if (chunk.type === "error") this.#waiting = this.#waiting.filter(({ lane }) => lane === undefined);
    this.#waiting.push({ chunk, since, start: 0, text: "" });
    this.#moved = true;
    return true;
  }

  #grow(lane: Lane, text: string, over: boolean): boolean {
    const { free } = lane;
    const passed = lane.grow(text, over);
    this.#moved ||= lane.free > free;
    return passed;
  }

  /** The arguments of tools count as text where the model says nothing besides: nothing but blanks. */
  #textOf(chunk: StreamChunk): string | undefined {
    switch (chunk.type) {
      case "text-delta":
      case "refusal-delta":
        if (chunk.text.trim() !== "") this.#spoken.add(chunk.choice);
        return chunk.text;
      case "tool-call-delta":
        return this.#spoken.has(chunk.choice) ? undefined : chunk.arguments;
      default:
        return undefined;
    }
  }

  /** The lane of a part, opened again where something stood in between. */
  #laneOf(chunk: StreamChunk & InPart): Lane {
    const key = keyOf(chunk);
    const lane = this.#lanes.get(key) ?? this.#parts.makeLane();
    this.#lanes.set(key, lane);
    this.#open.set(chunk.choice, { key, lane });
    return lane;
  }

  /** What a part comes to has been said once another one begins, or none. False when it is denied. */
  #close(choice: number): boolean {
    const open = this.#open.get(choice);
    this.#open.delete(choice);
    return !open || this.#grow(open.lane, "", true);
  }

  #released(): StreamChunk[] {
    const out: StreamChunk[] = [];
    const held: Waiting[] = [];
    const stopped = new Set<number>();
    const now = this.#parts.now();
    for (const waiting of this.#waiting) {
      const { chunk, lane, start, text, since } = waiting;
      const choice = "choice" in chunk ? chunk.choice : undefined;
      const behind = choice === undefined ? held.length > 0 : stopped.has(choice) || stopped.has(everything);
      if (behind || (lane && start + text.length > lane.free)) {
        stopped.add(choice ?? everything);
        held.push(waiting);
        continue;
      }
      this.longestDelay = Math.max(this.longestDelay, now - since);
      const piece = lane?.piece(start, text);
      if (!piece?.changed) out.push(...(lane?.changed ? withoutQuotes(chunk) : [chunk]));
      else if (piece.text !== "") out.push(withText(chunk, piece.text));
    }
    this.#waiting = held;
    this.#moved = false;
    return out;
  }
}

interface InPart {
  readonly choice: number;
  readonly part: number;
}

const keyOf = ({ choice, part, type }: StreamChunk & InPart): string => `${choice} ${part} ${type}`;

/** Stands for all choices: a chunk that belongs to none of them. */
const everything = -1;

const saysSomething = (chunk: StreamChunk): boolean =>
  chunk.type !== "start" && chunk.type !== "usage" && !(chunk.type === "text-delta" && chunk.text === "");

/** What comes behind a text that was changed, without its citations: they quote it as it was, at places that are others now. */
function withoutQuotes(chunk: StreamChunk): readonly StreamChunk[] {
  if (chunk.type !== "text-delta" || !chunk.citations) return [chunk];
  const { citations: _, ...others } = chunk;
  return chunk.text === "" && !chunk.extra ? [] : [others];
}

/** A delta with another text. What tells of the old one goes. */
function withText(chunk: StreamChunk, text: string): StreamChunk {
  if (chunk.type === "tool-call-delta") return { ...chunk, arguments: text };
  const { choice, part } = chunk as StreamChunk & InPart;
  return chunk.type === "refusal-delta"
    ? { type: "refusal-delta", choice, part, text }
    : { type: "text-delta", choice, part, text };
}
