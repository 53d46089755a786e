import {
  type ChatRequest,
  carriedNative,
  compact,
  type Fields,
  type FunctionTool,
  isRecord,
  leftovers,
  objectAt,
  type Tool,
  type ToolChoice,
  textAt,
} from "../../../core/index.ts";
import { extraOf, formatName, type Report, reportOthers, restore, textIn } from "../fields.ts";

const functionFields = new Set(["name", "description", "parameters"]);

/** Strictness is said once, for all tools. */
export const decodeTools = (tools: readonly unknown[], strict: boolean): Tool[] =>
  tools.map((tool, at) => decodeTool(objectAt(tool, `tools[${at}]`), `tools[${at}]`, strict));

function decodeTool(wire: Readonly<Fields>, path: string, strict: boolean): Tool {
  if (wire.type !== undefined && wire.type !== "function") return { type: "native", format: formatName, value: wire };
  const inner = objectAt(wire.function, `${path}.function`);
  const { parameters } = inner;
  return {
    type: "function",
    name: textAt(inner.name, `${path}.function.name`),
    ...compact({ description: textIn(inner.description, `${path}.function.description`) }),
    ...(isRecord(parameters) && { parameters }),
    ...(strict && { strict }),
    ...extraOf(leftovers(inner, functionFields)),
  };
}

export function encodeTools(tools: readonly Tool[], report: Report): Fields[] {
  const encoded: Fields[] = [];
  for (const tool of tools) {
    const wire = tool.type === "function" ? encodeFunction(tool, report) : carriedNative(tool, formatName, report);
    if (wire) encoded.push(wire);
  }
  return encoded;
}

/** The vendor insists on parameters, if only on an object without any. */
function encodeFunction(tool: FunctionTool, report: Report): Fields {
  const { name, description, parameters = { type: "object", properties: {} }, cache, extra } = tool;
  if (cache) report("tools.cache_control");
  reportOthers(extra, "tools.", report);
  return { type: "function", function: restore(compact({ name, description, parameters }), extra) };
}

/** Whether some tool is to be called strictly: then all are. */
export const isStrict = (tools: readonly Tool[] = []): boolean =>
  tools.some((tool) => tool.type === "function" && tool.strict === true);

/** Undefined for words newer than this file. */
export function decodeToolChoice(word: unknown): ToolChoice | undefined {
  switch (typeof word === "string" ? word.toUpperCase() : "") {
    case "REQUIRED":
      return { type: "required" };
    case "NONE":
      return { type: "none" };
    default:
      return undefined;
  }
}

/** Calls can be forced, but not those of a tool that is not there; and only where there are tools. */
export function encodeToolChoice(
  { toolChoice, parallelToolCalls }: ChatRequest,
  tools: number,
  report: Report,
): string | undefined {
  if (parallelToolCalls === false) report("parallel_tool_calls");
  if (!toolChoice || toolChoice.type === "auto") return undefined;
  if (toolChoice.type === "none") return tools > 0 ? "NONE" : undefined;
  if (tools === 0 || (toolChoice.type === "tool" && tools > 1)) report("tool_choice");
  return tools > 0 ? "REQUIRED" : undefined;
}
