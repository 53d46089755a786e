import { type Asked, must, type Piece, type Wire, wire } from "./speaker.ts";

/** What Claudes have in common, whoever serves them. docs: build-with-claude/thinking, models/opus-5-5/whats-new-opus-5-5, and errors. */

/** What a request says of thinking and what excludes it, in the words of the Messages API. */
export interface Settings {
  readonly thinking: Wire | undefined;
  readonly maxTokens: unknown;
  readonly temperature: unknown;
  readonly topP: unknown;
  readonly topK: unknown;
  readonly forced: boolean;
}

/** A turn as far as thinking is concerned. */
export interface ClaudeTurn {
  readonly role: unknown;
  readonly blocks: readonly ("thinking" | "result" | "other")[];
}

const isBudgeted = (model: string): boolean => /4-[56]/.test(model);
const isAdaptive = (model: string): boolean => !/4-5/.test(model) || /5-5/.test(model);
const thinksUnasked = (model: string): boolean => /(?:opus|sonnet)-5/.test(model);
/** docs: build-with-claude/thinking#controlling-thinking-display */
const hidesThoughts = (model: string): boolean => /4-[78]|(?:opus|sonnet)-5/.test(model);

/** docs: build-with-claude/mid-conversation-system-messages */
export const takesInstructions = (model: string): boolean => /opus-(?:4-8|5)/.test(model);

/** Instructions between messages stand behind what the user says, and before the answer. */
export function checkInstructions(roles: readonly unknown[], model: string): void {
  for (const [at, role] of roles.entries()) {
    if (role !== "system") continue;
    must(takesInstructions(model), "role 'system' is not supported on this model", model);
    must(roles[at - 1] === "user", "role 'system' must follow a 'user' message", roles);
    must((roles[at + 1] ?? "assistant") === "assistant", "role 'system' must precede an 'assistant' message", roles);
  }
}

/** Those that differ: by budgets, by both ways, without budgets, unasked, and always. */
export const claudes = [
  "claude-sonnet-4-5",
  "claude-opus-4-6",
  "claude-opus-4-8",
  "claude-opus-5",
  "claude-opus-5-5",
] as const;

export function thinks(thinking: unknown, model: string): boolean {
  const { type } = wire(thinking);
  return type === undefined ? thinksUnasked(model) : type !== "disabled";
}

/** Whether it thinks and shows nothing of it. */
export function hidden(thinking: unknown, model: string): boolean {
  const { display = hidesThoughts(model) ? "omitted" : "summarized" } = wire(thinking);
  return thinks(thinking, model) && display === "omitted";
}

/** The pieces of an answer: none is thought where there is no thinking, and with a budget there always is at first. */
export function claudePieces(pieces: readonly Piece[], thinking: unknown, model: string, begins: boolean): Piece[] {
  const isThought = ({ kind }: Piece) => kind === "thought" || kind === "hidden";
  if (!thinks(thinking, model)) return pieces.filter((piece) => !isThought(piece));
  // What is thought is not shown by newer models, unless they are asked for it.
  const isHidden = hidden(thinking, model);
  const shown = pieces.map((piece) => (isHidden && piece.kind === "thought" ? { ...piece, text: "" } : piece));
  const [first] = shown;
  const isMissing = wire(thinking).type === "enabled" && begins && first !== undefined && !isThought(first);
  return isMissing ? [{ kind: "thought", text: "Hm." }, ...shown] : shown;
}

/** Where the turn that goes on begins: at the first answer since the user said something that is no result. */
export function openFrom(turns: readonly ClaudeTurn[]): number {
  const asked = turns.findLastIndex(({ role, blocks }) => role === "user" && !blocks.includes("result"));
  return asked + 1;
}

export function checkClaude(settings: Settings, turns: readonly ClaudeTurn[], { model, own }: Asked): void {
  for (const turn of turns)
    if (turn.role === "assistant" && !own)
      must(turn.blocks.at(-1) !== "thinking", "the final block cannot be thinking", turn);
  const open = turns.slice(openFrom(turns)).filter(({ role }) => role === "assistant");
  // Who asks for it in the API's own words cannot know who began the turn. Newer models refuse budgets anyway.
  if (settings.thinking?.type === "enabled" && isBudgeted(model) && open[0])
    must(open[0].blocks[0] === "thinking", "a final assistant message must start with a thinking block", open);
  if (own) return;
  checkSettings(settings, model);
  if (!thinks(settings.thinking, model))
    for (const { blocks } of open) must(!blocks.includes("thinking"), "when thinking is disabled there is none", open);
}

function checkSettings({ thinking, maxTokens, temperature, topP, topK, forced }: Settings, model: string): void {
  const { type, budget_tokens: budget } = thinking ?? {};
  if (model.includes("5-5"))
    must(type !== "disabled" && !forced, "thinking cannot be disabled, nor a tool forced", model);
  if (type === "adaptive") must(isAdaptive(model), "adaptive thinking is not supported on this model", model);
  if (type === "enabled") {
    must(isBudgeted(model), "thinking.type.enabled is not supported for this model", model);
    must(Number(budget) >= 1024, "at least 1024", thinking);
    must(Number(budget) < Number(maxTokens), "max_tokens must be greater than thinking.budget_tokens", thinking);
  }
  if (type === "enabled" || type === "adaptive") {
    must(!forced, "thinking may not be enabled when tool_choice forces tool use", thinking);
    must(temperature === undefined || temperature === 1, "temperature may only be set to 1", temperature);
    must(topK === undefined && (topP === undefined || Number(topP) >= 0.95), "top_k and top_p are not set", {
      topK,
      topP,
    });
  }
  if (/claude-opus-5/.test(model))
    must(
      [temperature ?? 1, topP ?? 1, topK ?? 1].every((one) => one === 1),
      "no sampling",
      model,
    );
}
