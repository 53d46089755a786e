import { isRecord } from "../../../core/index.ts";
import { asClientFunction, isClientItem } from "../client-tools.ts";
import { customOutput } from "./decode-input.ts";
import { updateType } from "./updates.ts";

type Wire = Readonly<Record<string, unknown>>;

/** What stands in every request with tools, or changes of settings, that only some vendors of this format know. */
export const marks = [
  ...['"custom"', '"custom_tool_call', '"namespace"', '"tool_search', '"additional_tools"', `"${updateType}"`],
  ...['"apply_patch', '"shell"', '"shell_call'],
];

/** Whether a request, as it is written, is another one once its tools are functions (`asFunctions`). */
export function isBeyondFunctions(wire: unknown): boolean {
  if (!isRecord(wire)) return false;
  const { tools, tool_choice: choice, input } = wire;
  return someIn(tools, isBeyondTool) || (isRecord(choice) && choice.type === "custom") || someIn(input, isBeyondItem);
}

const someIn = (list: unknown, isOne: (member: Wire) => boolean): boolean =>
  Array.isArray(list) && list.some((member) => isRecord(member) && isOne(member));

const beyondTypes: ReadonlySet<unknown> = new Set(["custom", "namespace", "tool_search"]);

const isBeyondTool = (tool: Wire): boolean => beyondTypes.has(tool.type) || asClientFunction(tool) !== undefined;

function isBeyondItem(item: Wire): boolean {
  switch (item.type) {
    case "function_call":
      return typeof item.namespace === "string" && item.namespace !== "";
    case "custom_tool_call":
    case customOutput:
    case "additional_tools":
    case "tool_search_call":
    case "tool_search_output":
    case updateType:
      return true;
    default:
      return isClientItem(item);
  }
}
