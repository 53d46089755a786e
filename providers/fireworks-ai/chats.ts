import {
  answeredFields,
  cacheMarkers,
  compact,
  isRecord,
  isThinkingOff,
  knownMessages,
  noThinking,
  plainEffort,
  type Rewrite,
  withoutCacheMarkers,
  withParts,
  withThoughtsIn,
} from "../../core/provider-kit/index.ts";

type Wire = Readonly<Record<string, unknown>>;
type Report = ((dropped: string) => void) | undefined;

/**
 * Fields of chats elsewhere. The vendor refuses all that it does not know: "Extra inputs are not permitted, field:
 * 'messages[8].reasoning'" (earendil-works/pi#4514); its reference has `additionalProperties: false` (api-reference/post-chatcompletions).
 */
export const unknownFields: readonly string[] = [
  "audio",
  "modalities",
  "prompt_cache_options",
  "prompt_cache_retention",
  "safety_identifier",
  "store",
  "verbosity",
  "web_search_options",
];

const unknownInMessages = answeredFields.filter((name) => name !== "reasoning_content");

/** Of an image the vendor knows where it is, and no type. */
function shown(part: unknown): unknown {
  if (!isRecord(part) || !isRecord(part.image_url) || !("mime_type" in part.image_url)) return part;
  const { mime_type: _, ...image } = part.image_url;
  return { ...part, image_url: image };
}

/** Everything is kept in caches there unasked. */
function withMessages(asked: Wire, report: Report): Wire {
  const wire = withoutCacheMarkers(asked, report);
  if (!Array.isArray(wire.messages)) return wire;
  const messages = wire.messages.map((one) => withThoughtsIn("reasoning_content", one));
  const known = knownMessages(messages, unknownInMessages, report);
  return { ...wire, messages: withParts(known, (parts) => parts.map(shown)) };
}

/** "Does not support 'none', false, or integer values"; of MiniMax M2 "boolean values are rejected", too. */
const alwaysThinks = (model: unknown): boolean => /gpt-oss|minimax-m2/.test(String(model));

/** How much to think is said by an effort or by a switch: with both "a validation error will be raised". No model knows `minimal`. */
function withEffort({ thinking, reasoning_effort: effort, ...wire }: Wire, report: Report): Wire {
  const off = isThinkingOff(thinking);
  if (alwaysThinks(wire.model)) {
    const none = noThinking(thinking, effort);
    if (none) report?.(none);
    return { ...wire, ...compact({ reasoning_effort: none ? "low" : plainEffort(effort) }) };
  }
  if (!isRecord(thinking)) return { ...wire, ...compact({ reasoning_effort: effort === "minimal" ? "low" : effort }) };
  if (typeof effort === "string") report?.("reasoning_effort");
  const { budget_tokens: budget } = thinking;
  return { ...wire, thinking: off ? { type: "disabled" } : { type: "enabled", ...compact({ budget_tokens: budget }) } };
}

export const chats: Rewrite = {
  when: [...["assistant", "mime_type", "thinking", "reasoning_effort"], ...cacheMarkers, ...unknownInMessages].map(
    (name) => `"${name}"`,
  ),
  apply: (wire, report) => ({ ...withEffort(withMessages(wire, report), report) }),
};
