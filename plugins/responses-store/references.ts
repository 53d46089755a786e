import {
  type AssistantPart,
  type ChatRequest,
  type Fields,
  type Format,
  type GatewayRequest,
  inTurns,
  isRecord,
  type Message,
  withBody,
} from "../../core/index.ts";
import { formatName, type KeptResponse } from "./kept-response.ts";
import { itemId } from "./own-ids.ts";

/** Items of what was kept, by their ids. */
type Items = ReadonlyMap<string, Readonly<Fields>>;

/** Finds a response that is kept here. */
type Find = (id: string) => Promise<{ readonly document: KeptResponse } | undefined>;

/** What stands in a conversation in place of an item that was given before (`item_reference`). */
const referenceOf = (part: { readonly type: string }): string | undefined => {
  const { format, value } = part as { readonly format?: unknown; readonly value?: unknown };
  if (part.type !== "opaque" || format !== formatName) return undefined;
  return idIn(value);
};

const idIn = (item: unknown): string | undefined =>
  isRecord(item) && item.type === "item_reference" && typeof item.id === "string" ? item.id : undefined;

/** Whether an input refers to items that the gateway has made. */
export const refersToOwn = (input: unknown): boolean =>
  Array.isArray(input) && input.some((item: unknown) => itemId.test(idIn(item) ?? ""));

/** A request, and the same as its client wrote it. */
interface Asked {
  readonly request: GatewayRequest<"chat">;
  readonly asked: Readonly<Fields>;
}

/**
 * A request with the items it refers to (`item_reference`), as far as they are kept here; undefined where it refers to none.
 * Clients that rely on the memory of the API send back ids in place of what the model has said.
 */
export function resolved(
  request: GatewayRequest<"chat">,
  asked: Readonly<Fields>,
  format: Format | undefined,
  find: Find,
): Promise<Asked> | undefined {
  const { body } = request;
  const named = referencesIn(body.messages);
  if (named.length === 0 || !format) return undefined;
  return itemsNamed(named, find).then((items) => {
    if (items.size === 0) return { request, asked };
    const messages = withItems(body.messages, items, format);
    return {
      request: withBody(request, { ...body, messages }),
      asked: { ...asked, input: inputWith(asked.input, items) },
    };
  });
}

/** A conversation less the references to what is not known: nobody was told anything by them, and nobody will be. */
export const withoutReferences = (messages: readonly Message[]): readonly Message[] =>
  messages.flatMap((message): readonly Message[] => {
    if (message.role !== "assistant") return [message];
    const content = message.content.filter((part) => referenceOf(part) === undefined);
    return content.length > 0 ? [{ ...message, content }] : [];
  });

/** The ids of items that a conversation refers to. */
function referencesIn(messages: readonly Message[]): string[] {
  const ids: string[] = [];
  for (const { role, content } of messages) {
    if (role !== "assistant") continue;
    for (const part of content) {
      const id = referenceOf(part);
      if (id !== undefined) ids.push(id);
    }
  }
  return ids;
}

/** Looks for items in the responses that are kept. What is not kept is not in the answer. */
async function itemsNamed(ids: readonly string[], find: Find): Promise<Items> {
  const items = new Map<string, Readonly<Fields>>();
  for (const response of new Set(ids.map((id) => itemId.exec(id)?.[1]))) {
    const kept = response === undefined ? undefined : await find(`resp_${response}`);
    const output = kept?.document.response.output;
    for (const item of Array.isArray(output) ? (output as unknown[]) : [])
      if (isRecord(item) && typeof item.id === "string" && ids.includes(item.id)) items.set(item.id, item);
  }
  return items;
}

/** A conversation with the items it refers to. What is not known stays a reference. */
function withItems(messages: ChatRequest["messages"], items: Items, format: Format): ChatRequest["messages"] {
  const known = messages.map((message) =>
    message.role === "assistant"
      ? { ...message, content: message.content.flatMap((part) => partsFor(part, items, format)) }
      : message,
  );
  // Calls that were only referred to have their results behind them as well.
  return inTurns([], known);
}

function partsFor(part: AssistantPart, items: Items, format: Format): readonly AssistantPart[] {
  const item = items.get(referenceOf(part) ?? "");
  if (!item) return [part];
  const { messages } = format.decodeRequest({ input: [item] }) as ChatRequest;
  return messages.flatMap((message) => (message.role === "assistant" ? message.content : []));
}

/** The same of the items of a request, as they are kept. */
const inputWith = (input: unknown, items: Items): unknown =>
  Array.isArray(input) ? input.map((item: unknown) => items.get(idIn(item) ?? "") ?? item) : input;
