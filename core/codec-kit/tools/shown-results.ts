import type { ToolResultPart } from "../../model/content.ts";
import type { Fields } from "../records.ts";

/**
 * What tools gave of one turn, in formats whose results are texts: the user shows the rest behind the last of them (inference-api.md section
 * 12.2). Templates of models leave out the ids of calls, so that results are told by their number, where there are several.
 */
export class ShownResults {
  readonly #write: (text: string) => Fields;
  #results = 0;
  #groups: { readonly number: number; readonly parts: readonly Fields[] }[] = [];

  /** `write` makes a part of a text. */
  constructor(write: (text: string) => Fields = (text) => ({ type: "text", text })) {
    this.#write = write;
  }

  /**
   * Takes a result: its texts as they are written, and what is to be shown besides. Gives the texts it has in its place: a model that
   * finds nothing there takes it for what the tool gave.
   */
  add(
    { content }: Pick<ToolResultPart, "content">,
    texts: readonly Fields[],
    shown: readonly Fields[],
  ): readonly Fields[] {
    this.#results++;
    if (shown.length > 0) this.#groups.push({ number: this.#results, parts: shown });
    if (texts.some(saysSomething) || content.every(({ type }) => type === "text")) return texts;
    return [this.#write(shown.length > 0 ? "Shown below." : "Left out: it cannot be shown here.")];
  }

  /** What the user shows of the results so far, none of which is taken again. */
  take(): readonly Fields[] {
    const groups = this.#groups;
    if (this.#results === 0) return [];
    const isAlone = this.#results === 1;
    this.#groups = [];
    this.#results = 0;
    return groups.flatMap(({ number, parts }) => (isAlone ? parts : [this.#write(`Result ${number}:`), ...parts]));
  }
}

/** Parts of other types than text say something as well. */
const saysSomething = (part: Fields): boolean =>
  (part.type ?? "text") !== "text" || typeof part.text !== "string" || part.text.trim() !== "";
