import type { ChatRequest } from "../../model/chat.ts";
import type { Fields } from "../records.ts";
import { claudeAbilities } from "./claude.ts";

/**
 * What is said of thinking to a Claude whose client wants to read it. Since 4.7 they give none of it away unasked, so that users wait and
 * see nothing (platform.claude.com/docs/en/build-with-claude/thinking#controlling-thinking-display). One that thinks unasked is told what it
 * does anyway, for `display` stands nowhere else; beside a tool that is `forced` it cannot be said.
 */
export function shownThinking(
  thinking: Readonly<Fields> | undefined,
  { model, reasoning }: Pick<ChatRequest, "model" | "reasoning">,
  forced: boolean,
): Readonly<Fields> | undefined {
  const abilities = claudeAbilities(model);
  if (reasoning?.display !== "summarized" || !abilities?.hidesThoughts) return thinking;
  const { display } = reasoning;
  if (!thinking) return abilities.thinksUnasked && !forced ? { type: "adaptive", display } : undefined;
  return thinking.type === "adaptive" ? { ...thinking, display } : thinking;
}

/**
 * The same of clients that have no word for it and read what they are given, where they ask for thinking in words of other models: an
 * effort, or a budget. Who writes the newer switch of Claude's may write `display` into it.
 */
export function wantsThoughts(request: ChatRequest): ChatRequest {
  const { model, reasoning = {} } = request;
  const { mode, effort, display } = reasoning;
  const asks = mode === "enabled" || (mode === undefined && effort !== undefined && effort !== "none");
  if (!asks || display !== undefined || !claudeAbilities(model)?.hidesThoughts) return request;
  return { ...request, reasoning: { ...reasoning, display: "summarized" } };
}

/** A request that does not ask for what a Claude does unasked: those from before `display` may not know the field. */
export function withoutUsualDisplay(request: ChatRequest): ChatRequest {
  const { model, reasoning } = request;
  if (reasoning?.display !== "summarized" || claudeAbilities(model)?.hidesThoughts) return request;
  const { display: _, ...rest } = reasoning;
  return { ...request, reasoning: rest };
}
