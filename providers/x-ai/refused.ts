import { isRecord, type Rewrite } from "../../core/provider-kit/index.ts";

type Wire = Readonly<Record<string, unknown>>;
type Report = ((dropped: string) => void) | undefined;

/** "presencePenalty, frequencyPenalty and stop parameters are not supported by reasoning models" (docs.x.ai, Reasoning). */
const unknownWhereThinking = ["frequency_penalty", "presence_penalty", "stop"] as const;

const thinks = (model: unknown): boolean =>
  /grok-(?:3-mini|[4-9]|code|build|latest)/.test(String(model)) && !/non-reasoning/.test(String(model));

/** These refuse every effort (@ai-sdk/xai 5.0, `supportsReasoningEffort`; docs.x.ai, Reasoning, of the first of Grok 4). */
const withoutEfforts = /grok-(?:4(?:-0709|-latest)?|4-(?:1-)?fast.*|code-fast.*|4\.20(?:-\d{4})?-(?:non-)?reasoning)$/;

const lastEffort = (model: unknown): string => (/grok-(?:4\.[6-9]|[5-9])/.test(String(model)) ? "xhigh" : "high");

/** An effort by the name that a model has for it; undefined where it has none. */
function effortFor(model: unknown, effort: unknown): unknown {
  if (withoutEfforts.test(String(model))) return undefined;
  if (effort === "minimal") return "low";
  return effort === "xhigh" || effort === "max" ? lastEffort(model) : effort;
}

function withEffort({ reasoning_effort: effort, ...wire }: Wire, report: Report): Wire {
  if (effort === undefined || effort === null) return wire;
  const known = effortFor(wire.model, effort);
  if (known === undefined) report?.("reasoning_effort");
  return known === undefined ? wire : { ...wire, reasoning_effort: known };
}

function withoutUnknown(wire: Wire, report: Report): Record<string, unknown> {
  const left = { ...wire };
  if (!thinks(wire.model)) return left;
  for (const name of unknownWhereThinking) {
    // A penalty of 0 is none.
    if (left[name]) report?.(name);
    delete left[name];
  }
  return left;
}

const quoted = (text: string): string => `"${text}"`;

/** Chats without what Grok refuses. */
export const chats: Rewrite = {
  when: ["reasoning_effort", ...unknownWhereThinking].map(quoted),
  apply: (wire, report) => withoutUnknown(withEffort(wire, report), report),
};

/**
 * A search of the web as this vendor knows it: "Argument not supported: external_web_access" (lidge-jun/opencodex#2240). It always reads
 * pages as they are: who is not to (`false`, which Codex says unasked) searches nothing.
 */
function searching(tool: unknown, report: Report): unknown[] {
  if (!isRecord(tool) || !String(tool.type).startsWith("web_search")) return [tool];
  const { external_web_access: live, search_content_types: kinds, ...search } = tool;
  if (live === false) {
    report?.(`tools.${String(tool.type)}`);
    return [];
  }
  if (kinds !== undefined) report?.("tools.search_content_types");
  return [search];
}

function withTools({ tools, ...wire }: Wire, report: Report): Wire {
  if (!Array.isArray(tools)) return { ...wire, ...(tools !== undefined && { tools }) };
  const known = tools.flatMap((tool) => searching(tool, report));
  if (known.length > 0 || tools.length === 0) return { ...wire, tools: known };
  // Without tools nothing is said about calling any.
  const { tool_choice: choice, parallel_tool_calls: _, ...rest } = wire;
  if (choice !== undefined && choice !== "auto" && choice !== "none") report?.("tool_choice");
  return rest;
}

/** A thought is refused where it has no content, and says so: Codex writes that ("Could not decode the compaction blob", #2237 there). */
function thought(item: unknown): unknown {
  if (!isRecord(item) || item.type !== "reasoning" || item.content !== null) return item;
  const { content: _, ...rest } = item;
  return rest;
}

function withReasoning({ reasoning, ...wire }: Wire, report: Report): Wire {
  if (!isRecord(reasoning) || typeof reasoning.effort !== "string")
    return { ...wire, ...(reasoning !== undefined && { reasoning }) };
  const { effort, ...others } = reasoning;
  const known = effortFor(wire.model, effort);
  if (known === undefined) report?.("reasoning_effort");
  const said = known === undefined ? others : { ...others, effort: known };
  return Object.keys(said).length > 0 ? { ...wire, reasoning: said } : wire;
}

/** Requests of the Responses API without what Grok refuses. */
export const responses: Rewrite = {
  when: ["effort", "encrypted_content", "external_web_access", "search_content_types"].map(quoted),
  apply: (wire, report) => ({
    ...withTools(withReasoning(wire, report), report),
    ...(Array.isArray(wire.input) && { input: wire.input.map(thought) }),
  }),
};
