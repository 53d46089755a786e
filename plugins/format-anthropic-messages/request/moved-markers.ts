import {
  type CacheMarker,
  isRecord,
  type Message,
  type ownOpaque,
  type SystemMessage,
  type Tool,
} from "../../../core/index.ts";
import { decodeCache } from "../fields.ts";
import { isChange, ownBlock } from "./tools-in-effect.ts";

type Part = Message["content"][number];

export interface Marked {
  readonly cache?: CacheMarker;
}

/** The cache marker on a block that only this format has. */
export function markerOn(part: Parameters<typeof ownOpaque>[0]): Marked {
  const marker = ownBlock(part)?.cache_control;
  const { cache } = decodeCache(isRecord(marker) ? marker : undefined);
  return cache ? { cache } : {};
}

/** The last marker on what instructions change of the tools. */
export function markerOfChanges(message: SystemMessage): Marked {
  return Object.assign({}, ...message.content.filter(isChange).map(markerOn));
}

const unmarked: ReadonlySet<Part["type"]> = new Set(["thinking", "redacted-thinking", "opaque"]);

/**
 * Tools with a marker behind them, where nothing is said before what had it: what is read from a cache begins with the tools. One that has
 * one already says so, too.
 */
export function toolsMarkedAtEnd(tools: readonly Tool[] | undefined, { cache }: Marked): readonly Tool[] | undefined {
  const last = tools?.findLastIndex(({ type }) => type === "function") ?? -1;
  if (!cache || !tools || last < 0) return tools;
  return tools.map((tool, at) => (at === last && tool.type === "function" ? { cache, ...tool } : tool));
}

/** Whether there is something said that a marker can stand at. */
export const isMarkable = (messages: readonly Message[]): boolean =>
  messages.some(({ content }) => (content as readonly Part[]).some(({ type }) => !unmarked.has(type)));

/**
 * Messages with a marker at their end, where what had it is not told to others: what is to be read from a cache ends there all the
 * same. One that stands there already says so, too.
 */
export function markedAtEnd(messages: readonly Message[], { cache }: Marked): Message[] {
  const last = messages.at(-1);
  if (!cache || !last) return [...messages];
  const parts: readonly Part[] = last.content;
  const at = parts.findLastIndex(({ type }) => !unmarked.has(type));
  if (at < 0) return [...markedAtEnd(messages.slice(0, -1), { cache }), last];
  const content = parts.map((part, index) => (index === at ? { cache, ...part } : part));
  return [...messages.slice(0, -1), { ...last, content } as Message];
}
