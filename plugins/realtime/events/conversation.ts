import { isRecord } from "../../../core/index.ts";
import { storable } from "./storable.ts";

type Fields = Readonly<Record<string, unknown>>;

interface Placed {
  readonly item: Fields;
  readonly previous: string | undefined;
}

/** Items that are remembered at most: of a longer conversation the oldest go first. */
const mostItems = 1_000;

/** The conversation as the server tells it, item by item. */
export class Conversation {
  readonly #items = new Map<string, Placed>();

  /** An item that was added, or is told anew; a `previous_item_id` that is left out is as it was. */
  keep({ item, previous_item_id }: Fields): void {
    if (!isRecord(item) || typeof item.id !== "string") return;
    const known = this.#items.get(item.id);
    const previous = typeof previous_item_id === "string" ? previous_item_id : known?.previous;
    this.#items.set(item.id, { item: storable(item) as Fields, previous });
    const [oldest] = this.#items.keys();
    if (this.#items.size > mostItems && oldest !== undefined) this.#items.delete(oldest);
  }

  /** What was said in a part of an item that came as sound. */
  transcribe({ item_id, content_index, transcript }: Fields): void {
    const known = this.#items.get(String(item_id));
    if (!known || !Array.isArray(known.item.content)) return;
    const content = known.item.content.map((part: unknown, at) =>
      at === content_index && isRecord(part) ? { ...part, transcript } : part,
    );
    this.#items.set(String(item_id), { ...known, item: { ...known.item, content } });
  }

  /** Whoever came after it comes after the one before it now. */
  remove({ item_id }: Fields): void {
    const gone = this.#items.get(String(item_id));
    if (!gone) return;
    this.#items.delete(String(item_id));
    for (const [id, { item, previous }] of this.#items)
      if (previous === item_id) this.#items.set(id, { item, previous: gone.previous });
  }

  /** The items in order, from the ones that come after none (that is known) on, without some. */
  inOrder(without: ReadonlySet<string>): readonly Fields[] {
    const after = new Map<string | undefined, string[]>();
    for (const [id, { previous }] of this.#items) {
      const before = previous !== undefined && this.#items.has(previous) ? previous : undefined;
      const others = after.get(before);
      if (others) others.push(id);
      else after.set(before, [id]);
    }
    const ordered: Fields[] = [];
    const waiting = [...(after.get(undefined) ?? [])].reverse();
    for (let id = waiting.pop(); id !== undefined; id = waiting.pop()) {
      const placed = this.#items.get(id);
      if (placed && !without.has(id)) ordered.push(placed.item);
      waiting.push(...[...(after.get(id) ?? [])].reverse());
    }
    return ordered;
  }
}
