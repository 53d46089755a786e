import type { ChatRequest, CheckInput, CheckResult, CheckSubject, Message } from "../../../core/index.ts";

/**
 * A text of a conversation. Parts of one message stand one after the other, so that each can be replaced on its own. Whom
 * models call a developer services call the system: most of them take no other word.
 */
export interface Said {
  readonly role: Exclude<Message["role"], "developer">;
  readonly content: string;
}

/** The request as a chat, where it is one. */
export function chatOf(subject: CheckSubject | undefined): ChatRequest | undefined {
  const body = subject?.request.body;
  return body && "messages" in body ? body : undefined;
}

/** What was said: the texts of the request in their order and, on the other side, those of the answer. */
export function conversationOf({ subject, texts, target }: CheckInput): Said[] {
  const chat = chatOf(subject);
  if (target === "request") return chat ? inChat(chat) : by("user", texts);
  return [...(chat ? inChat(chat) : by("user", [subject?.request.text ?? ""])), ...by("assistant", texts)];
}

/**
 * The conversation with other texts in it, as a result: of a request the whole chat is rewritten, of an answer only the
 * answer. `made` stands in the conversation's order; null, or nothing, keeps a text.
 */
export function conversationAs(
  { subject, texts, target }: CheckInput,
  made: readonly (string | null | undefined)[],
): Pick<CheckResult, "body" | "texts"> {
  const chat = chatOf(subject);
  if (target === "request" && chat) return bodyWith(chat, made);
  // Those of the texts come last in it.
  let at = made.length - texts.filter((text) => text !== "").length;
  const replaced = texts.map((text) => {
    if (text === "") return null;
    const other = made[at++] ?? null;
    return other === text ? null : other;
  });
  return replaced.some((text) => text !== null) ? { texts: replaced } : {};
}

function by(from: Message["role"], texts: readonly string[]): Said[] {
  const role = from === "developer" ? "system" : from;
  return texts.flatMap((content) => (content === "" ? [] : [{ role, content }]));
}

const inChat = ({ messages }: ChatRequest): Said[] =>
  messages.flatMap((message) => by(message.role, message.content.flatMap(textsOf)));

type Part = Message["content"][number];

function textsOf(part: Part): string[] {
  if (part.type === "tool-result") return part.content.flatMap(textsOf);
  return [textIn(part) ?? ""];
}

/** What a part says by itself: documents of text say as much as texts do. */
function textIn(part: Part): string | undefined {
  if (part.type === "text" || part.type === "refusal") return part.text;
  return part.type === "document" && part.source.kind === "text" ? part.source.text : undefined;
}

const withText = <One extends Part>(part: One, text: string): One =>
  part.type === "document" && part.source.kind === "text"
    ? { ...part, source: { ...part.source, text } }
    : { ...part, text };

function bodyWith(chat: ChatRequest, made: readonly (string | null | undefined)[]): Pick<CheckResult, "body"> {
  let at = 0;
  let changed = false;
  const remade = <One extends Part>(part: One): One => {
    if (part.type === "tool-result") return { ...part, content: part.content.map(remade) };
    const own = textIn(part);
    if (own === undefined || own === "") return part;
    const text = made[at++] ?? own;
    changed ||= text !== own;
    return withText(part, text);
  };
  const messages = chat.messages.map(
    (message) => ({ ...message, content: (message.content as readonly Part[]).map(remade) }) as Message,
  );
  return changed ? { body: { ...chat, messages } } : {};
}
