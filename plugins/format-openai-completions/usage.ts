import type { Usage } from "../../core/index.ts";
import { compact, type Fields, isRecord } from "./fields.ts";

/** Vendors write -1 for counts they do not know. */
const count = (value: unknown): number | undefined =>
  typeof value === "number" && Number.isFinite(value) && value >= 0 ? value : undefined;

const fieldsIn = (value: unknown): Readonly<Fields> => (isRecord(value) ? value : {});

const sum = (...counts: readonly (number | undefined)[]): number =>
  counts.reduce<number>((all, n) => all + (n ?? 0), 0);

const less = (total: number | undefined, part: number | undefined) =>
  total === undefined ? undefined : Math.max(0, total - (part ?? 0));

/** The wire counts include their parts; the buckets do not. */
export function decodeUsage(wire: unknown): Usage | undefined {
  if (!isRecord(wire)) return undefined;
  const cacheReadTokens = count(fieldsIn(wire.prompt_tokens_details).cached_tokens);
  const reasoningTokens = count(fieldsIn(wire.completion_tokens_details).reasoning_tokens);
  const usage: Usage = compact({
    inputTokens: less(count(wire.prompt_tokens), cacheReadTokens),
    cacheReadTokens,
    outputTokens: less(count(wire.completion_tokens), reasoningTokens),
    reasoningTokens,
  });
  return Object.keys(usage).length > 0 ? usage : undefined;
}

/** Only what is known is written: a total that misses a part would be wrong. */
export function encodeUsage(usage: Usage): Fields {
  const { inputTokens, cacheReadTokens, cacheWriteTokens, inputAudioTokens } = usage;
  const { outputTokens, reasoningTokens, outputAudioTokens } = usage;
  const total = (...parts: readonly (number | undefined)[]) =>
    parts.some((part) => part !== undefined) ? sum(...parts) : undefined;
  const prompt = total(inputTokens, cacheReadTokens, cacheWriteTokens, inputAudioTokens);
  const completion = total(outputTokens, reasoningTokens, outputAudioTokens);
  return compact({
    prompt_tokens: prompt,
    completion_tokens: completion,
    total_tokens: prompt === undefined || completion === undefined ? undefined : prompt + completion,
    prompt_tokens_details: cacheReadTokens === undefined ? undefined : { cached_tokens: cacheReadTokens },
    completion_tokens_details: reasoningTokens === undefined ? undefined : { reasoning_tokens: reasoningTokens },
  });
}
