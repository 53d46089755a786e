import {
  carriedNative,
  type Fields,
  type FreeRequest,
  type FunctionTool,
  isRecord,
  type NativeTool,
  plainObjectSchema,
  type Tool,
  takenChoice,
} from "../../../core/index.ts";
import { encodeCache, formatName, listOf, type Report, reportOthers, restore } from "../fields.ts";

/** What clients of the chat format put beside a function's name for advanced tool use: it has the same name here. */
const shared = new Set(["defer_loading", "allowed_callers", "input_examples"]);
const callers = "allowed_callers";
const withoutCallers = new Set([...shared].filter((field) => field !== callers));

/** Who may call a tool has the words of its vendor: OpenAI's programs (`programmatic`) are none of Claude's. */
const isOwnCaller = (caller: unknown): boolean =>
  caller === "direct" || (typeof caller === "string" && caller.startsWith("code_execution_"));

/** Which of the fields of another format's tool have a place here. */
function sharedIn({ [callers]: called }: Readonly<Fields> = {}): ReadonlySet<string> {
  return Array.isArray(called) && called.every(isOwnCaller) ? shared : withoutCallers;
}

/** `plain`: what a Claude refuses at the root of a schema is said otherwise. */
export const encodeTools = (tools: readonly Tool[], report: Report, plain: boolean): Fields[] =>
  tools.flatMap((tool) =>
    listOf(tool.type === "function" ? encodeFunction(tool, report, plain) : encodeNative(tool, report)),
  );

function encodeFunction(tool: FunctionTool, report: Report, plain: boolean): Fields {
  const { name, description = "", parameters, strict, cache, extra } = tool;
  if (strict) report("tools.strict");
  const carried = sharedIn(extra?.fields);
  reportOthers(extra, "tools.", report, carried);
  const own = inputSchema(parameters);
  const schema = plain ? plainObjectSchema(own, () => report("tools.parameters")) : own;
  const wire: Fields = { name, description, input_schema: schema, ...encodeCache(cache) };
  if (!extra || extra.format === formatName) return restore(wire, extra);
  for (const [field, value] of Object.entries(extra.fields)) if (carried.has(field)) wire[field] = value;
  return wire;
}

/** The client's schema as it is: the API insists on `type` and on nothing else. */
const inputSchema = (parameters: Readonly<Fields> = {}): Fields => ({
  ...(parameters.type === undefined && { type: "object" }),
  ...parameters,
});

/** `{type: T, [T]: {name: V, …}}` is how chat clients write this format's `{type: V, name: T, …}`. */
function encodeNative(tool: NativeTool, report: Report): Fields | undefined {
  const { format, value } = tool;
  if (format === "openai-chat" && isRecord(value)) {
    const { type, cache_control: marker } = value;
    const inner = typeof type === "string" ? value[type] : undefined;
    // A custom tool of the chat API has this form too, and is something else.
    if (type !== "custom" && isRecord(inner) && typeof inner.name === "string")
      return { ...inner, name: type, type: inner.name, ...(isRecord(marker) && { cache_control: marker }) };
  }
  return carriedNative(tool, formatName, report);
}

const words = { auto: "auto", required: "any", none: "none" } as const;

/** `tool_choice`, which also says whether calls may run in parallel. It is only allowed beside tools. */
export function encodeToolChoice(request: FreeRequest, hasTools: boolean, report: Report): Fields | undefined {
  const { toolChoice, parallelToolCalls, oneCall, model, extra } = request;
  const inParallel = parallelToolCalls ?? (oneCall ? false : undefined);
  const choice = toolChoice ?? (inParallel === false ? { type: "auto" as const } : undefined);
  if (!choice) return undefined;
  const disable = inParallel === undefined || choice.type === "none" ? undefined : !inParallel;
  if (!hasTools) {
    if (toolChoice) report("tool_choice");
    if (parallelToolCalls === false) report("parallel_tool_calls");
    return undefined;
  }
  if (choice.type === "none" && parallelToolCalls === false) report("parallel_tool_calls");
  const taken = extra?.format === formatName ? choice : takenChoice(choice, model, report);
  return {
    type: taken.type === "tool" ? "tool" : words[taken.type],
    ...(taken.type === "tool" && { name: taken.name }),
    ...(disable !== undefined && { disable_parallel_tool_use: disable }),
  };
}
