import {
  type ChatRequest,
  type ContentPart,
  type Extra,
  type Fields,
  isRecord,
  type Message,
  type SystemMessage,
  type TextPart,
  type ToolMessage,
  withoutToolUse,
} from "../../../core/index.ts";
import { formatName } from "../fields.ts";
import { withFunctions } from "./client-tools.ts";
import { isMarkable, type Marked, markedAtEnd, markerOfChanges, markerOn, toolsMarkedAtEnd } from "./moved-markers.ts";
import { sinceCompaction } from "./since-compaction.ts";
import { isChange, referenceIn, toolsInEffect } from "./tools-in-effect.ts";

/**
 * What a request means to vendors of other formats, which have no words for it. A conversation may change its tools, its effort and its
 * instructions on its way, so that all before stays as it was and is read from the cache: others are told what holds after the last
 * message (Anthropic: mid-conversation system messages and tool changes, per-message effort, tool search, compaction). Tools that Claude
 * knows by their type, and that the client runs, are functions.
 */
export function meantElsewhere(asked: ChatRequest): ChatRequest {
  const request = withOutputFormat(asked);
  const { messages } = request;
  const there = toolsInEffect(request);
  const effort = effortIn(messages);
  const { told, unsaid } = allMeant(sinceCompaction(messages));
  const tools = toolsMarkedAtEnd(there && withFunctions(there), unsaid);
  const isSame = told.length === messages.length && told.every((message, at) => message === messages[at]);
  if (tools === request.tools && effort === undefined && isSame) return request;
  const { tools: _, ...rest } = request;
  return {
    ...(tools ? rest : withoutToolUse(rest)),
    messages: told,
    ...(tools && { tools }),
    ...(effort !== undefined && { reasoning: { ...request.reasoning, effort } }),
  };
}

/** What is asked for in `output_format`, where the API had it before `output_config.format` (Anthropic: structured outputs). */
function withOutputFormat(request: ChatRequest): ChatRequest {
  const { extra, responseFormat } = request;
  const { output_format: format, ...fields } = ownFields(extra) ?? {};
  if (!extra || responseFormat || !isRecord(format) || format.type !== "json_schema") return request;
  const { type: _, schema, ...more } = format;
  if (!isRecord(schema) || Object.keys(more).length > 0) return request;
  return { ...request, responseFormat: { type: "json-schema", schema }, extra: { ...extra, fields } };
}

/**
 * The effort that instructions between messages have asked for. Directly behind what the user said it is that of the answer; elsewhere,
 * as behind what tools gave, it is that of the answers from what the user says next (Anthropic: per-message effort).
 */
function effortIn(messages: readonly Message[]): string | undefined {
  let effort: string | undefined;
  let next: string | undefined;
  let isBehindUser = false;
  for (const { role, extra } of messages) {
    const config = role === "system" ? ownFields(extra)?.output_config : undefined;
    if (isRecord(config) && typeof config.effort === "string") next = config.effort;
    if (role !== "system") isBehindUser = role === "user";
    if (!isBehindUser) continue;
    effort = next ?? effort;
    next = undefined;
  }
  return effort;
}

interface Meant {
  readonly told: readonly Message[];
  /** The marker of what changed the tools before anything was said. */
  readonly unsaid: Marked;
}

/** What messages mean. The cache marker of a change that is not told stands behind what was told before it. */
function allMeant(messages: readonly Message[]): Meant {
  let told: Message[] = [];
  let unsaid: Marked = {};
  for (let at = 0; at < messages.length; at++) {
    const message = messages[at] as Message;
    const now = meant(message, at, messages);
    if (now.length > 0) for (const one of now) told.push(one);
    else if (message.role === "system") {
      const marker = markerOfChanges(message);
      if (isMarkable(told)) told = markedAtEnd(told, marker);
      else if (marker.cache) unsaid = marker;
    }
  }
  return { told, unsaid };
}

function meant(message: Message, at: number, messages: readonly Message[]): readonly Message[] {
  if (message.role === "tool") return [withReferences(message)];
  const fields = message.role === "system" ? ownFields(message.extra) : undefined;
  if (message.role !== "system" || !fields) return [message];
  const isGone = fields.clear_at === "next_user_message" && messages.slice(at + 1).some(isOfUser);
  return isGone ? [] : instructions(message, fields);
}

const isOfUser = ({ role }: Message): boolean => role === "user" || role === "tool";

/** What instructions between messages say, without what they change. */
function instructions(message: SystemMessage, fields: Readonly<Fields>): readonly Message[] {
  const content = message.content.filter((part) => !isChange(part));
  if (content.length === 0) return [];
  const { clear_at: _, output_config: config, ...rest } = fields;
  const { effort: __, ...more } = isRecord(config) ? config : {};
  const left = Object.keys(more).length > 0 ? { ...rest, output_config: more } : rest;
  const kept: Message = { ...message, content, extra: { format: formatName, fields: left } };
  return markedAtEnd([kept], markerOfChanges(message));
}

/** A model that is shown nothing by a search for tools takes it that there are none. */
function withReferences(message: ToolMessage): ToolMessage {
  if (!message.content.some(({ content }) => content.some(isReference))) return message;
  const content = message.content.map((result) => ({ ...result, content: result.content.map(named) }));
  return { ...message, content };
}

const isReference = (part: ContentPart): boolean => referenceIn(part) !== undefined;

function named(part: ContentPart): ContentPart {
  const name = referenceIn(part);
  if (name === undefined) return part;
  return { type: "text", text: `The tool ${name} can be called now.`, ...markerOn(part) } satisfies TextPart;
}

const ownFields = (extra: Extra | undefined) => (extra?.format === formatName ? extra.fields : undefined);
