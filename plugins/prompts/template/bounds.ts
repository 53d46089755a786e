import { because } from "./refusals.ts";

/** The most a rendered request may have, in bytes; a text of more characters has more bytes. */
export const mostBytes = 10 * 1024 * 1024;

/** Tags, items and lookups of one rendering. A template of ordinary size and its data stay far below. */
const mostSteps = 500_000;

/** What one rendering may cost: sections over long lists inside each other would go on for ever. */
export class Bounds {
  #steps = 0;
  #characters = 0;

  readonly step = (): void => {
    if (++this.#steps > mostSteps)
      throw because("prompt_too_large", `Rendering this prompt takes more than ${mostSteps} steps.`);
  };

  /** Counts what is written. What is written over into something else is taken back first. */
  wrote(characters: number): void {
    this.#characters += characters;
    if (this.#characters > mostBytes)
      throw because("prompt_too_large", `The rendered request has more than ${mostBytes} bytes.`);
  }
}
