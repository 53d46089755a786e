import {
  type AssistantPart,
  type ChatRequest,
  isRecord,
  type Message,
  type Tool,
  type ToolChoice,
  type ToolResultPart,
  undeferred,
} from "../../../core/index.ts";
import { isOwn, ownExtra, type Report, readExtra } from "../extra.ts";
import { meantElsewhere } from "./meant-elsewhere.ts";

/**
 * A request to a vendor of this format that knows functions, and tools of its own: those for free text, those in groups and a search that
 * the client makes are functions, and so are those it runs by items of their own, as they are to vendors of other formats. A search that
 * OpenAI makes is left out, and what waits for it is there. Where nothing is left to call, nothing is said about calling: vendors refuse that.
 */
export function asFunctions(request: ChatRequest, report: Report): ChatRequest {
  const { tools, toolChoice, parallelToolCalls, messages, ...rest } = meantElsewhere(request);
  const offered = tools?.filter((tool) => !isUnknown(tool, report)).map((tool) => asFunction(tool, report));
  const said = { ...rest, messages: messages.map((message) => plain(message, report)) };
  if (offered?.length === 0) {
    if (toolChoice) report("tool_choice");
    if (parallelToolCalls !== undefined) report("parallel_tool_calls");
    return said;
  }
  return {
    ...said,
    ...(offered && { tools: offered }),
    ...(toolChoice && { toolChoice: named(toolChoice) }),
    ...(parallelToolCalls !== undefined && { parallelToolCalls }),
  };
}

const named = (choice: ToolChoice): ToolChoice =>
  choice.type === "tool" ? { type: "tool", name: choice.name } : choice;

const unknownTypes: ReadonlySet<unknown> = new Set(["namespace", "tool_search"]);

function isUnknown(tool: Tool, report: Report): boolean {
  if (tool.type === "function" || !isRecord(tool.value) || !unknownTypes.has(tool.value.type)) return false;
  report(`tools.${String(tool.value.name ?? tool.value.type)}`);
  return true;
}

/** Those that OpenAI alone knows more of say only what functions say. */
function asFunction(tool: Tool, report: Report): Tool {
  if (tool.type !== "function") return tool;
  const { custom, ...plainTool } = undeferred(tool);
  const { fields: said, group } = readExtra(plainTool.extra);
  const { environment, ...fields } = said;
  if (environment !== undefined) {
    report("tools.environment");
    return { ...plainTool, ...ownExtra(fields) };
  }
  if (!custom && !group) return plainTool;
  return { ...plainTool, ...(custom && { strict: false }), ...ownExtra(custom ? {} : fields) };
}

function plain(message: Message, report: Report): Message {
  switch (message.role) {
    case "assistant":
      return { ...message, content: message.content.filter((part) => !isSearched(part, report)).map(calledPlainly) };
    case "tool":
      return { ...message, content: message.content.map(answeredPlainly) };
    default:
      return message;
  }
}

/** A search that OpenAI has made, and what it found. */
function isSearched(part: AssistantPart, report: Report): boolean {
  const type = part.type === "opaque" && isRecord(part.value) ? String(part.value.type) : "";
  if (!type.startsWith("tool_search_")) return false;
  report(`messages.${type}`);
  return true;
}

/** Ids of items say which kind they are of. */
function calledPlainly(part: AssistantPart): AssistantPart {
  if (part.type !== "tool-call") return part;
  const { custom, ...call } = part;
  const { item = {} } = readExtra(part.extra);
  const { namespace, name: _, id, ...note } = item;
  if (!custom && namespace === undefined) return part;
  return {
    ...call,
    ...ownExtra(part.extra?.fields, { item: { ...note, ...(!custom && id !== undefined && { id }) } }),
  };
}

function answeredPlainly(result: ToolResultPart): ToolResultPart {
  if (!isOwn(result.extra) || result.extra.spelling === undefined) return result;
  const { item, fields } = result.extra;
  const { id: _, ...note } = item ?? {};
  return { ...result, ...ownExtra(fields, { item: note }) };
}
