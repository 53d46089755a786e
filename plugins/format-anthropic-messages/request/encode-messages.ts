import {
  type ContentPart,
  type Extra,
  type Fields,
  type Message,
  refuse,
  type SystemMessage,
  type UserMessage,
} from "../../../core/index.ts";
import { encodeAssistant, encodeContent, encodeText, encodeToolResult, shortened } from "../blocks/encode-block.ts";
import { formatName, listOf, type Report, reportForeign, restore } from "../fields.ts";

/** A wire message while it is being put together: tool results and what the user says next share one turn. */
interface Turn {
  readonly role: "user" | "assistant" | "system";
  readonly content: Fields[];
  readonly extras: (Extra | undefined)[];
  /** Holds tool results only, so that more may join. */
  readonly results?: boolean;
}

export interface EncodedMessages {
  /** Blocks of the top-level `system` field. */
  readonly system: readonly Fields[];
  readonly messages: readonly Fields[];
}

export function encodeMessages(messages: readonly Message[], report: Report): EncodedMessages {
  refuseSilence(messages);
  const system: Fields[] = [];
  const turns: Turn[] = [];
  for (const message of messages) {
    reportForeign(message.extra, "messages.", report);
    if ("name" in message && message.name !== undefined) report("messages.name");
    if (isInstruction(message)) {
      const blocks = message.content.flatMap((part) => {
        reportForeign(part.extra, "messages.", report);
        return listOf(encodeText(part, report));
      });
      if (message.extra?.format === formatName)
        turns.push({ role: "system", content: blocks, extras: [message.extra] });
      else system.push(...blocks);
    } else addTurn(turns, message, report);
  }
  return { system, messages: turns.filter(isSaid).map(encodeTurn) };
}

/**
 * Silence is left out, as the API wants it: turns of one role may follow each other. The user's last turn stays one where
 * the model's would be the last otherwise, even if nothing of it is left: it was not asked to go on with its own.
 */
const isSaid = ({ role, content }: Turn, at: number, turns: readonly Turn[]): boolean =>
  content.length > 0 ||
  (role === "user" && at === turns.length - 1 && turns.findLast((turn) => turn.content.length > 0)?.role !== "user");

/** The API takes no empty message: where all that is to be answered is empty, the client is told which. */
function refuseSilence(messages: readonly Message[]): void {
  const before = messages.findLastIndex(({ role }) => role === "assistant" || role === "tool");
  const asked = messages.slice(before + 1).filter((message) => message.role === "user");
  if (asked.length === 0 || messages[before]?.role === "tool" || !asked.every(({ content }) => content.every(isBlank)))
    return;
  const at = messages.lastIndexOf(asked[asked.length - 1] as Message);
  refuse(`messages[${at}].content`, "text that is not blank, or media, for this vendor", textOf(asked.at(-1)));
}

const isBlank = (part: ContentPart): boolean => part.type === "text" && part.text.trim() === "";

const textOf = ({ content = [] }: Partial<UserMessage> = {}): string =>
  content.map((part) => (part.type === "text" ? part.text : "")).join("");

const isInstruction = (message: Message): message is SystemMessage =>
  message.role === "system" || message.role === "developer";

function addTurn(turns: Turn[], message: Exclude<Message, SystemMessage>, report: Report): void {
  const last = turns.at(-1);
  const open = last?.results ? last : undefined;
  const { extra } = message;
  switch (message.role) {
    case "assistant":
      turns.push({
        role: "assistant",
        content: encodeAssistant(message.content, report),
        extras: [extra],
      });
      break;
    case "tool": {
      const content = message.content.map((part) => encodeToolResult(part, report));
      if (open) turns[turns.length - 1] = joined(open, content, extra, true);
      else turns.push({ role: "user", content, extras: [extra], results: true });
      break;
    }
    case "user": {
      const content = encodeContent(message.content, report);
      if (open) turns[turns.length - 1] = joined(open, content, extra, false);
      else turns.push({ role: "user", content, extras: [extra] });
    }
  }
}

const joined = (turn: Turn, content: readonly Fields[], extra: Extra | undefined, results: boolean): Turn => ({
  role: turn.role,
  content: [...turn.content, ...content],
  extras: [...turn.extras, extra],
  ...(results && { results }),
});

const encodeTurn = ({ role, content, extras }: Turn): Fields =>
  extras.reduce<Fields>((wire, extra) => restore(wire, extra), {
    role,
    content: role === "user" ? shortened(content) : content,
  });
