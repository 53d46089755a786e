import {
  type AssistantMessage,
  type AssistantPart,
  type ChatRequest,
  type Fields,
  type FunctionTool,
  inTurns,
  isRecord,
  type Message,
  ownOpaque,
  type Tool,
  undeferred,
  writeJson,
} from "../../../core/index.ts";
import { asClientFunction, clientItem, isClientItem } from "../client-tools.ts";
import { formatName, readExtra } from "../extra.ts";
import { broughtBy, isClientSearch, searchName } from "../tool-search.ts";
import { withMeantChoice } from "./meant-choice.ts";
import { decodeTools } from "./tools.ts";
import { withUpdates } from "./updates.ts";

/**
 * What a request means to vendors of other formats, which know no items that bring tools: a search that the client makes is a function,
 * its results say what can be called, and all that can be called is in the list of tools (OpenAI: tool search, additional tools).
 * Tools that wait for a search of the vendor's own, which others do not have, are there from the beginning. What a client runs by
 * an item of its own (`shell`, `apply_patch`) is a function, too, and settings that change on the way are those that hold at the end.
 */
export function meantElsewhere(asked: ChatRequest): ChatRequest {
  const request = withUpdates(asked);
  const { tools: written = [] } = request;
  const tools = withFunctions(written);
  const messages = request.messages.some(({ role, content }) => role === "assistant" && content.some(isAboutTools))
    ? spoken(request.messages)
    : request.messages;
  const search = tools.find(isSearch);
  if (messages === request.messages && !search && tools === written) return request;
  // What was found is of no use to a client that does not search any more: it wants a summary, for instance.
  const brought = request.messages.flatMap((message) => broughtIn(message, search !== undefined));
  const offered = search ? searchable(tools, search, new Set(brought.map(nameOf))) : tools;
  const known = new Set(offered.map(nameOf));
  const all = [...offered, ...brought.filter((tool) => isFirst(known, nameOf(tool)))];
  const { tools: _, ...rest } = withMeantChoice(request, new Set(made(offered, written).map(nameOf)));
  return {
    ...rest,
    messages,
    ...(all.length > 0 && { tools: all.map((tool) => (isDeferred(tool) ? undeferred(tool) : tool)) }),
  };
}

/** Tools that the client runs by items of their own as functions. A function of such a name is in the way. */
function withFunctions(tools: readonly Tool[]): readonly Tool[] {
  if (!tools.some(offeredAs)) return tools;
  const names = new Set(tools.map(nameOf));
  return tools.map((tool) => {
    const offered = offeredAs(tool);
    return offered && !names.has(offered.name) ? offered : tool;
  });
}

const offeredAs = (tool: Tool): FunctionTool | undefined =>
  tool.type === "native" && tool.format === formatName ? asClientFunction(tool.value) : undefined;

/** Those of the tools on offer that were written as something else. */
const made = (offered: readonly Tool[], written: readonly Tool[]): readonly Tool[] =>
  offered.filter((tool) => !written.includes(tool));

/** What a tool is called; a tool without a name is one that no other is. */
const nameOf = (tool: Tool): unknown => (tool.type === "function" ? tool.name : tool);

function isFirst(known: Set<unknown>, name: unknown): boolean {
  const isNew = !known.has(name);
  known.add(name);
  return isNew;
}

const isSearch = (tool: Tool): boolean =>
  tool.type === "native" && tool.format === formatName && isClientSearch(tool.value);

/** The search as a function, and of the tools that wait for it those that it found. A function of its name is in its way. */
function searchable(tools: readonly Tool[], search: Tool, found: ReadonlySet<unknown>): readonly Tool[] {
  if (tools.some((tool) => nameOf(tool) === searchName)) return tools;
  const there = tools.filter((tool) => !isDeferred(tool) || found.has(nameOf(tool)));
  return there.map((tool) => (tool === search ? asFunction(tool) : tool));
}

function asFunction(tool: Tool): Tool {
  const { description, parameters } = tool.type === "native" && isRecord(tool.value) ? tool.value : {};
  return {
    type: "function",
    name: searchName,
    ...(typeof description === "string" && { description }),
    ...(isRecord(parameters) && { parameters }),
  };
}

const isDeferred = (tool: Tool): tool is FunctionTool =>
  tool.type === "function" && readExtra(tool.extra).fields.defer_loading === true;

const ownItem = (part: AssistantPart): Readonly<Fields> | undefined => ownOpaque(part, formatName);

const broughtIn = (message: Message, searches: boolean): Tool[] =>
  message.role === "assistant"
    ? message.content
        .map(ownItem)
        .flatMap((item) => (searches || item?.type === "additional_tools" ? toolsIn(item) : []))
    : [];

const toolsIn = (item: unknown): Tool[] => decodeTools(broughtBy(item), "input[*].tools");

const types: ReadonlySet<unknown> = new Set(["tool_search_call", "tool_search_output", "additional_tools"]);

/** Searches of the vendor's own have no id. */
const isAboutTools = (part: AssistantPart): boolean => {
  const item = ownItem(part);
  if (item === undefined) return false;
  if (!types.has(item.type)) return isClientItem(item);
  return item.type === "additional_tools" || callOf(item) !== undefined;
};

const callOf = ({ call_id: id }: Readonly<Fields>): string | undefined => (typeof id === "string" ? id : undefined);

function spoken(messages: readonly Message[]): readonly Message[] {
  return inTurns(
    [],
    messages.flatMap((message) => (message.role === "assistant" ? turnsOf(message) : [message])),
  );
}

/** A message of the model, taken apart where the client says what it found. */
function turnsOf(message: AssistantMessage): readonly Message[] {
  if (!message.content.some(isAboutTools)) return [message];
  return message.content.flatMap((part): Message[] => {
    const item = isAboutTools(part) ? ownItem(part) : undefined;
    if (!item) return [{ ...message, content: [part] }];
    const id = callOf(item) ?? "";
    const own = clientItem(item);
    if (own?.kind === "call")
      return [{ ...message, content: [{ type: "tool-call", id, name: own.name, arguments: own.arguments }] }];
    if (own) return [resultOf(id, own.text, own.failed)];
    switch (item.type) {
      case "tool_search_call":
        return [{ ...message, content: [{ type: "tool-call", id, name: searchName, arguments: argumentsOf(item) }] }];
      case "tool_search_output":
        return [resultOf(id, found(toolsIn(item)))];
      default:
        return [];
    }
  });
}

const resultOf = (toolCallId: string, text: string, failed = false): Message => ({
  role: "tool",
  content: [{ type: "tool-result", toolCallId, content: [{ type: "text", text }], ...(failed && { isError: true }) }],
});

const argumentsOf = ({ arguments: asked }: Readonly<Fields>): string =>
  typeof asked === "string" ? asked : writeJson(asked ?? {});

function found(tools: readonly Tool[]): string {
  const names = tools.flatMap((tool) => (tool.type === "function" ? tool.name : []));
  return names.length > 0 ? `These tools can be called now: ${names.join(", ")}.` : "No tool was found.";
}
