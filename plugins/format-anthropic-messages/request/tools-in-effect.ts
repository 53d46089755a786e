import {
  type ChatRequest,
  type InstructionPart,
  isRecord,
  type Message,
  ownOpaque,
  type Tool,
  undeferred,
} from "../../../core/index.ts";
import { formatName } from "../fields.ts";
import { decodeTool } from "./decode-tools.ts";

const definition = { path: "tool_addition.tool.definition", fault: "invalid_request" } as const;

/**
 * The tools that the model may call after the last message. Those with `defer_loading` wait until a result names them
 * (`tool_reference`) or instructions between messages offer them (`tool_addition`, which may bring a definition along); `tool_removal`
 * takes one back. Where the vendor's own search is to find them, which no other has, all are there from the beginning. A tool that has
 * to be called is there as well.
 */
export function toolsInEffect(request: ChatRequest): readonly Tool[] | undefined {
  const { tools = [], toolChoice, messages } = request;
  const changes: Change[] = [];
  for (const message of messages) for (const change of changesIn(message)) changes.push(change);
  const waits = tools.some(isSearch) ? () => false : isDeferred;
  if (changes.length === 0 && !tools.some(waits)) return request.tools;
  const declared = new Map<Name, Tool>(tools.map((tool) => [nameOf(tool), tool]));
  const offered = new Set<Name>(tools.filter((tool) => !waits(tool)).map(nameOf));
  for (const { name, tool, taken } of changes) {
    if (tool) declared.set(name, tool);
    if (taken) offered.delete(name);
    else offered.add(name);
  }
  if (toolChoice?.type === "tool") offered.add(toolChoice.name);
  const left = [...declared].filter(([name]) => offered.has(name)).map(([, tool]) => tool);
  return left.length > 0 ? left.map((tool) => (tool.type === "function" ? undeferred(tool) : tool)) : undefined;
}

interface Change {
  readonly name: Name;
  /** What it is, where that is not said in the list of tools. */
  readonly tool?: Tool;
  readonly taken?: true;
}

const none: readonly Change[] = [];

/** Most messages change nothing, and are told by their parts: no lists are made of them. */
function changesIn(message: Message): readonly Change[] {
  switch (message.role) {
    case "tool":
      if (!message.content.some(({ content }) => content.some(isOpaque))) return none;
      return message.content.flatMap(({ content }) => content.flatMap((part) => namedBy(referenceIn(part))));
    case "assistant":
      return message.content.some(isOpaque) ? message.content.flatMap((part) => foundBy(ownBlock(part))) : none;
    case "system":
      return message.content.some(isOpaque) ? message.content.flatMap((part) => changeIn(ownBlock(part))) : none;
    default:
      return none;
  }
}

const isOpaque = ({ type }: { readonly type: string }): boolean => type === "opaque";

const namedBy = (name: string | undefined): Change[] => (name === undefined ? [] : [{ name }]);

/** What the vendor's own search found, before the client had another list of tools; and what a summary says of what it sums up. */
function foundBy(block: Block | undefined): Change[] {
  if (block?.type === "compaction") return listIn(block, "tool_changes").flatMap(changeIn);
  const content = block?.type === "tool_search_tool_result" ? block.content : undefined;
  return listIn(content, "tool_references").flatMap((reference) => namedBy(toolNamed(reference)));
}

const listIn = (block: unknown, name: string): readonly unknown[] => {
  const list = isRecord(block) ? block[name] : undefined;
  return Array.isArray(list) ? list : [];
};

/** Tools of MCP servers, which the vendor calls itself, are nothing that another could offer. */
function changeIn(block: unknown): Change[] {
  if (!isRecord(block) || !isRecord(block.tool)) return [];
  const { type, tool: about } = block;
  if (type !== "tool_addition" && type !== "tool_removal") return [];
  const taken = type === "tool_removal" && ({ taken: true } as const);
  if (about.type === "tool_reference") return typeof about.name === "string" ? [{ name: about.name, ...taken }] : [];
  if (about.type !== "tool_definition") return [];
  const tool = decodeTool(about.definition, definition);
  return [{ name: nameOf(tool), tool, ...taken }];
}

/** Whether a part of instructions does nothing but change the tools, in a way that `toolsInEffect` knows. */
export const isChange = (part: InstructionPart): boolean => changeIn(ownBlock(part)).length > 0;

/** The tool that a part of a result points to. */
export function referenceIn(part: Parameters<typeof ownBlock>[0]): string | undefined {
  const block = ownBlock(part);
  return block?.type === "tool_reference" ? toolNamed(block) : undefined;
}

const toolNamed = (reference: unknown): string | undefined =>
  isRecord(reference) && typeof reference.tool_name === "string" ? reference.tool_name : undefined;

type Block = Readonly<Record<string, unknown>>;

/** A block that only this format has, as the client wrote it. */
export const ownBlock = (part: Parameters<typeof ownOpaque>[0]): Block | undefined => ownOpaque(part, formatName);

const nativeFields = (tool: Tool): Block => (tool.type === "native" && isRecord(tool.value) ? tool.value : {});

/** What changes call a tool. A tool without a name is one that none of them can be about. */
type Name = string | Tool;

function nameOf(tool: Tool): Name {
  if (tool.type === "function") return tool.name;
  const { name } = nativeFields(tool);
  return typeof name === "string" ? name : tool;
}

const isDeferred = (tool: Tool): boolean =>
  (tool.type === "function" ? tool.extra?.fields.defer_loading : nativeFields(tool).defer_loading) === true;

const isSearch = (tool: Tool): boolean => String(nativeFields(tool).type).startsWith("tool_search_tool_");
