import { type Fields, isRecord, jsonOr, type StreamUsage } from "../../../core/index.ts";

/** Usage comes in a frame of its own, without choices, where `stream_options.include_usage` asks for it. */
export const streamUsage: StreamUsage = {
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
