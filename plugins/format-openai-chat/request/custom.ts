import {
  checked,
  compact,
  customTool,
  type Fields,
  type FunctionTool,
  fieldsBeyond,
  inputArguments,
  inputIn,
  isRecord,
  type Tool,
  type ToolCallPart,
} from "../../../core/index.ts";
import { extraOf, fieldsOf, isOwn, withKept } from "../extra.ts";
import { customCall as callShape, customTool as customShape, grammarFormat } from "../wire.ts";
import { cacheOf } from "./parts.ts";

const spelling = "custom";

/** A tool that takes free text. A format that is no grammar (`text`, or a newer one) says nothing to others. */
export function decodeCustomTool(wire: unknown, path: string): Tool {
  const tool = checked(customShape, wire, path);
  const { name, description, format } = tool.custom;
  const { success, data } = grammarFormat.safeParse(format);
  const extra = extraOf(fieldsBeyond(tool.custom, customShape.shape.custom), fieldsBeyond(tool, customShape), spelling);
  return {
    ...customTool(name, { ...compact({ description }), ...(success && { grammar: data.grammar }) }),
    ...cacheOf(tool.cache_control),
    ...(success || format === undefined ? extra : withKept(extra, { format })),
  };
}

/** Undefined where it was not written in this format: most vendors that speak it know functions only. */
export function encodeCustomTool({ name, custom, extra }: FunctionTool): Fields | undefined {
  if (!custom || !isOwn(extra)) return undefined;
  const { description, grammar } = custom;
  const { inner, outer } = fieldsOf(extra);
  const format = grammar && { type: "grammar", grammar };
  return { type: "custom", custom: { name, ...compact({ description, format }), ...inner }, ...outer };
}

/** A call of such a tool in a history. */
export function decodeCustomCall(wire: unknown, path: string): ToolCallPart {
  const call = checked(callShape, wire, path);
  const { id, custom } = call;
  return {
    ...customCall(id, custom.name, custom.input),
    ...cacheOf(call.cache_control),
    ...extraOf(fieldsBeyond(custom, callShape.shape.custom), fieldsBeyond(call, callShape), spelling),
  };
}

/** The same in an answer, in which vendors leave things out. */
export function answeredCustomCall(wire: Readonly<Fields>, fallbackId: string): ToolCallPart {
  const { id, type: _, custom, ...outer } = wire;
  const { name, input, ...inner } = isRecord(custom) ? custom : {};
  const text = (value: unknown): string => (typeof value === "string" ? value : "");
  return {
    ...customCall(text(id) || fallbackId, text(name), text(input)),
    ...extraOf(inner, outer, spelling),
  };
}

const customCall = (id: string, name: string, input: string): ToolCallPart => ({
  type: "tool-call",
  id,
  name,
  arguments: inputArguments(input),
  custom: true,
});

/** Whether a call is written as one of a tool for free text in a request: where it was read from this format. */
export const isOwnCustom = ({ custom, extra }: ToolCallPart): boolean => custom === true && isOwn(extra);

export function encodeCustomCall({ id, name, arguments: text, extra }: ToolCallPart, more: Fields = {}): Fields {
  const { inner, outer } = fieldsOf(extra);
  return { id, type: "custom", custom: { name, input: inputIn(text), ...inner, ...more }, ...outer };
}
