import { createHash } from "node:crypto";

/** The tokens of the simulator, with the space after them: words, and long words in pieces of 16 characters. */
export const piecesOf = (text: string): string[] => text.match(/\S{1,16}\s*|\s+/gu) ?? [];

export const countTokens = (text: string): number => text.match(/\S{1,16}/gu)?.length ?? 0;

/** The same texts always have the same digest: where others would use chance, the simulator uses this. */
export function digestOf(...texts: readonly (string | Buffer)[]): string {
  const hash = createHash("sha256");
  for (const text of texts) hash.update(text).update("\0");
  return hash.digest("hex");
}

export const shortened = (text: string): string => text.trim().slice(0, 200);

/** When every answer was made, in Unix seconds: 1 January 2026. */
export const created = 1_767_225_600;

export interface Limits {
  readonly maxTokens: number | undefined;
  readonly stop: readonly string[];
}

export interface Limited {
  readonly text: string;
  readonly finish: "stop" | "length";
  /** The sequence the text was cut before. */
  readonly stopSequence?: string;
}

/** A text as far as a model would have written it. */
export function limited(text: string, { maxTokens, stop }: Limits): Limited {
  const found = stop
    .map((sequence) => ({ sequence, at: text.indexOf(sequence) }))
    .filter(({ at }) => at >= 0)
    .sort((left, right) => left.at - right.at)[0];
  const said = found ? text.slice(0, found.at) : text;
  if (maxTokens !== undefined && countTokens(said) > maxTokens)
    return { text: piecesOf(said).slice(0, maxTokens).join("").trimEnd(), finish: "length" };
  return { text: said, finish: "stop", ...(found && { stopSequence: found.sequence }) };
}
