import { type Fields, isRecord } from "../../../core/index.ts";

/** Up to this generation an answer that searched is paid for once, however often it did; later ones pay for each search. */
const paidOnce = /^(?:.*\/)?gemini-[12](?:\D|$)/;

/** Counts the searches of an answer, over all of its frames: a query that is repeated is one, and one without words is none. */
export class SearchCounter {
  readonly #queries = new Set<string>();
  #paidOnce = false;

  /** What is known by now; undefined where nothing was searched for. */
  take({ modelVersion, candidates }: Readonly<Fields>): number | undefined {
    if (typeof modelVersion === "string") this.#paidOnce = paidOnce.test(modelVersion);
    for (const candidate of Array.isArray(candidates) ? candidates : [])
      for (const query of queriesOf(candidate)) this.#queries.add(query);
    if (this.#queries.size === 0) return undefined;
    return this.#paidOnce ? 1 : this.#queries.size;
  }
}

function queriesOf(candidate: unknown): readonly string[] {
  const grounding = isRecord(candidate) ? candidate.groundingMetadata : undefined;
  const queries = isRecord(grounding) ? grounding.webSearchQueries : undefined;
  return (Array.isArray(queries) ? queries : []).filter((query) => typeof query === "string" && query.trim() !== "");
}
