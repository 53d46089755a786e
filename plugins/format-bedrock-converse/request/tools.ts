import {
  type ChatRequest,
  compact,
  compilable,
  type Fields,
  type FunctionTool,
  isRecord,
  leftovers,
  type NativeTool,
  nativeName,
  objectAt,
  plainObjectSchema,
  type Tool,
  type ToolChoice,
  takenChoice,
  textAt,
  withMembers,
} from "../../../core/index.ts";
import { type CachePoints, cachePointsFor } from "../blocks/cache-point.ts";
import { cacheIn } from "../blocks/decode-block.ts";
import { extraOf, filled, formatName, isOwn, listAt, objectIn, type Report, reportOthers, restore } from "../fields.ts";
import { familyOf } from "../model-family.ts";

const specFields = new Set(["name", "description", "inputSchema", "strict"]);
const schemaFields = new Set(["json"]);

/** The tools of `toolConfig`, a cache point being that of the tool before it. */
export function decodeTools(list: unknown): Tool[] {
  const tools: Tool[] = [];
  for (const [at, value] of listAt(list, "toolConfig.tools").entries()) {
    const path = `toolConfig.tools[${at}]`;
    const wire = objectAt(value, path);
    const last = tools.at(-1);
    const cache = cacheIn(wire);
    if (cache && last?.type === "function" && !last.cache) tools[tools.length - 1] = Object.assign({}, last, { cache });
    else if (isRecord(wire.toolSpec)) tools.push(decodeSpec(wire.toolSpec, `${path}.toolSpec`));
    else tools.push({ type: "native", format: formatName, value: wire });
  }
  return tools;
}

function decodeSpec(wire: Readonly<Fields>, path: string): FunctionTool {
  const { name, description, strict } = wire;
  const schema = objectIn(wire.inputSchema, `${path}.inputSchema`);
  const rest = leftovers(schema, schemaFields);
  return {
    type: "function",
    name: textAt(name, `${path}.name`),
    ...compact({ description: typeof description === "string" ? description : undefined }),
    ...(isRecord(schema.json) && { parameters: schema.json }),
    ...(typeof strict === "boolean" && { strict }),
    ...extraOf({ ...leftovers(wire, specFields), ...(rest && { inputSchema: rest }) }),
  };
}

/** Undefined for a choice that only this format has. */
export function decodeToolChoice(wire: unknown): ToolChoice | undefined {
  if (!isRecord(wire)) return undefined;
  if (isRecord(wire.auto)) return { type: "auto" };
  if (isRecord(wire.any)) return { type: "required" };
  return isRecord(wire.tool) && typeof wire.tool.name === "string" ? { type: "tool", name: wire.tool.name } : undefined;
}

export interface EncodedTools {
  /** `toolConfig`, where there is one. */
  readonly config: Fields | undefined;
  /** Tools a Claude takes in its own form, in the fields of the model. */
  readonly natives: readonly Fields[];
}

export function encodeTools(request: ChatRequest, report: Report): EncodedTools {
  const { toolChoice: choice, parallelToolCalls, model } = request;
  if (parallelToolCalls === false) report("parallel_tool_calls");
  const family = familyOf(model);
  const tools: Fields[] = [];
  const natives: Fields[] = [];
  const points = cachePointsFor(request, report);
  const own = isOwn(request.extra);
  for (const tool of request.tools ?? []) {
    if (tool.type === "function") tools.push(...encodeFunction(tool, { family, points, own }, report));
    else if (tool.format === formatName && isRecord(tool.value)) tools.push(tool.value);
    else natives.push(...encodeNative(tool, family, report));
  }
  if (tools.length === 0) {
    const called = own ? [] : toolsOfCalls(request.messages);
    const lost = choice?.type === "none" ? called.length > 0 : choice !== undefined && choice.type !== "auto";
    if (lost) report("tool_choice");
    return {
      config: filled({ tools: called.length > 0 ? called : undefined }),
      natives: choice?.type === "none" ? [] : natives,
    };
  }
  if (choice?.type !== "none") {
    const taken = choice && !isOwn(request.extra) ? takenChoice(choice, request.model, report) : choice;
    return { config: compact({ tools, toolChoice: encodeChoice(taken) }), natives };
  }
  // The vendor wants the tools of calls in the history described, and has no word for using none of them.
  if (!request.messages.some(hasCalls)) return { config: undefined, natives: [] };
  report("tool_choice");
  return { config: { tools }, natives: [] };
}

