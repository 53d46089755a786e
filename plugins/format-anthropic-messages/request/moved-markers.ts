import { type CacheMarker, isRecord, type Message, type ownOpaque, type SystemMessage } from "../../../core/index.ts";
import { decodeCache } from "../fields.ts";
import { isChange, ownBlock } from "./tools-in-effect.ts";

type Part = Message["content"][number];

interface Marked {
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
