import { type Fields, isRecord } from "../../core/index.ts";

/** A response that is kept, and what it stands on. */
export interface Kept {
  readonly id: string;
  readonly tenant: string;
  /** As its client got it. */
  readonly response: Fields;
  /** What the model was given, as it was written: what was said before, too. */
  readonly items: readonly Fields[];
  readonly expiresAt: number;
  /** The ids of the items, once they were listed. */
  ids?: readonly unknown[];
}

/** What is kept, told in the simplest way there is. */
export class Model {
  readonly #kept = new Map<string, Kept>();
  /** Every id any client ever saw. */
  readonly seen: string[] = [];

  keep(kept: Kept): void {
    this.#kept.set(kept.id, kept);
  }

  /** What a tenant may see now. */
  find(tenant: string, id: string | undefined): Kept | undefined {
    const kept = this.#kept.get(id ?? "");
    return kept?.tenant === tenant && kept.expiresAt > Date.now() ? kept : undefined;
  }

  remove(id: string): void {
    this.#kept.delete(id);
  }

  /** Of a tenant, the oldest first. */
  of(tenant: string): Kept[] {
    return [...this.#kept.values()].filter(({ id }) => this.find(tenant, id));
  }

  /** Items that were given to a tenant, by id. */
  item(tenant: string, id: unknown): Fields | undefined {
    return this.of(tenant)
      .flatMap(outputOf)
      .find((item) => item.id === id);
  }
}

export const outputOf = ({ response }: Pick<Kept, "response">): Fields[] => (response.output as Fields[]) ?? [];

/** All that was said up to and with a response. */
export const chainOf = (kept: Kept): Fields[] => [...kept.items, ...outputOf(kept)];

/** The calls that nobody has given the result of. */
export function openCalls(items: readonly Fields[]): Fields[] {
  const given = new Set(items.filter(({ type }) => type === "function_call_output").map(({ call_id }) => call_id));
  return items.filter(({ type, call_id }) => type === "function_call" && !given.has(call_id));
}

const withStatus = ["message", "function_call", "function_call_output"];

/** An item as it is listed, less its id where its client gave it none. */
export function listed(item: Fields): Fields {
  const { type = "message", content } = item;
  const kind = item.role === "assistant" ? "output_text" : "input_text";
  const text = kind === "output_text" ? { annotations: [] } : {};
  return {
    type,
    ...(withStatus.includes(String(type)) && { status: "completed" }),
    ...item,
    ...(content !== undefined && {
      content: typeof content === "string" ? [{ type: kind, text: content, ...text }] : content,
    }),
  };
}

/** What a vendor of chats is sent of items. */
export function chatOf(items: readonly Fields[], instructions: string | undefined): Fields[] {
  const turns: Fields[][] = [];
  const isTurn = (turn: readonly Fields[] | undefined) => turn?.[0]?.role === "assistant";
  for (const item of items) {
    const last = turns.at(-1);
    if (item.type === "function_call_output") {
      const result = { role: "tool", tool_call_id: item.call_id, content: item.output };
      const calling = turns.findLastIndex((turn) => turn.some(({ call_id }) => call_id === item.call_id));
      turns[calling]?.push(result);
    } else if (item.type === "function_call" || item.type === "reasoning" || item.role === "assistant") {
      const said = { ...item, role: "assistant" };
      if (last && isTurn(last) && last.every(({ role }) => role === "assistant")) last.push(said);
      else turns.push([said]);
    } else if (item.type !== "item_reference") turns.push([item]);
  }
  const said = turns.flatMap((turn) => {
    const own = turn.filter(({ role }) => role === "assistant");
    return own.length === 0 ? turn.map(plain) : [turnOf(own), ...turn.filter(({ role }) => role === "tool")];
  });
  return instructions === undefined ? said : [{ role: "system", content: instructions }, ...said];
}

const plain = ({ role, content }: Fields): Fields => ({ role, content: textOf(content) });

function turnOf(items: readonly Fields[]): Fields {
  const of = (kind: string) => items.filter(({ type = "message" }) => type === kind);
  const texts = of("message").map(({ content }) => textOf(content));
  const tool_calls = of("function_call").map(({ call_id, name, arguments: text }) => ({
    id: call_id,
    type: "function",
    function: { name, arguments: text },
  }));
  const thought = of("reasoning")
    .map(({ summary }) => textOf(summary))
    .join("");
  return {
    role: "assistant",
    content:
      texts.length > 1
        ? texts.map((text) => ({ type: "text", text }))
        : (texts[0] ?? (tool_calls.length > 0 ? null : "")),
    ...(thought !== "" && { reasoning_content: thought }),
    ...(tool_calls.length > 0 && { tool_calls }),
  };
}

const textOf = (content: unknown): unknown =>
  Array.isArray(content) ? content.map((part) => (isRecord(part) ? part.text : "")).join("") : content;
