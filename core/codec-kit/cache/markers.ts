import type { ChatRequest, Message } from "../../model/chat.ts";
import type { CacheMarker } from "../../model/content.ts";
import type { Fields } from "../records.ts";

/** What parts of OpenAI's formats say of caches: their breakpoint, and the gateway's own extension (inference-api.md section 7.3). */
interface WireMarkers {
  readonly cache_control?: { readonly ttl?: string | null | undefined } | null | undefined;
  readonly prompt_cache_breakpoint?: Readonly<Fields> | null | undefined;
}

/** The marker of a part of a format to spread into it; nothing where there is none. */
export function markerOf(
  { cache_control: marker, prompt_cache_breakpoint: wire }: WireMarkers,
  format: string,
): { cache?: CacheMarker } {
  if (!marker && !wire) return {};
  const ttl = typeof marker?.ttl === "string" ? { ttl: marker.ttl } : {};
  return { cache: wire ? { ...ttl, breakpoint: { format, wire, ...(marker && { beside: true }) } } : ttl };
}

/**
 * The breakpoint of a part as a format of OpenAI's writes it: where a client of the format has written it, or where the vendor `knows`
 * them. Others who speak these formats refuse what they do not know.
 */
export const breakpointFor = (
  cache: CacheMarker | undefined,
  format: string,
  knows: boolean,
): Readonly<Fields> | undefined =>
  cache?.breakpoint && (knows || cache.breakpoint.format === format) ? cache.breakpoint.wire : undefined;

/** Reports a marker that is lost, by what its client called it; the breakpoint of it may be written. */
export function reportMarker(
  cache: CacheMarker | undefined,
  report: (dropped: string) => void,
  isWritten = false,
): void {
  if (!cache) return;
  const { breakpoint } = cache;
  if (breakpoint && !isWritten) report("messages.prompt_cache_breakpoint");
  if (!breakpoint || breakpoint.beside) report("messages.cache_control");
}

/** As many markers as Claude takes in a request, and Bedrock of any model. */
const mostMarkers = 4;

/**
 * The messages of a request with no more breakpoints than there is room for beside other markers: OpenAI looks for up to eighty, and
 * writes the latest ones, which are those that stay. What is marked in the words of vendors with a limit is their clients' own.
 */
export function withFewBreakpoints(
  { messages, tools = [] }: Pick<ChatRequest, "messages" | "tools">,
  report: (dropped: string) => void,
): readonly Message[] {
  if (!haveBreakpoints(messages)) return messages;
  const marked = markedParts(messages);
  const breakpoints = marked.filter(({ cache }) => cache?.breakpoint);
  const others = marked.length - breakpoints.length + tools.filter((tool) => "cache" in tool && tool.cache).length;
  const early = breakpoints.slice(0, Math.max(0, breakpoints.length + others - mostMarkers));
  if (early.length === 0) return messages;
  report("messages.prompt_cache_breakpoint");
  return withMarkers(messages, new Map(early.map((part) => [part, undefined])));
}

type Part = Message["content"][number];
type Markable = Part & { readonly cache?: CacheMarker };

/** The parts of messages that have a marker, in the order they stand in. */
export const markedParts = (messages: readonly Message[]): readonly Markable[] =>
  messages.flatMap(({ content }) => content.flatMap(markedIn));

/** The same messages with other markers on some of their parts, or with none. */
export const withMarkers = (
  messages: readonly Message[],
  changes: ReadonlyMap<Markable, CacheMarker | undefined>,
): readonly Message[] =>
  messages.map(
    (message) => ({ ...message, content: message.content.map((part) => withMarker(part, changes)) }) as Message,
  );

/** Whether there is a breakpoint in messages at all. */
export const haveBreakpoints = (messages: readonly Message[]): boolean =>
  messages.some(({ content }) => content.some(hasBreakpoint));

const hasBreakpoint = (part: Part): boolean =>
  ("cache" in part && part.cache?.breakpoint !== undefined) ||
  (part.type === "tool-result" && part.content.some(hasBreakpoint));

/** A part with a marker, and those within a result, in the order they stand in. */
function markedIn(part: Part): Markable[] {
  const inner = part.type === "tool-result" ? part.content.flatMap(markedIn) : [];
  return "cache" in part && part.cache ? [...inner, part] : inner;
}

function withMarker<Owner extends Part>(part: Owner, changes: ReadonlyMap<Part, CacheMarker | undefined>): Owner {
  const inner = part.type === "tool-result" && { content: part.content.map((one) => withMarker(one, changes)) };
  const { cache: _, ...unmarked } = part as Owner & { readonly cache?: CacheMarker };
  const cache = changes.get(part);
  return { ...(changes.has(part) ? { ...unmarked, ...(cache && { cache }) } : part), ...inner } as Owner;
}
