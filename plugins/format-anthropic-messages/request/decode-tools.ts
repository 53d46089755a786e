import { compact, type Fields, isRecord, leftovers, type Tool, type ToolChoice } from "../../../core/index.ts";
import { common, formatName } from "../fields.ts";
import { inside, type Place, read } from "../read.ts";
import { blockWire, fieldsOf, type RequestWire, toolWire } from "../wire.ts";

const known = fieldsOf(toolWire);

export const decodeTools = (tools: readonly unknown[], place: Place): Tool[] =>
  tools.map((tool, at) => decodeTool(tool, inside(place, at)));

/** A tool with a type of its own (`web_search_20250305`) runs at the vendor and is known to this format only. */
export function decodeTool(tool: unknown, place: Place): Tool {
  const isNative = isRecord(tool) && typeof tool.type === "string" && tool.type !== "custom";
  if (isNative) return { type: "native", format: formatName, value: blockWire.parse(tool) };
  const wire = read(toolWire, tool, place);
  return {
    type: "function",
    name: wire.name,
    ...(wire.description && { description: wire.description }),
    parameters: wire.input_schema,
    ...common(wire, known),
  };
}

interface DecodedChoice {
  toolChoice?: ToolChoice;
  parallelToolCalls?: boolean;
  choiceRest?: Fields;
}

const words = { auto: "auto", any: "required", none: "none" } as const;
const choiceFields = new Set(["type", "name", "disable_parallel_tool_use"]);

export function decodeToolChoice(wire: RequestWire["tool_choice"]): DecodedChoice {
  if (!wire) return {};
  const { type, name, disable_parallel_tool_use: disabled } = wire;
  const toolChoice: ToolChoice | undefined =
    type === "tool" && typeof name === "string"
      ? { type: "tool", name }
      : type === "auto" || type === "any" || type === "none"
        ? { type: words[type] }
        : undefined;
  if (!toolChoice) return { choiceRest: { ...wire } };
  return compact({
    toolChoice,
    parallelToolCalls: typeof disabled === "boolean" ? !disabled : undefined,
    choiceRest: leftovers(wire, choiceFields),
  });
}
