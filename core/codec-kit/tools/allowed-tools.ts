import type { ChatRequest, ToolChoice } from "../../model/chat.ts";

type Among = Extract<ToolChoice, { readonly type: "among" }>;

/** A request that allows all of its tools, one or none. */
export interface FreeRequest extends ChatRequest {
  readonly toolChoice?: Exclude<ToolChoice, Among>;
}

/**
 * A request whose client allows some of its tools only, for a format that has no word for that: it brings no others. The price
 * is the vendor's cache of all tools, and a cache marker on one that is left out; and a history may speak of tools that are
 * not described, which vendors take where others are. Where one tool has to be called and the format calls tools `byName`,
 * it is named and all of them stay. Tells of names that no tool has.
 */
export const withAllowedTools = (
  request: ChatRequest,
  report: (dropped: string) => void,
  { byName = true }: { readonly byName?: boolean } = {},
): FreeRequest =>
  request.toolChoice?.type === "among"
    ? narrowed(request, request.toolChoice, byName, report)
    : (request as FreeRequest);

function narrowed(
  { toolChoice: _, ...request }: ChatRequest,
  { names, required }: Among,
  byName: boolean,
  report: (dropped: string) => void,
): FreeRequest {
  const tools = (request.tools ?? []).filter((tool) => tool.type === "function" && names.includes(tool.name));
  const [only, ...more] = tools;
  if (!only || tools.length < new Set(names).size) report("tool_choice");
  if (only?.type !== "function") return request;
  if (byName && required && more.length === 0) return { ...request, toolChoice: { type: "tool", name: only.name } };
  return { ...request, tools, toolChoice: { type: required ? "required" : "auto" } };
}
