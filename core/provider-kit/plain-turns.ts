type Wire = Readonly<Record<string, unknown>>;
type Report = (dropped: string) => void;

/** A conversation of nothing but texts. */
export interface PlainTurns {
  /** Instructions, a line for each message of them; undefined where there are none. */
  readonly system: string | undefined;
  readonly turns: readonly { readonly role: unknown; readonly text: string }[];
}

/** The messages of an `openai-chat` request for vendors that take texts only; parts of other types are reported. */
export function plainTurns(messages: unknown, report?: Report): PlainTurns {
  const said = (Array.isArray(messages) ? messages : []) as Wire[];
  const system = said.filter(({ role }) => role === "system" || role === "developer");
  const turns = said.filter((message) => !system.includes(message));
  return {
    system: system.length > 0 ? system.map(({ content }) => textOf(content, report)).join("\n") : undefined,
    turns: turns.map(({ role, content }) => ({ role, text: textOf(content, report) })),
  };
}

function textOf(content: unknown, report?: Report): string {
  const parts: unknown[] = Array.isArray(content) ? content : [{ text: content }];
  return parts.map((part) => textIn(part as Wire | null, report)).join("");
}

function textIn(part: Wire | null, report?: Report): string {
  if (typeof part?.text === "string") return part.text;
  if (typeof part?.type === "string") report?.(`messages.${part.type}`);
  return "";
}
