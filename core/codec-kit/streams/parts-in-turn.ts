import type { StreamChunk } from "../../model/stream.ts";
import { JsonWatch } from "../tools/json-watch.ts";

/** A chunk that belongs to a part. */
type ContentChunk = Extract<StreamChunk, { part: number }>;

/**
 * For formats that write one block after the other: while the arguments of a call are still coming, what belongs to
 * other parts waits, so that blocks do not overlap.
 */
export class PartsInTurn {
  readonly #write: (chunk: ContentChunk) => string;
  /** The call begun last, and its arguments so far. */
  #call: { readonly part: number; readonly json: JsonWatch } | undefined;
  readonly #waiting = new Map<number, ContentChunk[]>();

  constructor(write: (chunk: ContentChunk) => string) {
    this.#write = write;
  }

  /** Writes a chunk now, with what waited for it, or keeps it until the call before it is complete. */
  push(chunk: ContentChunk): string {
    if (this.#waiting.size === 0 && !this.#busyBeside(chunk.part)) return this.#say(chunk);
    const waiting = this.#waiting.get(chunk.part);
    if (waiting) waiting.push(chunk);
    else if (this.#busyBeside(chunk.part)) this.#waiting.set(chunk.part, [chunk]);
    else return this.#say(chunk) + this.#release();
    return "";
  }

  /** What still waits when the answer ends. */
  end(): string {
    let text = "";
    for (const chunks of this.#waiting.values()) for (const chunk of chunks) text += this.#write(chunk);
    this.#waiting.clear();
    return text;
  }

  /**
   * What still waits when the answer breaks off. `leave` is called before something else is written where a call is open that never became
   * whole: clients run what they are told the end of.
   */
  breakOff(leave: () => void): string {
    let text = "";
    for (const chunks of this.#waiting.values()) {
      if (this.#call && !this.#call.json.complete) leave();
      this.#call = undefined;
      for (const chunk of chunks) text += this.#say(chunk);
    }
    this.#waiting.clear();
    return text;
  }

  #busyBeside(part: number): boolean {
    return this.#call !== undefined && this.#call.part !== part && !this.#call.json.complete;
  }

  #say(chunk: ContentChunk): string {
    const { part } = chunk;
    if (chunk.type === "tool-call-start") {
      if (this.#call?.part !== part) this.#call = { part, json: new JsonWatch() };
    } else if (chunk.type === "tool-call-delta" && this.#call?.part === part) this.#call.json.feed(chunk.arguments);
    return this.#write(chunk);
  }

  #release(): string {
    let text = "";
    for (const [part, chunks] of this.#waiting) {
      if (this.#busyBeside(part)) break;
      this.#waiting.delete(part);
      for (const chunk of chunks) text += this.#say(chunk);
    }
    return text;
  }
}
