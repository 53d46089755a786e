import type { ChatRequest, CustomTool, FunctionTool } from "../../model/chat.ts";
import type { EncodeContext } from "../../model/format.ts";
import type { ToolCallStart } from "../../model/stream.ts";

/**
 * Some formats have tools that take free text. The canonical model has them as functions of one text, marked: formats
 * that know functions only write them without knowing, and those that have them write them as they were.
 */
export const customTool = (name: string, custom: CustomTool): FunctionTool => ({
  type: "function",
  name,
  description: described(custom),
  parameters: {
    type: "object",
    properties: { input: { type: "string", description: "The whole text." } },
    required: ["input"],
    additionalProperties: false,
  },
  custom,
});

const freeText = "It takes free text: the whole text goes into `input`, as it is. The text is not JSON.";

function described({ description, grammar }: CustomTool): string {
  const said = description ? [description, freeText] : [freeText];
  if (grammar) said.push(`The text must match this grammar (${grammar.syntax}):\n\n${grammar.definition}`);
  return said.join("\n\n");
}

/** The arguments of a call of such a tool. */
export const inputArguments = (input: string): string => inputBegin + inputPiece(input) + inputEnd;

/** The same in pieces. */
export const inputBegin = '{"input":"';
export const inputPiece = (text: string): string => JSON.stringify(text).slice(1, -1);
export const inputEnd = '"}';

/** Whether a call in an answer is one of such a tool, or of one the client declared so. */
export const isCustomCall = (
  { name, custom }: Pick<ToolCallStart, "name" | "custom">,
  { customTools }: Pick<EncodeContext, "customTools">,
): boolean => custom ?? customTools?.has(name) ?? false;

/** The names of such tools among those of a request; undefined where there are none. */
export function customToolsOf({ tools = [] }: Pick<ChatRequest, "tools">): ReadonlySet<string> | undefined {
  let names: Set<string> | undefined;
  for (const tool of tools) {
    if (tool.type !== "function" || !tool.custom) continue;
    names ??= new Set();
    names.add(tool.name);
  }
  return names;
}
