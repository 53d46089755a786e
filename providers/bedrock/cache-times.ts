import { type Fields, isRecord, withParts } from "../../core/provider-kit/index.ts";
import { familyOf } from "./families.ts";

type Report = ((dropped: string) => void) | undefined;

/** Claudes before 4.5, which keep what is cached for five minutes and no longer. */
const early = /claude-(?:instant|v?[123](?!\d)|(?:opus|sonnet)-4(?:-1)?(?:-\d{8}|-v\d|[:@]|$))/i;

/**
 * Whether a model may be told how long to keep what is cached: Claude from 4.5 on. Others refuse to be told ("Extended TTL
 * prompt caching is only supported for Anthropic models", "Extra inputs are not permitted"). Where a name does not say the
 * model, as that of a profile that may not be looked up, what the client wrote stays.
 */
export function takesTimes(model: string): boolean {
  const isClaude = /claude/i.test(model);
  return isClaude ? !early.test(model) : familyOf(model) === undefined;
}

/** What all models keep by themselves: left out, it is no loss. */
const usual = "5m";

/** A request of another format to Converse, without times for what is cached where the model takes none. */
export function withoutTimes(wire: Readonly<Fields>, report?: (dropped: string) => void): Fields {
  if (takesTimes(String(wire.model ?? ""))) return wire;
  const { system, messages, toolConfig } = wire;
  return {
    ...wire,
    ...(Array.isArray(system) && { system: timeless(system, "messages", report) }),
    ...(Array.isArray(messages) && {
      messages: withParts(messages, (parts) => timeless(parts, "messages", report)),
    }),
    ...(isRecord(toolConfig) &&
      Array.isArray(toolConfig.tools) && {
        toolConfig: { ...toolConfig, tools: timeless(toolConfig.tools, "tools", report) },
      }),
  };
}

const timeless = (blocks: readonly unknown[], where: "messages" | "tools", report: Report): unknown[] =>
  blocks.map((block) => {
    if (!isRecord(block) || !isRecord(block.cachePoint) || block.cachePoint.ttl === undefined) return block;
    const { ttl, ...cachePoint } = block.cachePoint;
    if (ttl !== usual) report?.(`${where}.cache_control.ttl`);
    return { ...block, cachePoint };
  });
