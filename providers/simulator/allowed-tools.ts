import type { Question } from "./question.ts";
import { isRecord, recordsIn, textIn } from "./wire.ts";

/** A choice among several tools as OpenAI's APIs have it: in that of chats it stands in an object of its own, and so do names. */
export function allowedIn(choice: unknown): Pick<Question, "toolChoice" | "allowed"> | undefined {
  if (!isRecord(choice) || choice.type !== "allowed_tools") return undefined;
  const { mode, tools } = isRecord(choice.allowed_tools) ? choice.allowed_tools : choice;
  return {
    toolChoice: mode === "required" ? "required" : "auto",
    allowed: recordsIn(tools).map((tool) => textIn(isRecord(tool.function) ? tool.function.name : tool.name)),
  };
}
