/**
 * Which generation of a gateway answers, for parts of it that hand on what still waits when theirs is replaced. Kept over all
 * generations (`kept` of the plugin's context).
 */
export class Succession<Part> {
  #serving: Part | undefined;

  /** Who takes over what is handed on; undefined where the process ends. */
  get serving(): Part | undefined {
    return this.#serving;
  }

  /** From now on this one takes over. */
  serve(part: Part): void {
    this.#serving = part;
  }

  /** This one takes over no more: its generation ends, with the process where no other has taken its place. */
  leave(part: Part): void {
    if (this.#serving === part) this.#serving = undefined;
  }
}
