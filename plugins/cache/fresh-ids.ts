import type { Answer, Extra } from "../../core/index.ts";

interface Item extends Extra {
  readonly item?: Readonly<Record<string, unknown>>;
}
interface Part {
  readonly extra?: Item;
}
interface Identified {
  readonly id?: string;
  readonly created?: number;
  readonly choices?: readonly { readonly content?: readonly Part[] }[];
}

/**
 * A kept answer less its ids and its time, so that the codec makes new ones. Clients of the Responses API refer back to
 * answers and items by their ids (inference-api.md 11.5); tool calls keep theirs, which their results name.
 */
export function withFreshIds(answer: Answer): Answer {
  const { id: _, created: __, ...response } = (answer.response ?? {}) as Identified;
  const choices = response.choices?.map((choice) => ({ ...choice, content: choice.content?.map(withoutItemId) }));
  return { ...answer, response: { ...response, ...(choices && { choices }) } as NonNullable<Answer["response"]> };
}

function withoutItemId(part: Part): Part {
  if (!part.extra?.item) return part;
  const { id: _, ...item } = part.extra.item;
  return { ...part, extra: { ...part.extra, item } };
}
