/** Lists that become longer piece by piece. A list that was given is never changed: one that was made of it here grows. */
export class GrowingLists {
  /** Most answers and requests have none. */
  #own: WeakSet<readonly unknown[]> | undefined;

  /** The list with more behind it: the same one where it was made here, a copy else. */
  joined<Member>(before: readonly Member[], more: readonly Member[]): Member[] {
    const all = this.own(before);
    for (const one of more) all.push(one);
    return all;
  }

  /** A list that may be changed: the same one where it was made here, a copy else. */
  own<Member>(list: readonly Member[]): Member[] {
    if (this.#isOwn(list)) return list;
    const copy = [...list];
    this.#own ??= new WeakSet();
    this.#own.add(copy);
    return copy;
  }

  #isOwn<Member>(list: readonly Member[]): list is Member[] {
    return this.#own?.has(list) === true;
  }
}
