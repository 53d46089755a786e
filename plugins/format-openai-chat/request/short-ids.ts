import { type AssistantPart, type Message, shortId, type ToolResultPart } from "../../../core/index.ts";

/** The longest id of a call that the vendor of this format takes; others who speak it give longer ones themselves. */
const longest = 40;

/** A conversation as the vendor of this format takes it: what others called longer is called shorter, call and result alike. */
export const withShortIds = (messages: readonly Message[]): readonly Message[] =>
  messages.some(hasLongId) ? messages.map(shortened) : messages;

const hasLongId = ({ content }: Message): boolean =>
  content.some((part) => ("toolCallId" in part ? part.toolCallId : "id" in part ? part.id : "").length > longest);

function shortened(message: Message): Message {
  switch (message.role) {
    case "assistant":
      return { ...message, content: message.content.map(shortCall) };
    case "tool":
      return { ...message, content: message.content.map(shortResult) };
    default:
      return message;
  }
}

const shortCall = (part: AssistantPart): AssistantPart =>
  part.type === "tool-call" ? { ...part, id: shortId(part.id, longest) } : part;

const shortResult = (part: ToolResultPart): ToolResultPart => ({
  ...part,
  toolCallId: shortId(part.toolCallId, longest),
});
