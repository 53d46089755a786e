import { list, objectOf, text, type Wire, wire } from "./speaker.ts";

/** How requests begin, in one way to write what APIs take as the same: caches of prompts go by it. */

const listsOf = ["messages", "input", "contents"] as const;

const thoughts: ReadonlySet<unknown> = new Set(["thinking", "redacted_thinking"]);

export function withoutThinking(sent: Wire): Wire {
  const messages = list(sent.messages).map(({ content, ...rest }) => {
    if (!Array.isArray(content)) return { ...rest, content };
    return { ...rest, content: list(content).filter((one) => !one.reasoningContent && !thoughts.has(one.type)) };
  });
  return { ...sent, messages: messages.filter(({ content }) => text(content) !== "" || list(content).length > 0) };
}

/** What changes with the turn of the conversation is whether there is thinking, and what goes with it. */
const changing = [
  "stream",
  "stream_options",
  "tool_choice",
  "thinking",
  "temperature",
  "max_tokens",
  "additionalModelRequestFields",
  "documents",
];

export function headAndTurns(sent: Wire): { head: string; turns: string[] } {
  const rest = Object.fromEntries(Object.entries(sent).filter(([name]) => !changing.includes(name)));
  const name = listsOf.find((one) => one in rest) ?? "messages";
  const head = JSON.stringify({ ...rest, [name]: undefined, inferenceConfig: undefined }, inOrder);
  const turns = list(rest[name]).map((turn): Wire => JSON.parse(JSON.stringify(turn, inOrder)));
  const said = turns.filter((turn) => Object.keys(turn).join() !== "role");
  return { head, turns: said.reduce<Wire[]>(asOne, []).map(resultsFirst).map(withWholeTexts) };
}

/** What the user says before results is said behind them once the request has to be written anew. */
function resultsFirst(turn: Wire): Wire {
  const name = "parts" in turn ? "parts" : "content";
  if (turn.role !== "user" || !Array.isArray(turn[name])) return turn;
  const isResult = (one: Wire) => Number(one.functionResponse !== undefined || one.toolResult !== undefined);
  return { ...turn, [name]: list(turn[name]).toSorted((left, right) => isResult(right) - isResult(left)) };
}

/** Turns of one role that follow each other are one to Gemini and to Claude. */
function asOne(turns: Wire[], next: Wire): Wire[] {
  const last = turns.at(-1);
  const name = "parts" in next ? "parts" : "content";
  const isPlain = (one: Wire | undefined) =>
    one !== undefined && Object.keys(one).join() === [name, "role"].sort().join();
  if (last === undefined || last.role !== next.role || !isPlain(last) || !isPlain(next)) return [...turns, next];
  return [...turns.slice(0, -1), { [name]: [...list(last[name]), ...list(next[name])], role: next.role }];
}

/** One way to write what APIs take as the same: fields in order, one text as a list of it, and what says nothing left out. */
function inOrder(name: string, value: unknown): unknown {
  if (typeof value === "string" && value !== "" && (name === "content" || name === "system"))
    return [{ text: value, type: "text" }];
  if (name === "type" && (value === "input_text" || value === "output_text")) return "text";
  if (name === "type" && value === "message") return undefined;
  // Arguments that are no object pass through until the request has to be written anew.
  if (name === "arguments" && typeof value === "string") return objectOf(value);
  if (value === null && (name === "refusal" || name === "content")) return undefined;
  if (name === "logprobs" || (name === "content" && value === "")) return undefined;
  if (name === "content" && Array.isArray(value) && value.some(isNothing)) {
    const left = value.filter((part) => !isNothing(part));
    return left.length > 0 ? left : undefined;
  }
  if (name === "thoughtSignature" && typeof value === "string" && !value.startsWith("PROOF")) return undefined;
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([left], [right]) => (left < right ? -1 : 1)));
}

/** Thinking of nothing may have a proof. What was cut off has none, and passes through until the request has to be written anew. */
const isNothing = (part: Wire): boolean =>
  ((part.text ?? part.thinking) === "" && Object.keys(part).length === 2) || part.signature === "" || isUnsigned(part);

function isUnsigned({ reasoningContent }: Wire): boolean {
  const { reasoningText } = wire(reasoningContent);
  return reasoningText !== undefined && wire(reasoningText).signature === undefined;
}

const withWholeTexts = (turn: Wire): string =>
  JSON.stringify(turn.role === "model" ? { ...turn, parts: list(turn.parts).reduce<unknown[]>(whole, []) } : turn);

/** Texts that follow each other are one, however many frames they came in; the last has the signature. */
function whole(parts: unknown[], next: unknown): unknown[] {
  const [last, part] = [wire(parts.at(-1)), wire(next)];
  const goesOn = Object.keys(last).join() === "text" && typeof part.text === "string" && !part.thought;
  return goesOn ? [...parts.slice(0, -1), { ...part, text: text(last.text) + part.text }] : [...parts, next];
}
