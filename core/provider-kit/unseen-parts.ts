import { isRecord } from "../codec-kit/records.ts";
import { withParts } from "./with-parts.ts";

/**
 * The messages of a chat without parts that a vendor cannot be shown, which are reported. A message of nothing else is an
 * empty one.
 */
export const withoutParts = (
  messages: readonly unknown[],
  isUnseen: (part: Readonly<Record<string, unknown>>) => boolean,
  report?: (dropped: string) => void,
): unknown[] =>
  withParts(messages, (parts) => {
    const seen = parts.filter((part) => {
      if (!isRecord(part) || !isUnseen(part)) return true;
      report?.(`messages.${String(part.type)}`);
      return false;
    });
    return seen.length > 0 ? seen : "";
  });
