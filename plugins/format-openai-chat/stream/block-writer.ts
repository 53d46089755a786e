import { type Fields, writeJson } from "../../../core/index.ts";

/** A piece of a block, as the delta of a choice. */
export const blockDelta = (index: number, delta: Fields): string => writeJson({ content_blocks: [{ index, delta }] });

/**
 * Which texts of a choice are in `content_blocks` besides. As long as there is nothing but one text, it is in `content` only; once
 * there is more, it is one of the blocks, as in whole answers.
 */
export class BlockWriter {
  #alone: { readonly part: number; text: string } | undefined;
  #begun = false;

  /** Whether a text is a block. One that is none so far is kept. */
  takes(part: number, text: string): boolean {
    if (this.#begun || (this.#alone && this.#alone.part !== part)) return true;
    this.#alone ??= { part, text: "" };
    this.#alone.text += text;
    return false;
  }

  /** To be asked before each block: the delta that goes before the first one, with the text that was said until then. */
  earlier(): string {
    const alone = this.#begun ? undefined : this.#alone;
    this.#begun = true;
    return alone ? blockDelta(alone.part, { text: alone.text }) : "";
  }
}
