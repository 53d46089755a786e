import {
  type ChatRequest,
  checked,
  compact,
  type Fields,
  type FunctionTool,
  fieldsBeyond,
  isRecord,
  type Tool,
  type ToolChoice,
} from "../../../core/index.ts";
import { extraOf, fieldsOf, spellingOf } from "../extra.ts";
import { oldFunction } from "../wire.ts";

/**
 * Functions as this API had them before it had tools (`functions`, `function_call`): a message calls one at most, and without an id. They
 * are written so again to vendors of this format; to others they are tools.
 */
const spelling = "functions";

interface Asked {
  readonly functions?: unknown;
  readonly function_call?: unknown;
  readonly tools?: unknown;
  readonly tool_choice?: unknown;
  readonly parallel_tool_calls?: unknown;
}

const isFilled = (list: unknown): list is readonly unknown[] => Array.isArray(list) && list.length > 0;

/** Whether the client of a request knows no other calls than those of functions: beside what is said of tools they are nothing to other formats. */
export const knowsFunctionsOnly = (asked: Asked = {}): boolean =>
  isFilled(asked.functions) &&
  [asked.tools, asked.tool_choice, asked.parallel_tool_calls].every((one) => one === undefined || one === null);

/** What cannot be read is left in `unread`, and comes back as it was. */
export function decodeFunctions(
  wire: Asked,
  unread: Fields,
): Pick<ChatRequest, "tools" | "toolChoice" | "oneCall"> | undefined {
  const { functions, function_call: choice } = wire;
  const isRead = isFilled(functions) && knowsFunctionsOnly(wire);
  const toolChoice = isRead ? decodeChoice(choice) : undefined;
  if (!isRead && functions !== undefined) unread.functions = functions;
  if (!toolChoice && choice !== undefined) unread.function_call = choice;
  if (!isRead) return undefined;
  const tools = functions.map((one, at) => decodeFunction(one, `functions[${at}]`));
  return { tools, ...(toolChoice?.type !== "none" && { oneCall: true as const }), ...(toolChoice && { toolChoice }) };
}

function decodeFunction(wire: unknown, path: string): FunctionTool {
  const { name, description, parameters, ...rest } = checked(oldFunction, wire, path);
  return {
    type: "function",
    name,
    ...compact({ description, parameters }),
    ...extraOf(fieldsBeyond(rest, oldFunction), {}, spelling),
  };
}

function decodeChoice(choice: unknown): ToolChoice | undefined {
  if (choice === "auto" || choice === "none") return { type: choice };
  const isNamed = isRecord(choice) && typeof choice.name === "string" && Object.keys(choice).length === 1;
  return isNamed ? { type: "tool", name: String(choice.name) } : undefined;
}

const isOld = (tool: Tool): tool is FunctionTool => tool.type === "function" && spellingOf(tool.extra) === spelling;

/** Undefined where something in the request has no place among functions. */
export function encodeFunctions({ tools = [], toolChoice }: ChatRequest): Fields | undefined {
  if (tools.length === 0 || !tools.every(isOld)) return undefined;
  if (toolChoice?.type === "required" || toolChoice?.type === "among") return undefined;
  return {
    functions: tools.map(({ name, description, parameters, extra }) =>
      Object.assign({ name }, compact({ description, parameters }), fieldsOf(extra).inner),
    ),
    function_call: toolChoice?.type === "tool" ? { name: toolChoice.name } : toolChoice?.type,
  };
}
