import { randomUUID } from "node:crypto";
import { type Fields, isRecord } from "../../core/index.ts";

const prefixes: Readonly<Record<string, string>> = {
  message: "msg",
  function_call: "fc",
  function_call_output: "fco",
  reasoning: "rs",
};

/** Kinds of items that say how far they are (section 11.6). What a client gives is there as a whole. */
const withStatus: ReadonlySet<unknown> = new Set(["message", "function_call", "function_call_output"]);

/**
 * The items of a request's `input`, written out: a text is a message, and every item has an id. What still refers to
 * something is known to nobody.
 */
export function itemsOf(input: unknown): Fields[] {
  if (typeof input === "string") return [withId({ role: "user", content: input })];
  return Array.isArray(input) ? input.filter(isSaid).map(withId) : [];
}

/** Items of which each has an id of its own, which is how pages of them are asked for: who goes on may say some again. */
export function distinct(items: readonly Readonly<Fields>[]): readonly Readonly<Fields>[] {
  const seen = new Set<unknown>();
  return items.map((item) => {
    if (!seen.has(item.id)) {
      seen.add(item.id);
      return item;
    }
    const { id: _, ...others } = item;
    return withId(others);
  });
}

const isSaid = (item: unknown): item is Readonly<Fields> => isRecord(item) && item.type !== "item_reference";

function withId(item: Readonly<Fields>): Fields {
  const { id, type = "message", content, ...others } = item;
  return {
    id: typeof id === "string" ? id : `${prefixes[String(type)] ?? "item"}_${randomUUID().replaceAll("-", "")}`,
    type,
    ...others,
    ...(content !== undefined && { content: typeof content === "string" ? [textPart(item.role, content)] : content }),
    ...(withStatus.has(type) && { status: item.status ?? "completed" }),
  };
}

const textPart = (role: unknown, text: string): Fields =>
  role === "assistant" ? { type: "output_text", text, annotations: [] } : { type: "input_text", text };
