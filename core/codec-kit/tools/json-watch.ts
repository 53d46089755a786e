import { backslash, closeBrace, closeBracket, openBrace, openBracket, quote } from "../../json-bytes.ts";
/**
 * Watches JSON text go by in pieces and knows when its outermost object or array has closed: the moment a streamed
 * tool call can get no more arguments.
 */
export class JsonWatch {
  #depth = 0;
  #inText = false;
  #escaped = false;
  #complete = false;

  get complete(): boolean {
    return this.#complete;
  }

  feed(piece: string): void {
    for (let at = 0; at < piece.length && !this.#complete; at++) this.#step(piece.charCodeAt(at));
  }

  #step(code: number): void {
    if (this.#inText) {
      if (this.#escaped) this.#escaped = false;
      else if (code === backslash) this.#escaped = true;
      else if (code === quote) this.#inText = false;
    } else if (code === quote) this.#inText = true;
    else if (code === openBrace || code === openBracket) this.#depth++;
    else if (code === closeBrace || code === closeBracket) this.#complete = --this.#depth <= 0;
  }
}
