import { type Fields, isRecord } from "../../core/index.ts";

/**
 * Clients may search for tools themselves (`tool_search` with `execution: "client"`): the model asks, and the client answers with the tools
 * that it may call from then on. Others than vendors of this format are offered the search as a function of this name.
 */
export const searchName = "tool_search";

/** Whether a tool, as it is written, is such a search. */
export const isClientSearch = (tool: unknown): tool is Readonly<Fields> =>
  isRecord(tool) && tool.type === searchName && tool.execution === "client";

/** Whether a request, as it was written, has one, and no other tool is called so. */
export function hasClientSearch({ tools }: Readonly<Fields> = {}): boolean {
  if (!Array.isArray(tools) || !tools.some(isClientSearch)) return false;
  return !tools.some((tool) => isRecord(tool) && tool.name === searchName);
}

/** The types of input items that bring tools. */
const bringing: ReadonlySet<unknown> = new Set(["tool_search_output", "additional_tools"]);

/** The tools that an item of the input brings, as they are written. */
export const broughtBy = (item: unknown): readonly unknown[] =>
  isRecord(item) && bringing.has(item.type) && Array.isArray(item.tools) ? item.tools : [];

/** All tools of a request as it was written: those of its list, and those that came later. */
export function* writtenTools({ tools, input }: Readonly<Fields> = {}): Iterable<unknown> {
  if (Array.isArray(tools)) yield* tools;
  for (const item of Array.isArray(input) ? input : []) yield* broughtBy(item);
}

/** How a search begins in an answer. It has no events of its own: what is asked is told when it is there as a whole. */
export const searchItem = (id: string, callId: string): Fields => ({
  type: "tool_search_call",
  id,
  call_id: callId,
  execution: "client",
  arguments: {},
  status: "in_progress",
});
