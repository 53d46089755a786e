import { type ChatRequest, isRecord, type Message, ownOpaque, withoutToolUse } from "../../../core/index.ts";
import { formatName } from "../fields.ts";

type Part = Message["content"][number];

/**
 * What a request means to vendors of other formats. A conversation may take back tools, and offer them again, on its way, so that the list
 * of them stays as it was (`toolRemoval`, `toolAddition`: "identify which tool to add or remove mid-conversation"): others are told those
 * that are there after the last message. A tool that has to be called is there.
 */
export function meantElsewhere(request: ChatRequest): ChatRequest {
  const { messages, tools, toolChoice } = request;
  const changes: Change[] = [];
  for (const { content } of messages)
    for (const part of content) {
      const change = changeIn(part);
      if (change) changes.push(change);
    }
  if (changes.length === 0) return request;
  const taken = new Set<string>();
  for (const { name, isTaken } of changes)
    if (isTaken) taken.add(name);
    else taken.delete(name);
  if (toolChoice?.type === "tool") taken.delete(toolChoice.name);
  const left = tools?.filter((tool) => tool.type !== "function" || !taken.has(tool.name)) ?? [];
  return {
    ...(left.length > 0 ? { ...request, tools: left } : withoutToolUse(request)),
    messages: messages.map(withoutChanges).filter(({ content }) => content.length > 0),
  };
}

interface Change {
  readonly name: string;
  readonly isTaken: boolean;
}

/** Tools of MCP servers, which the vendor calls itself, are nothing that another could offer. */
function changeIn(part: Part): Change | undefined {
  const block = part.type === "opaque" ? ownOpaque(part, formatName) : undefined;
  if (!block) return undefined;
  const isTaken = isRecord(block.toolRemoval);
  const change = isTaken ? block.toolRemoval : block.toolAddition;
  const tool = isRecord(change) && isRecord(change.tool) ? change.tool : {};
  const isOwn = (tool.serverName ?? undefined) === undefined;
  return typeof tool.name === "string" && isOwn ? { name: tool.name, isTaken } : undefined;
}

const withoutChanges = (message: Message): Message =>
  message.content.some((part: Part) => changeIn(part))
    ? ({ ...message, content: message.content.filter((part: Part) => !changeIn(part)) } as Message)
    : message;
