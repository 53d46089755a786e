import { z } from "zod";
import type { Format, StreamUsage } from "../../model/format.ts";
import type { OperationName } from "../../model/operations.ts";

import { type Fields, isRecord, jsonOr } from "../records.ts";

/** Usage comes in a frame of its own, without choices, where `stream_options.include_usage` asks for it. */
const usageFrames: StreamUsage = {
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

/** The option of formats whose vendors can be asked so. */
export const forceStreamUsage = z
  .boolean()
  .default(false)
  .describe(
    "Ask vendors for the usage of every stream, so that it is counted, and keep it from clients that did not ask " +
      "(`stream_options.include_usage`). ${FORCE_STREAM_USAGE:-false}",
  );

/** The format as that option has it. */
export const askingUsage = <Operation extends OperationName>(
  format: Format<Operation>,
  forced: boolean,
): Format<Operation> => (forced ? { ...format, streamUsage: usageFrames } : format);
