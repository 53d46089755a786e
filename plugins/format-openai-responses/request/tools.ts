import {
  argumentsSchema,
  carriedNative,
  checked,
  compact,
  customTool,
  type Fields,
  type FunctionTool,
  fieldsBeyond,
  isRecord,
  plainObjectSchema,
  type ResponseFormat,
  refuse,
  reportForeign,
  type Tool,
  type ToolChoice,
} from "../../../core/index.ts";
import { formatName, isOwn, ownExtra, type Report, readExtra } from "../extra.ts";
import { inNamespace, intoGroup, isPlain, outOfNamespace } from "../namespaces.ts";
import {
  allowedTools,
  customTool as customShape,
  functionTool,
  grammarFormat,
  jsonSchemaFormat,
  namespaceTool,
  textFormat,
  wireTool,
} from "../wire.ts";
import { cacheOf } from "./decode-parts.ts";

/** Tools in a group are tools beside the others, unless there is one among them that this file has no name for. */
export function decodeTools(wire: readonly unknown[], path: string): Tool[] {
  return wire.flatMap((tool, at) => {
    const place = `${path}[${at}]`;
    if (checked(wireTool, tool, place).type !== "namespace") return decodeTool(tool, place);
    const namespace = checked(namespaceTool, tool, place);
    const inner = namespace.tools.map((one, index) => decodeTool(one, `${place}.tools[${index}]`));
    const beyond = Object.keys(compact(fieldsBeyond(namespace, namespaceTool)));
    if (inner.length === 0 || beyond.length > 0 || !isPlain(inner)) return native(tool);
    return inner.map((one) => inNamespace(one, namespace));
  });
}

const native = (value: unknown): Tool => ({ type: "native", format: formatName, value });

function decodeTool(wire: unknown, path: string): Tool {
  const { type } = checked(wireTool, wire, path);
  if (type === "custom") return decodeCustom(wire, path);
  if (type !== "function") return native(wire);
  const { cache_control: marker, ...tool } = checked(functionTool, wire, path);
  const { name, description, parameters, strict } = tool;
  return {
    type: "function",
    name,
    ...compact({ description, parameters, strict }),
    ...cacheOf(marker),
    ...ownExtra(compact(fieldsBeyond(tool, functionTool))),
  };
}

/** A tool that takes free text. A format that is no grammar (`text`, or a newer one) says nothing to others. */
function decodeCustom(wire: unknown, path: string): Tool {
  const { cache_control: marker, ...tool } = checked(customShape, wire, path);
  const { name, description, format } = tool;
  const grammar = grammarFormat.safeParse(format).data;
  return Object.assign(
    customTool(name, {
      ...compact({ description }),
      ...(grammar && { grammar: { syntax: grammar.syntax, definition: grammar.definition } }),
    }),
    cacheOf(marker),
    ownExtra(compact(fieldsBeyond(tool, customShape)), grammar ? {} : { item: compact({ format }) }),
  );
}

const encodeCustom = ({ name, custom, extra }: FunctionTool): Fields => ({
  type: "custom",
  name,
  ...compact({ description: custom?.description }),
  ...(custom?.grammar && { format: { type: "grammar", ...custom.grammar } }),
  ...readExtra(extra).item,
  ...readExtra(extra).fields,
});

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
    const { group } = readExtra(tool.extra);
    if (group) intoGroup(encoded, encodeTool(outOfNamespace(tool, group)), group);
    else encoded.push(encodeTool(exact && !isOwn(tool.extra) ? inPlain(tool, report) : tool));
  }
  return encoded;
}

/** A model is not held to a schema of which something is said in words. */
function inPlain(tool: FunctionTool, report: Report): FunctionTool {
  let lost = false;
  const parameters = plainObjectSchema(tool.parameters ?? {}, () => {
    lost = true;
    report("tools.parameters");
  });
  if (lost && tool.strict) report("tools.strict");
  return lost ? { ...tool, parameters, strict: false } : { ...tool, parameters };
}

const encodeTool = (tool: FunctionTool): Fields => (tool.custom ? encodeCustom(tool) : encodeFunction(tool));

const encodeFunction = ({ name, description, strict, parameters = {}, extra }: FunctionTool): Fields => ({
  type: "function",
  name,
  ...compact({ description }),
  parameters: argumentsSchema(parameters),
  // Saying nothing means strict here, and not strict in every other format.
  ...compact({ strict: strict ?? (isOwn(extra) ? undefined : false) }),
  ...readExtra(extra).fields,
});

/** Undefined for choices this file has no name for (built-in tools, alone or among those allowed): they travel untouched. */
export function decodeToolChoice(wire: unknown): ToolChoice | undefined {
  if (wire === "auto" || wire === "none" || wire === "required") return { type: wire };
  if (typeof wire === "string") return refuse("tool_choice", '"auto", "none", "required" or an object', wire);
  if (!isRecord(wire)) return refuse("tool_choice", "a string or an object", wire);
  if (wire.type === "allowed_tools") return decodeAllowed(wire);
  if (wire.type !== "function" && wire.type !== "custom") return undefined;
  if (typeof wire.name !== "string") return refuse("tool_choice.name", "a string", wire.name);
  return { type: "tool", name: wire.name, ...(wire.type === "custom" && { custom: true }) };
}

function decodeAllowed(wire: Readonly<Fields>): ToolChoice | undefined {
  const { success, data } = allowedTools.safeParse(wire);
  if (!success) return undefined;
  return { type: "among", required: data.mode === "required", names: data.tools.map(({ name }) => name) };
}

/** Those allowed are called what they are in the list of tools. */
export function encodeToolChoice(choice: ToolChoice, tools: readonly Tool[] = []): unknown {
  if (choice.type === "tool") return { type: choice.custom ? "custom" : "function", name: choice.name };
  if (choice.type !== "among") return choice.type;
  const takesText = (name: string) =>
    tools.some((tool) => tool.type === "function" && tool.name === name && tool.custom);
  return {
    type: "allowed_tools",
    mode: choice.required ? "required" : "auto",
    tools: choice.names.map((name) => ({ type: takesText(name) ? "custom" : "function", name })),
  };
}

/** Undefined for formats this file has no name for (`grammar`): they travel untouched. */
export function decodeTextFormat(wire: unknown): ResponseFormat | undefined {
  const { type } = checked(textFormat, wire, "text.format");
  if (type === "text") return { type };
  if (type === "json_object") return { type: "json" };
  if (type !== "json_schema") return undefined;
  const { name, description, schema, strict } = checked(jsonSchemaFormat, wire, "text.format");
  if (!schema) return refuse("text.format.schema", "an object", schema);
  return { type: "json-schema", schema, ...compact({ name, description, strict }) };
}

export function encodeTextFormat(format: ResponseFormat): Fields {
  if (format.type !== "json-schema") return { type: format.type === "json" ? "json_object" : "text" };
  const { name = "response", description, schema, strict } = format;
  return { type: "json_schema", name, ...compact({ description }), schema, ...compact({ strict }) };
}
