import {
  assembler,
  type ChatResponse,
  type CompletionResponse,
  type GatewayRequest,
  type OpaquePart,
  type StreamChunk,
} from "../../../core/index.ts";
import { type FormatsByName, mapChunk, withoutQuotes } from "../texts/beside.ts";
import type { Lane } from "./lane.ts";

/** A piece of a text of a chunk: in a lane, from where in it. */
interface Piece {
  readonly lane: Lane;
  readonly start: number;
  readonly text: string;
  /** Where in the chunk it stands, beside what that says. */
  readonly place?: string;
}

/** A chunk that waits. */
interface Waiting {
  readonly chunk: StreamChunk;
  readonly since: number;
  /** What it says, which may go on in others. */
  readonly said?: Piece;
  /** What can be read beside that. */
  readonly beside: readonly Piece[];
}

export interface StreamGuardParts {
  /** `isBeside`: of a text that stands beside what is said. */
  makeLane(isBeside: boolean): Lane;
  now(): number;
  readonly formats: FormatsByName;
}

/** What of a choice may go on with the next chunk. */
interface OpenPart {
  readonly key: string;
  readonly lanes: Set<Lane>;
}

/**
 * Holds back the chunks of a stream until what is in them was looked at, and lets them go on in their order: as they came
 * where nothing has to be changed in them. One choice does not wait for another.
 */
export class StreamGuard {
  readonly #parts: StreamGuardParts;
  readonly #lanes = new Map<string, Lane>();
  readonly #open = new Map<number, OpenPart>();
  /** Choices whose words are no longer what they were. */
  readonly #changed = new Set<number>();
  readonly #spoken = new Set<number>();
  readonly #finished = new Set<number>();
  readonly #arrived = assembler();
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

  /** What the vendor has said, whatever of it went on. */
  arrived({ operation }: GatewayRequest): ChatResponse | CompletionResponse {
    return operation === "complete" ? this.#arrived.completion() : this.#arrived.chat();
  }

