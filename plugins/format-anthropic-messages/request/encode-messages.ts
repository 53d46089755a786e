import {
  type Extra,
  type Fields,
  isInstruction,
  type Message,
  refuseSilence,
  type SystemMessage,
  withoutLastThoughts,
} from "../../../core/index.ts";
import { encodeAssistant, encodeContent, encodeToolResult, shortened } from "../blocks/encode-block.ts";
import { formatName, type Report, reportOthers, restore } from "../fields.ts";

/** A wire message while it is being put together: tool results and what the user says next share one turn. */
interface Turn {
  readonly role: "user" | "assistant" | "system";
  readonly content: Fields[];
  readonly extras: (Extra | undefined)[];
  /** Holds tool results only, so that more may join. */
  results?: boolean;
}

export interface EncodedMessages {
  /** Blocks of the top-level `system` field. */
  readonly system: readonly Fields[];
  readonly messages: readonly Fields[];
}

/** How messages are taken. */
export interface Taking {
  /** A message of the model may not end with thinking. */
  readonly endsSpoken?: boolean;
  /** Instructions of other formats stay between the messages; else they all stand in front. */
  readonly instructsWithin?: boolean;
}

export function encodeMessages(messages: readonly Message[], report: Report, taking: Taking = {}): EncodedMessages {
  const { endsSpoken = false, instructsWithin = false } = taking;
  const system: Fields[] = [];
  const turns: Turn[] = [];
  const said = new Set<number>();
  /** What stands between messages of the user and has no place there. */
  let waiting: Fields[] = [];
  for (const [at, message] of messages.entries()) {
    reportOthers(message.extra, "messages.", report);
    if ("name" in message && message.name !== undefined) report("messages.name");
    if (isInstruction(message)) {
      const blocks = encodeContent(message.content, report);
      if (message.extra?.format === formatName)
        turns.push({ role: "system", content: blocks, extras: [message.extra] });
      else if (instructsWithin && said.size > 0) waiting.push(...blocks);
      else system.push(...blocks);
    } else {
      const before = turns.length;
      if (addTurn(turns, message, report, endsSpoken) === 0) continue;
      said.add(at);
      if (message.role !== "assistant" || waiting.length === 0) continue;
      turns.splice(before, 0, instructing(turns, before, waiting));
      waiting = [];
    }
  }
  if (waiting.length > 0) turns.push(instructing(turns, turns.length, waiting));
  refuseSilence(messages, said);
  // Silence is left out, as the API wants it: turns of one role may follow each other.
  return { system, messages: turns.filter(saysSomething).map(encodeTurn) };
}

/**
 * Instructions between messages, where the API takes them: behind what the user says, once, and before the answer. So a conversation
 * begins as it did before. Where the user said nothing, the user says them.
 */
function instructing(turns: readonly Turn[], place: number, content: Fields[]): Turn {
  let last = place - 1;
  for (let turn = turns[last]; turn && !saysSomething(turn); turn = turns[last]) last--;
  return { role: turns[last]?.role === "user" ? "system" : "user", content, extras: [] };
}

/** Instructions may be about the answer only. */
const saysSomething = ({ role, content, extras }: Turn): boolean =>
  content.length > 0 || (role === "system" && extras.some((extra) => Object.keys(extra?.fields ?? {}).length > 0));

/** How many blocks the message became. */
function addTurn(turns: Turn[], message: Exclude<Message, SystemMessage>, report: Report, endsSpoken: boolean): number {
  const last = turns.at(-1);
  const open = last?.results ? last : undefined;
  const { extra } = message;
  switch (message.role) {
    case "assistant": {
      const said = encodeAssistant(message.content, report);
      const content = endsSpoken ? withoutLastThoughts(said, isThought, report) : said;
      if (content.length > 0) turns.push({ role: "assistant", content, extras: [extra] });
      return content.length;
    }
    case "tool": {
      const content = message.content.map((part) => encodeToolResult(part, report));
      if (open) join(open, content, extra, true);
      else turns.push({ role: "user", content, extras: [extra], results: true });
      return content.length;
    }
    case "user": {
      const content = encodeContent(message.content, report);
      // Where nothing is said, what is said next still goes with the results.
      const isSilent = content.length === 0 && message.content.length > 0;
      if (open) join(open, content, extra, isSilent);
      else turns.push({ role: "user", content, extras: [extra] });
      return content.length;
    }
  }
}

const isThought = ({ type }: Fields): boolean => type === "thinking" || type === "redacted_thinking";

function join(turn: Turn, content: readonly Fields[], extra: Extra | undefined, results: boolean): void {
  for (const block of content) turn.content.push(block);
  turn.extras.push(extra);
  turn.results = results;
}

const encodeTurn = ({ role, content, extras }: Turn): Fields =>
  extras.reduce<Fields>((wire, extra) => restore(wire, extra), {
    role,
    ...(content.length > 0 && { content: role === "user" ? shortened(content) : content }),
  });
