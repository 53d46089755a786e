import { isRecord } from "../codec-kit/records.ts";
import { withParts } from "./with-parts.ts";

type Fields = Readonly<Record<string, unknown>>;
type Report = ((dropped: string) => void) | undefined;

/** What clients say of caches: what this gateway and many clients have for Claude, and OpenAI's. */
export const cacheMarkers: readonly string[] = ["cache_control", "prompt_cache_breakpoint"];

/**
 * A chat on the wire for vendors that refuse to be told what to keep in caches (`property 'cache_control' is unsupported`): messages,
 * their parts and calls, and tools without markers, which are reported.
 */
export function withoutCacheMarkers(wire: Fields, report?: Report): Fields {
  const { messages, tools } = wire;
  const ofMessages = (owner: unknown) => unmarked(owner, "messages", report);
  return {
    ...wire,
    ...(Array.isArray(messages) && {
      messages: withParts(messages.map(ofMessages), (parts) => parts.map(ofMessages)).map((message) =>
        isRecord(message) && Array.isArray(message.tool_calls)
          ? { ...message, tool_calls: message.tool_calls.map(ofMessages) }
          : message,
      ),
    }),
    ...(Array.isArray(tools) && { tools: tools.map((tool) => unmarked(tool, "tools", report)) }),
  };
}

function unmarked(owner: unknown, place: "messages" | "tools", report: Report): unknown {
  if (!isRecord(owner) || !cacheMarkers.some((name) => name in owner)) return owner;
  const left = { ...owner };
  for (const name of cacheMarkers) {
    if (isRecord(left[name])) report?.(`${place}.${name}`);
    delete left[name];
  }
  return left;
}
