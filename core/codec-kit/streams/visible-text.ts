/** A text that says nothing: vendors of some formats refuse it in a history, where clients put what they were given. */
export const isBlank = (text: string): boolean => !/\S/.test(text);

/** The texts of a stream for clients of such formats: white space that a text begins with waits until it says something. */
export class VisibleText {
  #visible: number | undefined;
  #held: { readonly part: number; readonly text: string } | undefined;

  /** What of the text of a part is to be written now. */
  push(part: number, text: string): string {
    if (this.#visible === part) return text;
    const all = this.#waiting(part) + text;
    if (!isBlank(all)) return this.#shown(part, all);
    this.#held = { part, text: all };
    return "";
  }

  /** What waits of a part that there is something to say of besides. */
  release(part: number): string {
    return this.#shown(part, this.#waiting(part));
  }

  #waiting(part: number): string {
    return this.#held?.part === part ? this.#held.text : "";
  }

  #shown(part: number, text: string): string {
    this.#held = undefined;
    this.#visible = part;
    return text;
  }
}
