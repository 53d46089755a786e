import {
  type CacheEntry,
  type Exchange,
  GatewayError,
  type PluginContext,
  Rest,
  type VectorService,
} from "../../core/index.ts";
import { late, within } from "./deadline.ts";
import { type Prompt, promptOf } from "./prompt.ts";
import { type Question, spaceFor } from "./question.ts";

export interface SemanticOptions {
  /** Slug of the provider that is asked for embeddings. */
  readonly provider: string;
  readonly model: string;
  readonly dimensions?: number | undefined;
  /** Cosine from which on two questions count as the same. */
  readonly threshold: number;
  /** Milliseconds an embedding may take. */
  readonly embeddingDeadline: number;
  /** Milliseconds the vectors may take to answer. */
  readonly deadline: number;
}

/** Of float32 vectors, those that are the same may come out a hair less than the same. */
const rounding = 1e-6;
/** Neighbours looked at for an answer: that of the nearest may be gone. */
export const neighbours = 3;

/** Where a question stands among those asked before; undefined where nobody could say. Never rejects. */
export type Standing = Promise<Place | undefined>;

interface Place {
  /** Of vectors of one length: a vendor that has put another model behind the name leaves none of before in the way. */
  readonly space: CacheEntry;
  readonly values: Float32Array;
}

/** Finds questions that mean the same. */
export class Semantic {
  readonly #vectors: VectorService;
  readonly #call: PluginContext["call"];
  readonly #options: SemanticOptions;
  /** Of a vendor that keeps silent, which every request would wait for. */
  readonly #rest = new Rest();

  constructor(vectors: VectorService, call: PluginContext["call"], options: SemanticOptions) {
    this.#vectors = vectors;
    this.#call = call;
    this.#options = options;
  }

  /** Where a question stands; undefined where only the same question will do. Its embedding is asked for at once. */
  standing(exchange: Exchange, question: Question): Standing | undefined {
    const prompt = this.#vectors.available ? promptOf(exchange.endpoint, question) : undefined;
    if (!prompt || this.#rest.on) return undefined;
    const { provider, model, dimensions } = this.#options;
    const { tenant, key } = spaceFor(question, prompt.rest, [provider, model, `${dimensions ?? ""}`]);
    return this.#embed(prompt, exchange).then(
      (values) => values && { space: { tenant, key: `${key}:${values.length}` }, values },
    );
  }

  /** Keys of the answers to so many questions that mean the same, best first; undefined where that cannot be told now. */
  async alike(standing: Standing, most: number): Promise<readonly string[] | undefined> {
    const place = await standing;
    if (!place) return undefined;
    const { threshold, deadline } = this.#options;
    const asked = this.#vectors.nearest(place.space, place.values, { least: threshold - rounding, most });
    const found = asked instanceof Promise ? await within(asked, deadline) : asked;
    return found === late || !this.#vectors.available ? undefined : found.map(({ id }) => id);
  }

  async remember(standing: Standing, key: string, ttlSeconds: number): Promise<void> {
    const place = await standing;
    if (place) await this.#vectors.add(place.space, { id: key, values: place.values }, ttlSeconds);
  }

  async forget(standing: Standing, key: string): Promise<void> {
    const place = await standing;
    if (place) await this.#vectors.delete(place.space, key);
  }

  /** Through the gateway itself, on behalf of who is asking. Never rejects. */
  async #embed({ text }: Prompt, exchange: Exchange): Promise<Float32Array | undefined> {
    const { provider, model, dimensions, embeddingDeadline } = this.#options;
    const body = { model, input: [text], single: true, ...(dimensions !== undefined && { dimensions }) };
    let refused = false;
    try {
      const asked = this.#call({ provider, operation: "embed", body, exchange, clocks: { total: embeddingDeadline } });
      const known = asked.catch((error: unknown) => {
        refused = !(error instanceof GatewayError && error.code === "request_timeout");
        throw error;
      });
      const answer = await within(known, embeddingDeadline);
      // An error that comes at once keeps nobody waiting, and may be about this one text.
      if (refused) this.#rest.unheard();
      else this.#rest.heard(answer !== late);
      return answer === late ? undefined : vectorOf(answer.response.data[0]?.vector, dimensions);
    } catch {
      // What goes wrong with calls of the gateway itself is in their own record.
      return undefined;
    }
  }
}

/** Numbers, or little-endian float32 as base64; undefined when there are not as many as were asked for. */
export function vectorOf(
  vector: readonly number[] | string | undefined,
  dimensions?: number,
): Float32Array | undefined {
  const values = typeof vector === "string" ? decoded(vector) : Float32Array.from(vector ?? []);
  return values.length > 0 && (dimensions === undefined || values.length === dimensions) ? values : undefined;
}

function decoded(base64: string): Float32Array {
  const bytes = Buffer.from(base64, "base64");
  return Float32Array.from({ length: Math.floor(bytes.length / 4) }, (_, at) => bytes.readFloatLE(at * 4));
}
