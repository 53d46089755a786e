/** A place that a batch has: so many of them are worked on at once. */
export interface Place {
  readonly tenant: string;
  /** Unix milliseconds. */
  readonly since: number;
  /** Whether what is done there can be broken off at little cost, and gone on with later. */
  readonly mayPause: boolean;
  /** It is to be: others wait for the place. */
  isOver: boolean;
}

/** Milliseconds a place is had, at least, before it goes to somebody with one place less. */
export const turn = 60_000;

/** Milliseconds after which it does not matter any more when a tenant has last had a place. */
const memory = 10 * turn;

/** Deals out places so that each tenant who waits gets as many as any other. */
export class Places {
  readonly #most: number;
  readonly #now: () => number;
  readonly #taken = new Set<Place>();
  /** When a place was last given up, by the tenant who had it. */
  readonly #left = new Map<string, number>();

  constructor(most: number, now: () => number) {
    this.#most = most;
    this.#now = now;
  }

  get isFree(): boolean {
    return this.#taken.size < this.#most;
  }

  take(tenant: string, mayPause: boolean): Place {
    const place = { tenant, since: this.#now(), mayPause, isOver: false };
    this.#taken.add(place);
    return place;
  }

  leave(place: Place): void {
    if (this.#taken.delete(place)) this.#left.set(place.tenant, this.#now());
  }

  /** Whose turn it is among tenants who wait: who has the fewest places, and of those who has waited longest. */
  next(tenants: Iterable<string>): string | undefined {
    return this.#fewest(tenants, this.#held());
  }

  /**
   * Has places given up for those who wait, so many for each tenant; `begun` are tenants of batches that wait to be ended.
   */
  makeRoom(waiting: ReadonlyMap<string, number>, begun: readonly string[]): void {
    const held = this.#held();
    for (const [tenant, at] of this.#left) if (at + memory < this.#now()) this.#left.delete(tenant);
    let promised = [...this.#taken].filter(({ isOver }) => isOver).length;
    for (const tenant of begun) if (promised-- <= 0) this.#giveUpFor(tenant, held, true);
    const left = new Map(waiting);
    for (let tenant = this.#fewest(left.keys(), held); tenant !== undefined; ) {
      if (promised-- > 0) add(held, tenant, 1);
      else if (!this.#giveUpFor(tenant, held, false)) return;
      if (add(left, tenant, -1) === 0) left.delete(tenant);
      tenant = this.#fewest(left.keys(), held);
    }
  }

  /** Who has had a place longest, of the tenants who have most. Somebody with one place less waits for the end of a turn. */
  #giveUpFor(tenant: string, held: Map<string, number>, begun: boolean): boolean {
    const heldBy = (one: string): number => held.get(one) ?? 0;
    const [place] = [...this.#taken]
      .filter(({ mayPause, isOver }) => mayPause && !isOver)
      .sort((one, other) => heldBy(other.tenant) - heldBy(one.tenant) || one.since - other.since);
    if (!place) return false;
    const more = heldBy(place.tenant) - heldBy(tenant);
    const hadItsTurn = place.since + turn <= this.#now();
    if (more < 2 && !(hadItsTurn && (more === 1 || begun))) return false;
    place.isOver = true;
    add(held, place.tenant, -1);
    add(held, tenant, 1);
    return true;
  }

  #fewest(tenants: Iterable<string>, held: ReadonlyMap<string, number>): string | undefined {
    let found: string | undefined;
    const compared = (one: string, other: string): number =>
      (held.get(one) ?? 0) - (held.get(other) ?? 0) || (this.#left.get(one) ?? 0) - (this.#left.get(other) ?? 0);
    for (const tenant of tenants) if (found === undefined || compared(tenant, found) < 0) found = tenant;
    return found;
  }

  /** Places of each tenant that are not being given up. */
  #held(): Map<string, number> {
    const held = new Map<string, number>();
    for (const { tenant, isOver } of this.#taken) if (!isOver) add(held, tenant, 1);
    return held;
  }
}

function add(counts: Map<string, number>, tenant: string, more: number): number {
  const sum = (counts.get(tenant) ?? 0) + more;
  counts.set(tenant, sum);
  return sum;
}
