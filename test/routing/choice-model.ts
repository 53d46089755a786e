import { saidOf, valueAt } from "./condition-model.ts";
import { Refused } from "./prediction.ts";
import type { Asked, Tree } from "./trees.ts";

interface Chance {
  readonly asked: Asked;
  readonly draw: number;
  /** Milliseconds. */
  readonly now: number;
}

/** Where callers stay, as naively as the specification words it (routing-config.md section 7.4). */
export class StickyModel {
  readonly #stays = new Map<string, { readonly index: number; readonly until: number }>();

  /** The same callers, for whoever only looks where they stay. */
  copy(): StickyModel {
    const copy = new StickyModel();
    for (const [key, stay] of this.#stays) copy.#stays.set(key, stay);
    return copy;
  }

  choose(
    { strategy, targets = [] }: Tree,
    { node, path, among }: { readonly node: Tree; readonly path: string; readonly among: readonly number[] },
    { asked, draw, now }: Chance,
  ): number {
    const { enabled, hash_fields = [], ttl = 3600 } = strategy?.sticky ?? {};
    const said = saidOf(node.metadata, asked);
    const values = hash_fields.map((field) => textOf(valueAt(field, said, asked)));
    if (!enabled || values.every((value) => value === "")) return drawn(among, targets, draw);
    const key = JSON.stringify([path, values]);
    const stay = this.#stays.get(key);
    if (stay && stay.until > now && among.includes(stay.index)) return stay.index;
    const index = drawn(among, targets, draw);
    this.#stays.set(key, { index, until: now + ttl * 1000 });
    return index;
  }
}

const textOf = (value: unknown): string => (value === null || typeof value === "object" ? "" : String(value ?? ""));

/** One of these by weight. */
export function drawn(among: readonly number[], targets: readonly Tree[], draw: number): number {
  const weightOf = (index: number) => targets[index]?.weight ?? 1;
  let left = draw * among.reduce((total, index) => total + weightOf(index), 0);
  for (const index of among) {
    if (left < weightOf(index)) return index;
    left -= weightOf(index);
  }
  throw new Refused();
}

/** Earlier priorities first, and of the same one by weight. */
export function byPriority(among: readonly number[], targets: readonly Tree[], draw: number): number[] {
  const order: number[] = [];
  const priorityOf = (index: number) => targets[index]?.priority ?? 0;
  let left = [...among];
  while (left.length > 0) {
    const first = Math.min(...left.map(priorityOf));
    const tier = left.filter((index) => priorityOf(index) === first);
    const next = drawn(tier, targets, draw);
    order.push(next);
    left = left.filter((index) => index !== next);
  }
  return order;
}
