import type { ConfigProblem } from "../../core/index.ts";

/** What is wrong with a condition, found while it is compiled. */
export interface Mistake extends ConfigProblem {
  /** A condition with such a mistake cannot be asked; with any other it is merely never true, or always. */
  readonly fatal: boolean;
}

/** A list of mistakes under construction, and the place in the config that is being read. */
export class Mistakes {
  readonly path: string;
  readonly #found: Mistake[];

  constructor(path: string, found: Mistake[] = []) {
    this.path = path;
    this.#found = found;
  }
  get found(): readonly Mistake[] {
    return this.#found;
  }
  at(key: string | number): Mistakes {
    return new Mistakes(`${this.path}.${key}`, this.#found);
  }
  fatal(message: string): void {
    this.#found.push({ path: this.path, message, fatal: true });
  }
  slight(message: string): void {
    this.#found.push({ path: this.path, message, fatal: false });
  }
}
