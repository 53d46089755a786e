import { isDeepStrictEqual } from "node:util";
import {
  type ChatRequest,
  carriedNative,
  compact,
  type Fields,
  type FunctionTool,
  isRecord,
  leftovers,
  type NativeTool,
  refuse,
  type Tool,
  type ToolChoice,
  withAllowedTools,
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
import { asJsonSchema, cleaned, readJsonSchema } from "../schema.ts";
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
  if (isRecord(json)) return readJsonSchema(json);
  return isRecord(parameters) ? asJsonSchema(parameters) : { type: "object", properties: {} };
}

export interface EncodedTools {
  readonly tools: readonly Fields[];
  /** What tools want said in `toolConfig`. */
  readonly config: Fields;
  /** The names of those that are declared. */
  readonly functions: readonly string[];
  /** Whether calls have to be as the functions say: of one, or of all of them. */
  readonly strict: boolean;
}

export function encodeTools(tools: readonly Tool[], report: Report): EncodedTools {
  const declared: Fields[] = [];
  const functions: string[] = [];
  const natives: Fields[] = [];
  const config: Fields = {};
  let strict = false;
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
    } else {
      declared.push(encodeFunction(tool, report));
      functions.push(tool.name);
      strict ||= tool.strict === true;
    }
  }
  const entries = declared.length > 0 ? [{ functionDeclarations: declared }] : [];
  return { tools: [...entries, ...natives], config, functions, strict };
}

function encodeFunction(tool: FunctionTool, report: Report): Fields {
  const { name, description, parameters, cache, extra } = tool;
  if (cache) report("tools.cache_control");
  reportOthers(extra, "tools.", report);
  return restore(
    Object.assign(compact({ name, description }), encodeParameters(parameters, writtenIn(extra), report)),
    extra,
  );
}

/** The API refuses an object without properties: it means what no parameters mean. */
function encodeParameters(
  parameters: Readonly<Fields> | undefined,
  written: Readonly<Fields>,
  report: Report,
): Readonly<Fields> {
  if (Object.keys(written).length > 0 && isDeepStrictEqual(parametersOf(written), parameters)) return written;
  if (!parameters) return {};
  const schema = cleaned(parameters, () => report("tools.parameters"));
  const { type = "object", properties = {}, description: _, ...more } = schema;
  if (type === "object" && Object.keys(properties as Fields).length === 0 && Object.keys(more).length === 0) return {};
  return { parameters: { ...(schema.type === undefined && { type: "object" }), ...schema } };
}

function encodeNative(tool: NativeTool, report: Report): Fields | undefined {
  const { format, value } = tool;
  if (format !== formatName && isRecord(value) && value.type === "code_execution") return { codeExecution: {} };
  return carriedNative(tool, formatName, report);
}

const choices = { AUTO: "auto", NONE: "none", ANY: "required" } as const;
const modes = { auto: "AUTO", none: "NONE", required: "ANY" } as const;

/** Modes in which a model may do without a call: the newer one holds its calls to their schemas besides. */
const optional: readonly string[] = ["AUTO", "VALIDATED"];

/** Undefined for modes only this format has (`VALIDATED`), unless some functions are allowed but not all. */
export function decodeToolChoice(config: Readonly<Fields>): ToolChoice | undefined {
  const { mode } = config;
  const word = typeof mode === "string" ? mode.toUpperCase() : "";
  const names = allowedIn(config);
  const [only] = names;
  if (word === "ANY" && names.length === 1 && only !== undefined) return { type: "tool", name: only };
  if (names.length > 0 && word === "ANY") return { type: "among", required: true, names };
  if (names.length > 0 && optional.includes(word)) return { type: "among", required: false, names };
  if (word !== "AUTO" && word !== "NONE" && word !== "ANY") return undefined;
  return { type: choices[word] };
}

/** The names that are allowed; none where one of them is no name. */
function allowedIn({ allowedFunctionNames: names }: Readonly<Fields>): readonly string[] {
  return Array.isArray(names) && names.every((name) => typeof name === "string") ? names : [];
}

/** Whether a choice says all that was written. Of `VALIDATED` it does not: nobody else holds calls to their schemas. */
export const saysAll = (config: Readonly<Fields>): boolean => {
  const { mode, allowedFunctionNames: names, ...rest } = config;
  const choice = decodeToolChoice(config);
  if (!choice || Object.keys(rest).length > 0) return false;
  if (choice.type === "among") return choice.required || String(mode).toUpperCase() === "AUTO";
  const allowed = Array.isArray(names) ? names.length : 0;
  return allowed === (choice.type === "tool" ? 1 : 0);
};

/** A choice as its client wrote it, as long as nobody changed what it says. */
const writtenChoice = ({ toolChoice, extra }: ChatRequest): Readonly<Fields> | undefined => {
  const { calling } = writtenIn(extra);
  return isRecord(calling) && isDeepStrictEqual(decodeToolChoice(calling), toolChoice) ? calling : undefined;
};

/**
 * The request with the tools that are to be declared: all of them, but where only some may be called and none has to be.
 * The API takes names of those where a call is forced, and besides in a mode that not all models have.
 */
export const withDeclared = (request: ChatRequest, report: Report): ChatRequest =>
  request.toolChoice?.type !== "among" || request.toolChoice.required || writtenChoice(request)
    ? request
    : withAllowedTools(request, report);

/**
 * The API refuses a choice among functions where there are none, and names of those that are not declared. Calls are held to their schemas
 * where one has to be made, and else in a mode of its own, which is for all functions.
 */
export function encodeToolChoice(
  request: ChatRequest,
  { functions, strict }: Pick<EncodedTools, "functions" | "strict">,
  report: Report,
): Fields | undefined {
  const { toolChoice, parallelToolCalls } = request;
  if (parallelToolCalls === false) report("parallel_tool_calls");
  if (strict && (toolChoice === undefined || toolChoice.type === "auto")) return { mode: "VALIDATED" };
  if (!toolChoice) return undefined;
  const asksForCalls = toolChoice.type === "required" || toolChoice.type === "tool" || toolChoice.type === "among";
  if (functions.length === 0) {
    if (asksForCalls) report("tool_choice");
    return undefined;
  }
  if (toolChoice.type === "tool") return { mode: "ANY", allowedFunctionNames: [toolChoice.name] };
  if (toolChoice.type !== "among") return { mode: modes[toolChoice.type] };
  const written = writtenChoice(request);
  if (written) return { ...written };
  const allowed = toolChoice.names.filter((name) => functions.includes(name));
  if (allowed.length < toolChoice.names.length) report("tool_choice");
  return allowed.length > 0 ? { mode: "ANY", allowedFunctionNames: allowed } : undefined;
}
