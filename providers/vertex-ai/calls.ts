import { isRecord } from "../../core/provider-kit/index.ts";

type Wire = Readonly<Record<string, unknown>>;

/** Calls and their results, in both spellings the API takes. */
const calls = ["functionCall", "functionResponse", "function_call", "function_response"] as const;

/** Lists the API also takes as the one object in them. */
const each = (value: unknown, change: (one: Wire) => Wire): unknown => {
  if (Array.isArray(value)) return value.map((one: unknown) => each(one, change));
  return isRecord(value) ? change(value) : value;
};

function partWithoutId(part: Wire): Wire {
  const plain: Record<string, unknown> = { ...part };
  for (const name of calls) {
    const call = plain[name];
    if (!isRecord(call)) continue;
    const { id: _, ...rest } = call;
    plain[name] = rest;
  }
  return plain;
}

/** Gemini's own API knows calls by ids, this host refuses those: here results stand in the order of their calls. */
export const namelessCalls = {
  when: calls.map((name) => `"${name}"`),
  apply: (wire: Wire): Record<string, unknown> =>
    wire.contents === undefined
      ? { ...wire }
      : {
          ...wire,
          contents: each(wire.contents, (content) =>
            content.parts === undefined ? content : { ...content, parts: each(content.parts, partWithoutId) },
          ),
        },
};
