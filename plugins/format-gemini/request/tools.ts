import { isDeepStrictEqual } from "node:util";
import {
  type ChatRequest,
  compact,
  type Fields,
  type FunctionTool,
  isRecord,
  leftovers,
  type NativeTool,
  refuse,
  type Tool,
  type ToolChoice,
} from "../../../core/index.ts";
import {
  extraOf,
  formatName,
  listAt,
  objectAt,
  type Report,
  reportOthers,
  restore,
  textAt,
  writtenIn,
} from "../fields.ts";
import { asJsonSchema, cleaned } from "../schema.ts";
import { reservedTool } from "./reserved-tools.ts";

const declarationFields = new Set(["name", "description", "parameters", "parametersJsonSchema"]);

/** Each declared function is a tool, and so is everything else an entry names (`googleSearch`). */
export const decodeTools = (tools: unknown): Tool[] =>
  listAt(tools, "tools").flatMap((entry, at) => {
    const { functionDeclarations: declared, ...natives } = objectAt(entry, `tools[${at}]`);
    const path = `tools[${at}].functionDeclarations`;
    const functions = declared === undefined || declared === null ? [] : listAt(declared, path);
    return [
      ...functions.map((one, index) => decodeFunction(one, `${path}[${index}]`)),
      ...Object.entries(natives).map(
        ([name, value]): NativeTool => ({ type: "native", format: formatName, value: { [name]: value } }),
      ),
    ];
  });

function decodeFunction(value: unknown, path: string): FunctionTool {
  const wire = objectAt(value, path);
  const name = textAt(wire.name, `${path}.name`) ?? refuse(`${path}.name`, "a string", wire.name);
  const { parameters, parametersJsonSchema } = wire;
  const written = compact({ parameters, parametersJsonSchema });
  return {
    type: "function",
    name,
    ...compact({ description: textAt(wire.description, `${path}.description`) }),
    parameters: parametersOf(written),
    ...extraOf(leftovers(wire, declarationFields), written),
  };
}

/** A function without parameters takes an empty object: other formats want that said. */
function parametersOf({ parameters, parametersJsonSchema: json }: Readonly<Fields>): Readonly<Fields> {
  if (isRecord(json)) return json;
  return isRecord(parameters) ? asJsonSchema(parameters) : { type: "object", properties: {} };
}

export interface EncodedTools {
  readonly tools: readonly Fields[];
  /** What tools want said in `toolConfig`. */
  readonly config: Fields;
  readonly hasFunctions: boolean;
}

export function encodeTools(tools: readonly Tool[], report: Report): EncodedTools {
  const declared: Fields[] = [];
  const natives: Fields[] = [];
  const config: Fields = {};
  for (const tool of tools) {
    if (tool.type === "native") {
      const native = encodeNative(tool, report);
      if (native) natives.push(native);
      continue;
    }
    const reserved = tool.extra?.format === formatName ? undefined : reservedTool(tool);
    if (reserved) {
      natives.push(reserved.tool);
      Object.assign(config, reserved.config);
    } else declared.push(encodeFunction(tool, report));
  }
  const functions = declared.length > 0 ? [{ functionDeclarations: declared }] : [];
  return { tools: [...functions, ...natives], config, hasFunctions: declared.length > 0 };
}

function encodeFunction(tool: FunctionTool, report: Report): Fields {
  const { name, description, parameters, strict, cache, extra } = tool;
  if (cache) report("tools.cache_control");
  if (strict) report("tools.strict");
  reportOthers(extra, "tools.", report);
  return restore(Object.assign(compact({ name, description }), encodeParameters(parameters, writtenIn(extra))), extra);
}

/** The API refuses an object without properties: it means what no parameters mean. */
function encodeParameters(parameters: Readonly<Fields> | undefined, written: Readonly<Fields>): Readonly<Fields> {
  if (Object.keys(written).length > 0 && isDeepStrictEqual(parametersOf(written), parameters)) return written;
  if (!parameters) return {};
  const schema = cleaned(parameters);
  const { type = "object", properties = {}, ...more } = schema;
  if (type === "object" && Object.keys(properties as Fields).length === 0 && Object.keys(more).length === 0) return {};
  return { parameters: { ...(schema.type === undefined && { type: "object" }), ...schema } };
}

function encodeNative({ format, value }: NativeTool, report: Report): Fields | undefined {
  if (isRecord(value)) {
    if (format === formatName) return value;
    if (value.type === "code_execution") return { codeExecution: {} };
  }
  report(isRecord(value) && typeof value.type === "string" ? `tools.${value.type}` : "tools.native");
  return undefined;
}

const choices = { AUTO: "auto", NONE: "none", ANY: "required" } as const;
const modes = { auto: "AUTO", none: "NONE", required: "ANY" } as const;

/** Undefined for modes only this format has (`VALIDATED`), and where several functions are allowed but not all. */
export function decodeToolChoice(config: Readonly<Fields>): ToolChoice | undefined {
  const { mode, allowedFunctionNames: names } = config;
  const word = typeof mode === "string" ? mode.toUpperCase() : "";
  const allowed: readonly unknown[] = Array.isArray(names) ? names : [];
  const [only] = allowed;
  if (word === "ANY" && allowed.length === 1 && typeof only === "string") return { type: "tool", name: only };
  if (word !== "AUTO" && word !== "NONE" && word !== "ANY") return undefined;
  return { type: choices[word] };
}

/** Whether a choice says all that was written. */
export const saysAll = (config: Readonly<Fields>): boolean => {
  const { mode, allowedFunctionNames: names, ...rest } = config;
  const choice = decodeToolChoice(config);
  const allowed = Array.isArray(names) ? names.length : 0;
  return choice !== undefined && Object.keys(rest).length === 0 && allowed === (choice.type === "tool" ? 1 : 0);
};

/** The API refuses a choice among functions where there are none. */
export function encodeToolChoice(
  { toolChoice, parallelToolCalls }: ChatRequest,
  hasFunctions: boolean,
  report: Report,
): Fields | undefined {
  if (parallelToolCalls === false) report("parallel_tool_calls");
  if (!toolChoice) return undefined;
  if (!hasFunctions) {
    if (toolChoice.type === "required" || toolChoice.type === "tool") report("tool_choice");
    return undefined;
  }
  return toolChoice.type === "tool"
    ? { mode: "ANY", allowedFunctionNames: [toolChoice.name] }
    : { mode: modes[toolChoice.type] };
}
