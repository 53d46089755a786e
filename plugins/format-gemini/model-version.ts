/**
 * `gemini-2.5-pro` as 205, `gemini-3-pro-preview` as 300; undefined for names without a version (`gemini-flash-latest`,
 * tuned models), which are taken for new ones.
 */
function generationOf(model: string): number | undefined {
  const match = /gemini-(\d{1,2})(?:\.(\d))?(?!\d)/i.exec(model);
  return match ? Number(match[1]) * 100 + Number(match[2] ?? 0) : undefined;
}

/** What models differ in, as far as requests have to be written differently. */
export interface Abilities {
  /** Thinking is set by a level, by a budget of tokens, or not at all. */
  readonly thinking: "level" | "budget" | "none";
  /** Instructions have a field of their own. */
  readonly instructions: boolean;
  /** JSON Schema is taken as it is; older models take the vendor's own subset. */
  readonly jsonSchema: boolean;
  /** Function responses hold images and documents. */
  readonly shownResults: boolean;
  /** The role function responses are sent under. */
  readonly resultRole: "function" | "user";
  /** A call in the history is refused without the signature of the model that made it. */
  readonly signedCalls: boolean;
}

export function abilitiesOf(model: string): Abilities {
  const generation = generationOf(model);
  const third = generation !== undefined && generation >= 300;
  const old = generation !== undefined && generation < 205 && !/thinking/i.test(model);
  return {
    thinking: third ? "level" : old ? "none" : "budget",
    instructions: !/gemini-(?:1\.0-pro|pro$|pro-vision$)/i.test(model),
    jsonSchema: third || generation === undefined,
    shownResults: third,
    resultRole: third ? "user" : "function",
    signedCalls: third,
  };
}
