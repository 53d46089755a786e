import {
  type CacheMarker,
  type ChatRequest,
  haveBreakpoints,
  isInstruction,
  isRecord,
  type Message,
  markedParts,
  withMarkers,
} from "../../../core/index.ts";

/** The longest of the lifetimes of OpenAI's breakpoints, which are `30m` or this one. */
const longest = "12h";
/** The longest there is here; others last five minutes. */
const longestHere = "1h";

/**
 * The messages of a request with the breakpoints that are to last as long as there is lasting as long as there is here, and those before
 * them too: "cache entries with longer TTL must appear before shorter TTLs" (Anthropic, prompt caching). Where a client has marked something
 * before them in the words of this API, that marker is as it was, and none of the breakpoints lasts longer.
 */
export function withLastingBreakpoints(
  { extra, tools = [] }: ChatRequest,
  messages: readonly Message[],
): readonly Message[] {
  if (!haveBreakpoints(messages)) return messages;
  const options = extra?.fields.prompt_cache_options;
  const usual = isRecord(options) ? options.ttl : undefined;
  const isLong = ({ breakpoint }: CacheMarker) => breakpoint && (breakpoint.wire.ttl ?? usual) === longest;
  const parts = [...messages.filter(isInstruction), ...messages.filter((message) => !isInstruction(message))];
  const marked = markedParts(parts);
  const last = marked.findLastIndex(({ cache }) => cache && isLong(cache));
  const before = marked.slice(0, last + 1);
  const isShort = ({ ttl, breakpoint }: CacheMarker) => ttl !== longestHere && (ttl !== undefined || !breakpoint);
  const others = [
    ...tools.flatMap((tool) => ("cache" in tool && tool.cache) || []),
    ...before.flatMap(({ cache = [] }) => cache),
  ];
  if (last < 0 || others.some(isShort)) return messages;
  return withMarkers(messages, new Map(before.map((part) => [part, { ...part.cache, ttl: longestHere }])));
}
