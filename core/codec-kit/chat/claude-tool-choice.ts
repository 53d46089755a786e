import type { ToolChoice } from "../../model/chat.ts";
import { claudeAbilities } from "./claude.ts";

/** Whether the model is made to call a tool. */
export const isForcing = (choice: ToolChoice | undefined): boolean =>
  choice?.type === "required" || choice?.type === "tool";

/** A choice among tools as a Claude takes it: some refuse to be made to call one, and are left to choose. */
export function takenChoice<Choice extends ToolChoice>(
  choice: Choice,
  model: string,
  report: (dropped: string) => void,
): Choice | { readonly type: "auto" } {
  if (!isForcing(choice) || !claudeAbilities(model)?.refusesForcedTools) return choice;
  report("tool_choice");
  return { type: "auto" };
}
