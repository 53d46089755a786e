import { type AssistantMessage, type AssistantPart, isSignedElsewhere, type Message } from "../../../core/index.ts";
import { formatName } from "../fields.ts";

/**
 * The SDKs of this format put every frame of a stream into the history as a content of its own. What a model said in one go is
 * one turn to the others: they want the results of all its calls right behind it, and no text of line ends alone.
 */
export function joinTurns(messages: readonly Message[]): Message[] {
  const turns: Message[] = [];
  /** What the turn that may go on holds. */
  let open: AssistantPart[] | undefined;
  for (const message of messages) {
    if (message.role !== "assistant" || message.extra) {
      turns.push(message);
      open = undefined;
    } else if (open) addTo(open, message);
    else {
      open = [...message.content];
      turns.push({ ...message, content: open });
    }
  }
  return turns.map((turn) => (turn.role === "assistant" ? withWholeThoughts(turn) : turn));
}

function addTo(content: AssistantPart[], { content: more }: AssistantMessage): void {
  const last = content.at(-1);
  const [first, ...rest] = more;
  if (last?.type === "text" && first?.type === "text" && !last.extra && !first.extra)
    content.splice(-1, 1, { ...last, text: last.text + first.text }, ...rest);
  else content.push(...more);
}

/** Of a thought that came in pieces the last has the proof, which its vendor wants beside all of it. */
function withWholeThoughts(turn: AssistantMessage): AssistantMessage {
  if (!turn.content.some(isProvenElsewhere)) return turn;
  const content: AssistantPart[] = [];
  for (const part of turn.content) {
    let text = "";
    if (isProvenElsewhere(part))
      for (let last = content.at(-1); isPiece(last); last = content.at(-1)) {
        text = last.text + text;
        content.pop();
      }
    content.push(text === "" || part.type !== "thinking" ? part : { ...part, text: text + part.text });
  }
  return { ...turn, content };
}

const isProvenElsewhere = (part: AssistantPart): boolean =>
  part.type === "thinking" && part.signature !== undefined && isSignedElsewhere(part, formatName);

const isPiece = (part: AssistantPart | undefined): part is Extract<AssistantPart, { type: "thinking" }> =>
  part?.type === "thinking" && part.signature === undefined && part.extra === undefined;
