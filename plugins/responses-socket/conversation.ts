import { asReadIn, type Fields, isRecord, writeJson } from "../../core/index.ts";

/**
 * A conversation that can be gone on from. Its items are kept as they are sent, as JSON without the brackets of the list: what was
 * read takes many times the room, and would be written again with each turn.
 */
export interface Conversation {
  /** The response it goes on from itself, where that one is kept elsewhere. */
  readonly previous: unknown;
  /** What was said since, questions and answers. */
  readonly items: string;
}

export const joined = (...lists: readonly string[]): string => lists.filter((list) => list !== "").join(",");

export const written = (items: readonly unknown[]): string => writeJson(items).slice(1, -1);

/** A request with this input, for a stream. */
export function askedWith(body: Readonly<Fields>, { previous, items }: Conversation): Buffer {
  const { input: _, ...others } = body;
  const rest = writeJson(asReadIn(body, { ...others, previous_response_id: previous, stream: true }));
  return Buffer.from(`${rest.slice(0, -1)},"input":[${items}]}`);
}

/** The items of an input, which may be a text; undefined where it is neither. */
export function itemsIn(input: unknown): readonly Readonly<Fields>[] | undefined {
  if (input === undefined || input === null) return [];
  if (typeof input === "string") return [{ type: "message", role: "user", content: input }];
  return Array.isArray(input) && input.every(isRecord) ? input : undefined;
}

/** What of an output can be said again. Thoughts that nobody stores mean something to their vendor only with what it has encrypted of them. */
export const sayable = (output: unknown): readonly Readonly<Fields>[] =>
  (itemsIn(output) ?? []).filter(
    ({ type, encrypted_content }) => type !== "reasoning" || typeof encrypted_content === "string",
  );
