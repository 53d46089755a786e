import { isRecord } from "../codec-kit/records.ts";

/** The messages of a chat on the wire, with the parts of each as a vendor takes them; contents that are texts stay. */
export const withParts = (
  messages: readonly unknown[],
  change: (parts: readonly unknown[]) => readonly unknown[] | string,
): unknown[] =>
  messages.map((message) =>
    isRecord(message) && Array.isArray(message.content) ? { ...message, content: change(message.content) } : message,
  );
