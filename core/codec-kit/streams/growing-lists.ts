/** Lists that become longer piece by piece. A list that was given is never changed: one that was made of it here grows. */
export class GrowingLists {
  readonly #own = new WeakMap<readonly unknown[], unknown[]>();

  joined(before: readonly unknown[], more: readonly unknown[]): readonly unknown[] {
    const all = this.#own.get(before) ?? [...before];
    this.#own.set(all, all);
    for (const one of more) all.push(one);
    return all;
  }
}
