import type { AssistantMessage, Message } from "../../model/chat.ts";
import type { AssistantPart, ContentPart, ToolResultPart } from "../../model/content.ts";
import { isSignedFor } from "./signatures.ts";
import { isInstruction } from "./silence.ts";

/**
 * What a Claude says is one turn until the user speaks: calls and their results do not end it. A turn thinks or does not, from its
 * first block on; which of both, the vendor tells by the messages of the last turn, and refuses requests that say something else.
 */
interface OpenTurn {
  /** Where the turn begins among the messages; their number where no answer has begun. */
  readonly from: number;
  /** Messages that have to begin with thinking, where the turn thinks. */
  readonly beginnings: readonly AssistantMessage[];
  /** The answer is begun by the client. */
  readonly isPrefilled: boolean;
}

function openTurn(messages: readonly Message[]): OpenTurn {
  const beginnings: AssistantMessage[] = [];
  let from = messages.length;
  let next: AssistantMessage | undefined;
  let last: Message["role"] | undefined;
  for (let at = messages.length - 1; at >= 0; at--) {
    const message = messages[at];
    if (!message || isInstruction(message)) continue;
    if (message.role === "assistant" && !message.content.some(isSaid)) continue;
    if (message.role === "user") {
      // Words beside results are of the same message: whether they end the turn, vendors do not say.
      if (next) beginnings.push(next);
      next = undefined;
      if (!isBesideResults(messages, at)) break;
    } else {
      from = at;
      if (message.role === "assistant") next = message;
    }
    last ??= message.role;
  }
  if (next) beginnings.push(next);
  return { from, beginnings, isPrefilled: last === "assistant" };
}

/** Whether the user says it together with results: whatever stands between them is no answer. */
const isBesideResults = (messages: readonly Message[], at: number): boolean =>
  messages
    .slice(0, at)
    .findLast(({ role, content }) => role === "tool" || (role === "assistant" && content.some(isSaid)))?.role ===
  "tool";

/** Whether there is something to an answer, whoever gave it: of others nothing may be left. */
const isSaid = ({ type, ...part }: AssistantPart | ContentPart | ToolResultPart): boolean =>
  type === "tool-call" || type === "refusal" || (type === "text" && "text" in part && part.text.trim() !== "");

/**
 * Whether thinking may be switched on: what is begun must have begun with thinking that `signer` vouches for, and an answer that
 * the client begins has none.
 */
export function mayStartThinking(messages: readonly Message[], signer: string): boolean {
  const { beginnings, isPrefilled } = openTurn(messages);
  return !isPrefilled && beginnings.every(({ content }) => isThinking(content.find((part) => isSent(part, signer))));
}

const isThinking = (part: AssistantPart | undefined): boolean =>
  part?.type === "thinking" || part?.type === "redacted-thinking";

const isSent = (part: AssistantPart, signer: string): boolean => part.type !== "thinking" || isSignedFor(part, signer);

/** A conversation for a request that does not think: thinking in the turn that goes on would be refused. */
export function withoutOpenThinking(messages: readonly Message[], report: (dropped: string) => void): Message[] {
  const { from } = openTurn(messages);
  return messages.map((message, at) => {
    if (at < from || message.role !== "assistant" || !message.content.some(isThinking)) return message;
    report("messages.thinking");
    return { ...message, content: message.content.filter((part) => !isThinking(part)) };
  });
}

/**
 * The blocks of a message without thinking at its end, which vendors refuse there: the model was cut off before it said anything
 * more, or what it said is nothing here.
 */
export function withoutLastThoughts<Block>(
  blocks: readonly Block[],
  isThought: (block: Block) => boolean,
  report: (dropped: string) => void,
): Block[] {
  const last = blocks.findLastIndex((block) => !isThought(block));
  if (last < blocks.length - 1) report("messages.thinking");
  return blocks.slice(0, last + 1);
}
