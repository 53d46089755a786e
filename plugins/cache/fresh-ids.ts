import { type Answer, type Extra, type Fields, isRecord } from "../../core/index.ts";

interface Item extends Extra {
  readonly item?: Readonly<Record<string, unknown>>;
}
interface Part {
  readonly extra?: Item;
}
interface Identified {
  readonly id?: string;
  readonly created?: number;
  readonly extra?: Extra;
  readonly choices?: readonly { readonly content?: readonly Part[]; readonly extra?: Extra }[];
}

/**
 * A kept answer less its ids and its time, so that the codec makes new ones. Clients of the Responses API refer back to
 * answers and items by their ids (inference-api.md 11.5); tool calls keep theirs, which their results name. Of the
 * conversation that it goes on from, there may be several alike: `previous` is the one that was asked about.
 */
export function withFreshIds(answer: Answer, previous: () => unknown = () => undefined): Answer {
  const { id: _, created: __, ...response } = (answer.response ?? {}) as Identified;
  const choices = response.choices?.map((choice) => ({
    ...goingOn(choice, previous),
    content: choice.content?.map(withoutItemId),
  }));
  const fresh = { ...goingOn(response, previous), ...(choices && { choices }) } as NonNullable<Answer["response"]>;
  // The vendor's own bytes have its ids in them.
  return { kind: "answer", status: answer.status, response: fresh };
}

function goingOn<Whole extends { readonly extra?: Extra }>(whole: Whole, previous: () => unknown): Whole {
  const fields: Readonly<Fields> = isRecord(whole.extra?.fields) ? whole.extra.fields : {};
  if (typeof fields.previous_response_id !== "string") return whole;
  return { ...whole, extra: { ...whole.extra, fields: { ...fields, previous_response_id: previous() ?? null } } };
}

function withoutItemId(part: Part): Part {
  if (!part.extra?.item) return part;
  const { id: _, ...item } = part.extra.item;
  return { ...part, extra: { ...part.extra, item } };
}
