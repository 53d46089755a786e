import type { StreamUsage } from "../model/format.ts";
import { type Fields, isRecord, jsonOr } from "./records.ts";

/** Usage comes in a frame of its own, without choices, where `stream_options.include_usage` asks for it. */
export const usageFrames: StreamUsage = {
  member: "stream_options",
  asking(said): Fields | undefined {
    if (!isRecord(said)) return { include_usage: true };
    return said.include_usage === true ? undefined : { ...said, include_usage: true };
  },
  mark: '"prompt_tokens"',
  isOnlyUsage({ data }) {
    const frame = jsonOr(data);
    return isRecord(frame) && isRecord(frame.usage) && Array.isArray(frame.choices) && frame.choices.length === 0;
  },
};