  /** What may go on now; without chunks, what its time came for. Nothing any more once the answer was denied. */
  push(chunks: readonly StreamChunk[]): StreamChunk[] {
    if (this.#denied) return [];
    for (const chunk of chunks) this.#arrived.add(chunk);
    const passed = chunks.length === 0 ? this.#stirred() : chunks.every((chunk) => this.#take(chunk));
    if (!passed) {
      this.#denied = true;
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
    return [...this.#open.values()].every(({ lanes }) => [...lanes].every((lane) => this.#grow(lane, "", false)));
  }

  /** False when the answer is denied. */
  #take(chunk: StreamChunk): boolean {
    const since = this.#parts.now();
    if ("part" in chunk && this.#open.get(chunk.choice)?.key !== keyOf(chunk) && !this.#close(chunk.choice))
      return false;
    if (chunk.type === "finish") {
      this.#finished.add(chunk.choice);
      if (!this.#close(chunk.choice)) return false;
    }
    const text = this.#textOf(chunk);
    const said = text !== undefined && "part" in chunk ? this.#pieceOf(this.#openFor(chunk), text) : undefined;
    const beside = this.#besideIn(chunk);
    // Nothing is known of what a broken stream would have gone on to say: what is held was not looked at as a whole.
    if (chunk.type === "error") this.#waiting = this.#waiting.filter(({ chunk: one, said }) => !said && !goesOn(one));
    this.#waiting.push({ chunk, since, ...(said && { said }), beside });
    // An empty piece is where the one before it ended.
    this.#moved ||= text === undefined || text === "";
    const over = "choice" in chunk && this.#finished.has(chunk.choice);
    if (said && !this.#grow(said.lane, said.text, over)) return false;
    return beside.every((piece) => this.#grow(piece.lane, piece.text, over || !goesOn(chunk)));
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

  /** A part that may go on, opened again where something stood in between. */
  #openFor(chunk: StreamChunk & InPart): OpenPart {
    const key = keyOf(chunk);
    const known = this.#open.get(chunk.choice);
    if (known?.key === key) return known;
    const open = { key, lanes: new Set<Lane>() };
    this.#open.set(chunk.choice, open);
    return open;
  }

  /** A text of such a part: one says one thing, and may have something to be read at several places beside that. */
  #pieceOf({ key, lanes }: OpenPart, text: string, place?: string): Piece {
    const name = place === undefined ? key : `${key} ${place}`;
    const lane = this.#lanes.get(name) ?? this.#parts.makeLane(place !== undefined);
    this.#lanes.set(name, lane);
    lanes.add(lane);
    return { lane, start: lane.length, text, ...(place !== undefined && { place }) };
  }

  /** What repeats the answer is no text of its own. */
  #besideIn(chunk: StreamChunk): readonly Piece[] {
    const pieces: Piece[] = [];
    const open = goesOn(chunk) ? this.#openFor(chunk) : undefined;
    mapChunk(unquoted(chunk, this.#parts.formats), (text, place) => {
      const alone = () => ({ lane: this.#parts.makeLane(true), start: 0, text, place });
      pieces.push(open ? this.#pieceOf(open, text, place) : alone());
      return text;
    });
    return pieces;
  }

  /** What a part comes to has been said once another one begins, or none. False when it is denied. */
  #close(choice: number): boolean {
    const open = this.#open.get(choice);
    this.#open.delete(choice);
    return !open || [...open.lanes].every((lane) => this.#grow(lane, "", true));
  }

  #released(): StreamChunk[] {
    const out: StreamChunk[] = [];
    const held: Waiting[] = [];
    const stopped = new Set<number>();
    const now = this.#parts.now();
    for (const waiting of this.#waiting) {
      const { chunk, since } = waiting;
      const choice = "choice" in chunk ? chunk.choice : undefined;
      const behind = choice === undefined ? held.length > 0 : stopped.has(choice) || stopped.has(everything);
      if (behind || !isFree(waiting)) {
        stopped.add(choice ?? everything);
        held.push(waiting);
        continue;
      }
      this.longestDelay = Math.max(this.longestDelay, now - since);
      out.push(...this.#leaving(waiting));
    }
    this.#waiting = held;
    this.#moved = false;
    return out;
  }

  /** What a chunk has become. */
  #leaving({ chunk, said, beside }: Waiting): readonly StreamChunk[] {
    const piece = said?.lane.piece(said.start, said.text);
    if (piece?.changed && "choice" in chunk) this.#changed.add(chunk.choice);
    const repeats = chunk.type === "finish" && this.#changed.has(chunk.choice);
    const next = withBeside(repeats ? unquoted(chunk, this.#parts.formats) : chunk, beside);
    if (!piece?.changed) return said?.lane.changed ? behindChange(next) : [next];
    return piece.text === "" ? [] : [withText(next, piece.text)];
  }
}

const isFree = ({ said, beside }: Waiting): boolean => (!said || isLetGo(said)) && beside.every(isLetGo);
const isLetGo = ({ lane, start, text }: Piece): boolean => start + text.length <= lane.free;

interface InPart {
  readonly choice: number;
  readonly part: number;
}

type Pieces = StreamChunk & InPart & { readonly value: OpaquePart };

/** Whether its texts are pieces, which go on in others like it. */
const goesOn = (chunk: StreamChunk): chunk is Pieces =>
  chunk.type === "part" && chunk.value.type === "opaque" && chunk.value.goesOn === true;

const keyOf = (chunk: StreamChunk & InPart): string =>
  goesOn(chunk) ? `${chunk.choice} ${chunk.value.format}` : `${chunk.choice} ${chunk.part} ${chunk.type}`;

const unquoted = (chunk: StreamChunk, formats: FormatsByName): StreamChunk =>
  chunk.type === "finish" && chunk.extra ? { ...chunk, extra: withoutQuotes(chunk.extra, formats) } : chunk;

/** A chunk with what became of the texts beside what it says. */
function withBeside(chunk: StreamChunk, beside: readonly Piece[]): StreamChunk {
  if (beside.length === 0) return chunk;
  const changes = new Map<string, string>();
  for (const { lane, start, text, place } of beside) {
    const piece = lane.piece(start, text);
    if (piece.changed && place !== undefined) changes.set(place, piece.text);
  }
  return changes.size === 0 ? chunk : mapChunk(chunk, (text, place) => changes.get(place) ?? text);
}

/** Stands for all choices: a chunk that belongs to none of them. */
const everything = -1;

const saysSomething = (chunk: StreamChunk): boolean =>
  chunk.type !== "start" && chunk.type !== "usage" && !(chunk.type === "text-delta" && chunk.text === "");

/**
 * What comes behind a text that was changed, without its citations: they quote it as it was, at places that are others now. Tokens
 * without a text of their own may be those that were taken out.
 */
function behindChange(chunk: StreamChunk): readonly StreamChunk[] {
  if (chunk.type !== "text-delta" || !(chunk.citations || chunk.logprobs !== undefined)) return [chunk];
  const { citations: _, logprobs, ...others } = chunk;
  if (chunk.text === "") return chunk.extra ? [others] : [];
  return [logprobs === undefined ? others : { ...others, logprobs }];
}

/** A delta with another text. What tells of the old one goes. */
function withText(chunk: StreamChunk, text: string): StreamChunk {
  if (chunk.type === "tool-call-delta") return { ...chunk, arguments: text };
  const { choice, part } = chunk as StreamChunk & InPart;
  return chunk.type === "refusal-delta"
    ? { type: "refusal-delta", choice, part, text }
    : { type: "text-delta", choice, part, text };
}
