import { type DocumentPart, type Fields, isRecord, type Message, refuse, writeJson } from "../../../core/index.ts";
import { extraOf, listAt, writtenIn } from "../fields.ts";

/**
 * This API has the documents an answer is to be based on beside the messages: texts, or objects whose `data` may be
 * anything. To other formats they are documents of the last question.
 */
export function withDocuments(messages: readonly Message[], documents: unknown): Message[] {
  const parts = listAt(documents, "documents").map((one, at) => decodeDocument(one, `documents[${at}]`));
  const last = messages.findLastIndex(({ role }) => role === "user");
  return messages.map((message, at) =>
    at === last && message.role === "user" ? { ...message, content: [...parts, ...message.content] } : message,
  );
}

function decodeDocument(document: unknown, path: string): DocumentPart {
  if (typeof document !== "string" && !isRecord(document)) refuse(path, "a text or an object with data", document);
  return { type: "document", ...readDocument(document), ...extraOf({}, { document }) };
}

function readDocument(document: unknown): Pick<DocumentPart, "source" | "name"> {
  const data = isRecord(document) ? document.data : document;
  const titled = isRecord(data) && typeof data.text === "string" ? data : undefined;
  const { title, text: _, ...more } = titled ?? {};
  const plain = titled && Object.keys(more).length === 0 && (title === undefined || typeof title === "string");
  const mediaType = typeof data === "string" || plain ? "text/plain" : "application/json";
  const text = plain ? String(titled.text) : documentText(document);
  return { source: { kind: "text", text, mediaType }, ...(plain && typeof title === "string" && { name: title }) };
}

/** All a document says, as text. */
export function documentText(document: unknown): string {
  const data = isRecord(document) ? document.data : document;
  return typeof data === "string" ? data : writeJson(data ?? {});
}

/** A document of a client of this format comes back as it was, as long as nobody changed what it says. */
export function encodeDocument(part: DocumentPart): unknown {
  const { document } = writtenIn(part.extra);
  const { source, name } = part;
  const text = source.kind === "text" ? source.text : "";
  if (document !== undefined) {
    const before = readDocument(document);
    if (before.source.kind === "text" && before.source.text === text && before.name === name) return document;
  }
  const data: Fields = name === undefined ? { text } : { title: name, text };
  return { data };
}
