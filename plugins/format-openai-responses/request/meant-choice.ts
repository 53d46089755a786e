import { type ChatRequest, type Fields, isRecord } from "../../../core/index.ts";
import { isOwn } from "../extra.ts";
import { decodeToolChoice } from "./tools.ts";

/**
 * A request whose client says what is to be called (`tool_choice`) in words for tools that have become functions: `{"type": "shell"}`, alone or
 * among those allowed. `made` are the names of those functions. A choice in which others stand besides stays one of this format.
 */
export function withMeantChoice(request: ChatRequest, made: ReadonlySet<unknown>): ChatRequest {
  const { toolChoice, extra } = request;
  if (toolChoice || !isOwn(extra)) return request;
  const { tool_choice: written, ...fields } = extra.fields;
  if (!isRecord(written)) return request;
  const choice = inFunctions(written, made);
  const meant = decodeToolChoice(choice);
  return meant
    ? { ...request, toolChoice: meant, extra: { ...extra, fields } }
    : { ...request, extra: { ...extra, fields: { ...fields, tool_choice: choice } } };
}

function inFunctions(choice: Readonly<Fields>, made: ReadonlySet<unknown>): Readonly<Fields> {
  const { type, tools } = choice;
  if (made.has(type)) return { type: "function", name: type };
  if (type === "custom") return { ...choice, type: "function" };
  if (type !== "allowed_tools" || !Array.isArray(tools)) return choice;
  return { ...choice, tools: tools.map((tool) => (isRecord(tool) ? inFunctions(tool, made) : tool)) };
}
