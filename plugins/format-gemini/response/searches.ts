import { type Fields, fieldsIn, isRecord, recordsIn } from "../../../core/index.ts";

/** Up to this generation an answer that searched is paid for once, however often it did; later ones pay for each search. */
const paidOnce = /^(?:.*\/)?gemini-[12](?:\D|$)/;

/** Counts the searches of an answer, over all of its frames: a query that is repeated is one, and one without words is none. */
export class SearchCounter {
  #queries: Set<string> | undefined;
  #model = "";
  #onMaps = false;

  /** Whether the answer is grounded on Google Maps, which is paid for and counted nowhere (ai.google.dev, "Grounding with Google Maps"). */
  get onMaps(): boolean {
    return this.#onMaps;
  }

  /** What is known by now; undefined where nothing was searched for. */
  take({ modelVersion, candidates }: Readonly<Fields>): number | undefined {
    if (typeof modelVersion === "string") this.#model = modelVersion;
    for (const { groundingMetadata } of recordsIn(candidates)) {
      if (groundingMetadata === undefined) continue;
      const grounding = fieldsIn(groundingMetadata);
      this.#queries ??= new Set();
      for (const query of queriesOf(grounding)) this.#queries.add(query);
      this.#onMaps ||= recordsIn(grounding.groundingChunks).some(({ maps }) => isRecord(maps));
    }
    if (!this.#queries?.size) return undefined;
    return paidOnce.test(this.#model) ? 1 : this.#queries.size;
  }
}

/** Those for pages, and those for images (@google/genai 2.32, `GroundingMetadata`). */
const queriesOf = ({ webSearchQueries, imageSearchQueries }: Readonly<Fields>): readonly string[] =>
  [...listIn(webSearchQueries), ...listIn(imageSearchQueries)].filter(
    (query): query is string => typeof query === "string" && query.trim() !== "",
  );

const listIn = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
