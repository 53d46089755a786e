import {
  argumentsSchema,
  carriedNative,
  checked,
  compact,
  type Fields,
  type FunctionTool,
  fieldsBeyond,
  isPlainObjectSchema,
  isRecord,
  plainObjectSchema,
  type ResponseFormat,
  refuse,
  reportForeign,
  type Tool,
  type ToolChoice,
} from "../../../core/index.ts";
import { extraOf, fieldsOf, formatName, spellingOf } from "../extra.ts";
import { allowedTools, functionTool, jsonSchemaFormat, wireTool } from "../wire.ts";
import { decodeCustomTool, encodeCustomTool } from "./custom.ts";
import { mistralsRequired } from "./mistrals-words.ts";
import { cacheOf } from "./parts.ts";
import type { Report } from "./vendor.ts";

export function decodeTool(wire: unknown, path: string): Tool {
  const { type } = checked(wireTool, wire, path);
  if (type === "custom" && isRecord(wire) && isRecord(wire.custom)) return decodeCustomTool(wire, path);
  if (type !== "function") return { type: "native", format: formatName, value: wire };
  const tool = checked(functionTool, wire, path);
  const { name, ...more } = tool.function;
  const isBare =
    more.parameters && (argumentsSchema(more.parameters) !== more.parameters || !isPlainObjectSchema(more.parameters));
  return {
    type: "function",
    name,
    ...compact({ description: more.description, parameters: more.parameters, strict: more.strict }),
    ...cacheOf(tool.cache_control),
    ...extraOf(
      fieldsBeyond(tool.function, functionTool.shape.function),
      fieldsBeyond(tool, functionTool),
      isBare ? bare : undefined,
    ),
  };
}

/** A schema that vendors may refuse, which clients of this format have to answer for themselves. */
const bare = "bare";

/** `exact`: what the namesake refuses at the root of a schema is said otherwise. */
export function encodeTools(tools: readonly Tool[], report: Report, exact: boolean): Fields[] {
  const encoded: Fields[] = [];
  for (const tool of tools) {
    if (tool.type === "native") {
      const native = carriedNative(tool, formatName, report);
      if (native) encoded.push(native);
      continue;
    }
    if (tool.cache) report("tools.cache_control");
    reportForeign(formatName, tool.extra, "tools.", report);
    const custom = tool.custom && encodeCustomTool(tool);
    if (custom) {
      encoded.push(custom);
      continue;
    }
    const { name, description } = tool;
    const { parameters, strict } = exact ? inPlain(tool, report) : { ...tool, parameters: parametersOf(tool) };
    const { inner, outer } = fieldsOf(tool.extra);
    encoded.push({
      type: "function",
      function: { name, ...compact({ description, parameters, strict }), ...inner },
      ...outer,
    });
  }
  return encoded;
}

/** A model is not held to a schema of which something is said in words. */
function inPlain(tool: FunctionTool, report: Report): Pick<FunctionTool, "parameters" | "strict"> {
  const own = parametersOf(tool);
  if (!own || spellingOf(tool.extra) === bare) return { ...tool, ...compact({ parameters: own }) };
  let lost = false;
  const parameters = plainObjectSchema(own, () => {
    lost = true;
    report("tools.parameters");
  });
  if (!lost || !tool.strict) return { ...tool, parameters };
  report("tools.strict");
  return { parameters, strict: false };
}

const parametersOf = ({ parameters, extra }: FunctionTool): Readonly<Fields> | undefined =>
  parameters && spellingOf(extra) !== bare ? argumentsSchema(parameters) : parameters;

/** Undefined for choices this file has no name for (tools of a vendor's own among those allowed): they travel untouched. */
export function decodeToolChoice(wire: unknown): ToolChoice | undefined {
  if (wire === mistralsRequired) return { type: "required" };
  if (wire === "auto" || wire === "none" || wire === "required") return { type: wire };
  if (typeof wire === "string") return undefined;
  if (!isRecord(wire)) refuse("tool_choice", "a string or an object", wire);
  const { type } = wire;
  if (type === "allowed_tools") return decodeAllowed(wire);
  if (type !== "function" && type !== "custom") return undefined;
  const named = wire[type];
  if (!isRecord(named)) refuse(`tool_choice.${type}`, "an object with a name", named);
  if (typeof named.name !== "string") refuse(`tool_choice.${type}.name`, "a string", named.name);
  return { type: "tool", name: named.name, ...(type === "custom" && { custom: true }) };
}

function decodeAllowed(wire: Readonly<Fields>): ToolChoice | undefined {
  const { success, data } = allowedTools.safeParse(wire);
  if (!success) return undefined;
  const { mode, tools } = data.allowed_tools;
  const names = tools.map((tool) => (tool.type === "function" ? tool.function.name : tool.custom.name));
  return { type: "among", required: mode === "required", names };
}

/** A tool for free text is chosen as what it is written as. */
export function encodeToolChoice(choice: ToolChoice, tools: readonly Fields[]): unknown {
  const isThere = (type: "function" | "custom", name: string) =>
    tools.some(({ [type]: named }) => isRecord(named) && named.name === name);
  const chosen = (name: string, isCustom: boolean) => {
    const type = isCustom ? "custom" : "function";
    return { type, [type]: { name } };
  };
  if (choice.type === "tool") return chosen(choice.name, choice.custom === true && !isThere("function", choice.name));
  if (choice.type !== "among") return choice.type;
  const mode = choice.required ? "required" : "auto";
  const allowed = choice.names.map((name) => chosen(name, isThere("custom", name)));
  return { type: "allowed_tools", allowed_tools: { mode, tools: allowed } };
}

const schemaWords = ["type", "properties", "anyOf", "oneOf", "allOf", "enum", "$ref"];

/** Undefined for formats only some vendors have (`grammar`): they travel untouched. */
export function decodeResponseFormat(wire: Readonly<Fields>): ResponseFormat | undefined {
  if (wire.type === "json_schema") {
    const { json_schema: named } = checked(jsonSchemaFormat, wire, "response_format");
    const { schema, name, description, strict, ...unread } = named;
    if (Object.keys(wire).length > 2) return undefined;
    // Some clients put the schema itself there (providers.md section 7.2).
    if (schema === undefined && name === undefined && schemaWords.some((word) => word in unread))
      return { type: "json-schema", schema: named };
    if (!schema || Object.keys(unread).length > 0) return undefined;
    return { type: "json-schema", schema, ...compact({ name, description, strict }) };
  }
  if (hasBareSchema(wire)) return { type: "json-schema", schema: wire.schema };
  if (Object.keys(wire).length > 1) return undefined;
  if (wire.type === "json_object") return { type: "json" };
  return wire.type === "text" ? { type: "text" } : undefined;
}

/** As vendors wrote schemas before there was a word for them (docs.together.ai, docs.fireworks.ai): goes back to this format as it was. */
export const hasBareSchema = (wire: Readonly<Fields>): wire is { type: "json_object"; schema: Fields } =>
  wire.type === "json_object" && isRecord(wire.schema) && Object.keys(wire).length === 2;

export function encodeResponseFormat(format: ResponseFormat): Fields {
  if (format.type !== "json-schema") return { type: format.type === "json" ? "json_object" : "text" };
  const { name = "response", description, schema, strict } = format;
  return { type: "json_schema", json_schema: { name, ...compact({ description }), schema, ...compact({ strict }) } };
}