const hasCalls = ({ content }: ChatRequest["messages"][number]): boolean =>
  content.some(({ type }) => type === "tool-call" || type === "tool-result");

/** A bare description of each tool the history speaks of, for a request that brings none. */
function toolsOfCalls(messages: ChatRequest["messages"]): Fields[] {
  const names = new Set<string>();
  for (const { content } of messages) for (const part of content) if (part.type === "tool-call") names.add(part.name);
  if (names.size === 0) return [];
  return Array.from(names, (name) => ({
    toolSpec: { name, inputSchema: { json: { type: "object", properties: {} } } },
  }));
}

interface ToolContext {
  readonly family: string;
  readonly points: CachePoints;
  /** The request was written in this format. */
  readonly own: boolean;
}

function encodeFunction(tool: FunctionTool, { family, points, own }: ToolContext, report: Report): Fields[] {
  const { name, description, parameters = { type: "object", properties: {} }, strict, cache, extra } = tool;
  reportOthers(extra, "tools.", report);
  const said = own ? parameters : argumentsFor(family, parameters, report);
  const held = strict && !own ? strictParameters(said, report) : undefined;
  const spec = compact({
    name,
    // An empty description is refused.
    description: description === "" ? undefined : description,
    inputSchema: { json: held ?? said },
    strict: own ? strict : held && true,
  });
  const wire = { toolSpec: restore(spec, extra) };
  // Nova takes them in messages only.
  if (!cache || family !== "amazon") return [wire, ...points(cache, "tools.cache_control")];
  report("tools.cache_control");
  return [wire];
}

/**
 * Arguments are an object, which a schema has to say even where its choices do ("The value at
 * toolConfig.tools.0.toolSpec.inputSchema.json.type must be one of the following: object"). Claudes refuse choices at its root.
 */
function argumentsFor(family: string, parameters: Readonly<Fields>, report: Report): Readonly<Fields> {
  const { type } = parameters;
  const isOpen = type === undefined || type === null || (Array.isArray(type) && type.includes("object"));
  const schema = isOpen ? withMembers(parameters, { type: "object" }) : parameters;
  return family === "anthropic" ? plainObjectSchema(schema, () => report("tools.parameters")) : schema;
}

/** A model is held to what a grammar can be made of; to other parameters it is not, and they stay as they are. */
function strictParameters(parameters: Readonly<Fields>, report: Report): Fields | undefined {
  const { schema, closes } = compilable(parameters);
  if (schema && !closes) return schema;
  report("tools.strict");
  return undefined;
}

/** `{type: "web_search", web_search: {name: "web_search_20250305", …}}` of the chat API, and the Messages API's own. */
function encodeNative({ format, value }: NativeTool, family: string, report: Report): Fields[] {
  const type = isRecord(value) && typeof value.type === "string" ? value.type : undefined;
  if (family === "anthropic" && isRecord(value) && type !== undefined) {
    const inner = value[type];
    if (isRecord(inner) && typeof inner.name === "string") return [{ ...inner, type: inner.name, name: type }];
    if (format === "anthropic-messages") return [value];
  }
  report(`tools.${nativeName(value)}`);
  return [];
}

function encodeChoice(choice: ToolChoice | undefined): Fields | undefined {
  switch (choice?.type) {
    case "auto":
      return { auto: {} };
    case "required":
      return { any: {} };
    case "tool":
      return { tool: { name: choice.name } };
    default:
      return undefined;
  }
}
