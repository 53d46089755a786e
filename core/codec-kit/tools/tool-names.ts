import { hash } from "node:crypto";
import type { ChatRequest, ChatResponse, Message, Tool, ToolChoice } from "../../model/chat.ts";
import type { AssistantPart } from "../../model/content.ts";
import type { StreamChunk } from "../../model/stream.ts";
import type { ToolNames } from "../../model/tool-names.ts";

/** The client's names of tools, by those the vendor knows them by. */
export type ClientNames = ReadonlyMap<string, string>;

export interface Renamed {
  readonly request: ChatRequest;
  readonly clientNames: ClientNames;
}

/** Names of letters, digits, hyphens and underscores, as most vendors take them. */
export const plainNames = (longest: number): ToolNames => ({
  allowed: new RegExp(`^[A-Za-z0-9_-]{1,${longest}}$`),
  others: /[^A-Za-z0-9_-]/g,
  longest,
});

/**
 * A request whose tools have names its vendor refuses, with names that are like them: in the tools, in the calls of its
 * history and in the choice among them. Undefined where there is nothing to change.
 */
export function withAcceptedNames(request: ChatRequest, rule: ToolNames): Renamed | undefined {
  const refused = new Set<string>();
  const taken = new Set<string>();
  for (const name of namesIn(request)) (name === "" || rule.allowed.test(name) ? taken : refused).add(name);
  if (refused.size === 0) return undefined;
  const said = new Map<string, string>();
  const clientNames = new Map<string, string>();
  for (const name of refused) {
    const spelled = spelledFor(name, rule, taken);
    taken.add(spelled);
    said.set(name, spelled);
    clientNames.set(spelled, name);
  }
  return { request: renamed(request, namedIn(said)), clientNames };
}

/** Tools may be called that are not offered any more. */
function namesIn({ tools = [], messages }: ChatRequest): string[] {
  const names: string[] = [];
  for (const tool of tools) if (tool.type === "function") names.push(tool.name);
  for (const { role, content } of messages)
    if (role === "assistant") for (const part of content) if (part.type === "tool-call") names.push(part.name);
  return names;
}

const digits = 8;

/** What is cut, or like another one, ends in a digest of the whole. */
function spelledFor(name: string, { allowed, others, longest }: ToolNames, taken: ReadonlySet<string>): string {
  const plain = name.replace(others, "_");
  const begun = allowed.test(plain.slice(0, longest)) ? plain : `_${plain}`;
  if (begun.length <= longest && !taken.has(begun)) return begun;
  return `${begun.slice(0, longest - digits - 1)}_${hash("sha256", name).slice(0, digits)}`;
}

type NameOf = (name: string) => string;

/** Names that are not in the table stay. */
const namedIn =
  (names: ReadonlyMap<string, string>): NameOf =>
  (name) =>
    names.get(name) ?? name;

function renamed({ tools, toolChoice, ...request }: ChatRequest, nameOf: NameOf): ChatRequest {
  return {
    ...request,
    messages: request.messages.map((message) => inMessage(message, nameOf)),
    ...(tools && { tools: tools.map((tool) => ofTool(tool, nameOf)) }),
    ...(toolChoice && { toolChoice: ofChoice(toolChoice, nameOf) }),
  };
}

const ofTool = (tool: Tool, nameOf: NameOf): Tool =>
  tool.type === "function" ? { ...tool, name: nameOf(tool.name) } : tool;

function ofChoice(choice: ToolChoice, nameOf: NameOf): ToolChoice {
  if (choice.type === "tool") return { ...choice, name: nameOf(choice.name) };
  return choice.type === "among" ? { ...choice, names: choice.names.map(nameOf) } : choice;
}

const inMessage = (message: Message, nameOf: NameOf): Message =>
  message.role === "assistant" ? { ...message, content: message.content.map((part) => inPart(part, nameOf)) } : message;

const inPart = (part: AssistantPart, nameOf: NameOf): AssistantPart =>
  part.type === "tool-call" ? { ...part, name: nameOf(part.name) } : part;

/** An answer that calls tools by the names the client knows. */
export function withClientNames(response: ChatResponse, names: ClientNames): ChatResponse {
  const nameOf = namedIn(names);
  const choices = response.choices.map((choice) => ({
    ...choice,
    content: choice.content.map((part) => inPart(part, nameOf)),
  }));
  return { ...response, choices };
}

/** The same of a piece of a stream. */
export function inClientNames(chunk: StreamChunk, names: ClientNames): StreamChunk {
  if (chunk.type === "tool-call-start") return { ...chunk, name: namedIn(names)(chunk.name) };
  return chunk.type === "part" ? { ...chunk, value: inPart(chunk.value, namedIn(names)) } : chunk;
}
