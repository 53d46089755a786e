import { isRecord } from "../codec-kit/records.ts";

type Fields = Readonly<Record<string, unknown>>;

/**
 * The messages of a chat for vendors that take no lists of parts, or not everywhere: contents of nothing but texts are one text, a line
 * each. Markers of caches on them are lost, and reported.
 */
export const withTexts = (messages: readonly unknown[], report?: (dropped: string) => void): unknown[] =>
  messages.map((message) => {
    if (!isRecord(message) || !Array.isArray(message.content) || !message.content.every(isText)) return message;
    if (message.content.some(({ cache_control: cache }) => isRecord(cache))) report?.("messages.cache_control");
    return { ...message, content: message.content.map(({ text }) => text).join("\n") };
  });

const isText = (part: unknown): part is Fields & { readonly text: string } =>
  isRecord(part) && part.type === "text" && typeof part.text === "string";
