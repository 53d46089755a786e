import { isRecord } from "../../core/provider-kit/index.ts";
import { modelOf } from "./models.ts";

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

/** Calls without ids: results stand in the order of their calls. */
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

/**
 * Gemini's own API knows calls by ids. This host has them from Gemini 3 on, since September 2026 (discovery of aiplatform,
 * revision 20260921; anomalyco/opencode pull request 50504). Models before it are not told any.
 */
export const takesNoIds = (model: string): boolean => {
  const { publisher, name } = modelOf(model);
  return publisher === "google" && /^gemini-[12](?!\d)/.test(name);
};
