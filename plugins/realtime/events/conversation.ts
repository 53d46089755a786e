import { isRecord } from "../../../core/index.ts";
import { storable } from "./storable.ts";

type Fields = Readonly<Record<string, unknown>>;

interface Placed {
  readonly item: Fields;
  readonly previous: string | undefined;
  /** Characters of its JSON. */
  readonly size: number;
}

/** Items that are remembered at most: of a longer conversation the oldest go first. */
const mostItems = 1_000;
/** The same in characters of their JSON, images and all: with each answer the whole of them is recorded. */
const mostCharacters = 8 * 1024 * 1024;

/** The conversation as the server tells it, item by item. */
export class Conversation {
  readonly #items = new Map<string, Placed>();
  #size = 0;

  /** An item that was added, or is told anew; a `previous_item_id` that is left out is as it was. */
  keep({ item, previous_item_id }: Fields): void {
    if (!isRecord(item) || typeof item.id !== "string") return;
    const known = this.#items.get(item.id);
    const previous = typeof previous_item_id === "string" ? previous_item_id : known?.previous;
    this.#put(item.id, storable(item) as Fields, previous);
  }

  #put(id: string, item: Fields, previous: string | undefined): void {
    const size = JSON.stringify(item).length;
    this.#size += size - (this.#items.get(id)?.size ?? 0);
    this.#items.set(id, { item, previous, size });
    for (const oldest of this.#items.keys()) {
      const isTooMuch = this.#items.size > mostItems || this.#size > mostCharacters;
      if (!isTooMuch || this.#items.size === 1) break;
      this.#forget(oldest);
    }
  }

  #forget(id: string): void {
    this.#size -= this.#items.get(id)?.size ?? 0;
    this.#items.delete(id);
  }

  /** What was said in a part of an item that came as sound. */
  transcribe({ item_id, content_index, transcript }: Fields): void {
    const known = this.#items.get(String(item_id));
    if (!known || !Array.isArray(known.item.content)) return;
    const content = known.item.content.map((part: unknown, at) =>
      at === content_index && isRecord(part) ? { ...part, transcript } : part,
    );
    this.#put(String(item_id), { ...known.item, content }, known.previous);
  }

  /** Whoever came after it comes after the one before it now. */
  remove({ item_id }: Fields): void {
    const gone = this.#items.get(String(item_id));
    if (!gone) return;
    this.#forget(String(item_id));
    for (const [id, placed] of this.#items)
      if (placed.previous === item_id) this.#items.set(id, { ...placed, previous: gone.previous });
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
