import {
  type Draft,
  type Fields,
  type FinishChunk,
  isRecord,
  leftovers,
  parseFrame,
  raise,
  type StartChunk,
  type StreamChunk,
  type StreamDecoder,
  type WireEvent,
  withMembers,
} from "../../../core/index.ts";
import { decodeError } from "../errors.ts";
import { camelled, extraOf } from "../fields.ts";
import { decodeFinishReason, isCutOff } from "../response/finish-reason.ts";
import { decodeLogprobs } from "../response/logprobs.ts";
import { SearchCounter } from "../response/searches.ts";
import { usageLeftovers, usageOf } from "../response/usage.ts";
import { PartReader } from "./part-reader.ts";

/** A candidate, as far as it has come. */
interface Candidate {
  readonly reader: PartReader;
  reason?: string;
  /** What the vendor says of it besides its content: grounding, ratings, citations. */
  rest: Fields;
}

const headFields = new Set(["candidates", "usageMetadata", "responseId", "modelVersion", "error"]);
const candidateFields = new Set(["content", "finishReason", "index", "logprobsResult", "finishMessage"]);

export const decodeStream = (): StreamDecoder => new GenerationDecoder();

/**
 * Every frame is a small answer: (candidates with parts)* → one with a finish reason. There is no terminator, and some
 * models name a reason in every frame, so that an answer is finished where its stream is.
 */
export class GenerationDecoder implements StreamDecoder {
  readonly #candidates = new Map<number, Candidate>();
  readonly #searches = new SearchCounter();
  #id = "";
  #usage: unknown;
  /** Why the vendor refused the prompt. */
  #blocked: string | undefined;
  #started = false;
  #failed = false;

  push({ data }: WireEvent): readonly StreamChunk[] {
    if (this.#failed || data.trim() === "[DONE]") return [];
    // Errors inside a stream may come as a list of one.
    const bare = data.trim();
    return this.take(parseFrame(bare.startsWith("[{") && bare.endsWith("]") ? bare.slice(1, -1) : data));
  }

  /** The chunks of one frame. */
  take(wire: Readonly<Fields>): readonly StreamChunk[] {
    const chunks: StreamChunk[] = [];
    if (isRecord(wire.error)) {
      this.#failed = true;
      const used = usageOf(wire, this.#searches);
      if (used) chunks.push({ type: "usage", usage: used });
      chunks.push({ type: "error", error: decodeError(wire) ?? { message: "The upstream reported an error." } });
      return chunks;
    }
    this.#head(wire, chunks);
    if (isRecord(wire.promptFeedback) && typeof wire.promptFeedback.blockReason === "string")
      this.#blocked = wire.promptFeedback.blockReason;
    const candidates: readonly unknown[] = Array.isArray(wire.candidates) ? wire.candidates : [];
    candidates.forEach((candidate, at) => {
      if (isRecord(candidate)) this.#candidate(candidate, at, chunks);
    });
    if (wire.usageMetadata !== undefined) this.#usage = wire.usageMetadata;
    const usage = usageOf(wire, this.#searches);
    if (usage) chunks.push({ type: "usage", usage });
    return chunks;
  }

  end(): readonly StreamChunk[] {
    if (this.#failed) return [];
    const all = [...this.#candidates.values()];
    const finished = all.length > 0 ? all.every(({ reason }) => reason !== undefined) : this.#blocked !== undefined;
    if (!finished) raise("upstream_truncated", "The stream ended before the answer was finished.");
    return this.finish();
  }

  /** How each candidate ended. One that does not say has stopped. */
  finish(): readonly StreamChunk[] {
    const usage = usageLeftovers(this.#usage);
    const chunks: StreamChunk[] = [];
    const all = [...this.#candidates].sort(([left], [right]) => left - right);
    for (const [choice, { reader, reason, rest }] of all) {
      chunks.push(...reader.end(rest.groundingMetadata));
      const more = choice === all[0]?.[0] && usage ? { ...rest, usageMetadata: usage } : rest;
      chunks.push(finishOf(choice, decodeFinishReason(reason, isCalling(reader, reason)), reason, more));
    }
    if (all.length === 0 && this.#blocked !== undefined)
      chunks.push(finishOf(0, "content-filter", this.#blocked, usage ? { usageMetadata: usage } : {}));
    return chunks;
  }

  #head(wire: Readonly<Fields>, chunks: StreamChunk[]): void {
    if (this.#started) return;
    this.#started = true;
    const { responseId: id, modelVersion: model } = wire;
    const start: Draft<StartChunk> = { type: "start" };
    if (typeof id === "string") this.#id = start.id = id;
    if (typeof model === "string") start.model = model;
    const { extra } = extraOf(leftovers(wire, headFields));
    if (extra) start.extra = extra;
    chunks.push(start);
  }

  #candidate(wire: Readonly<Fields>, at: number, chunks: StreamChunk[]): void {
    const index = typeof wire.index === "number" ? wire.index : at;
    let candidate = this.#candidates.get(index);
    if (!candidate) {
      candidate = { reader: new PartReader(index, this.#id), rest: {} };
      this.#candidates.set(index, candidate);
    }
    const { reader } = candidate;
    reader.measured(decodeLogprobs(wire.logprobsResult));
    const parts: readonly unknown[] =
      isRecord(wire.content) && Array.isArray(wire.content.parts) ? wire.content.parts : [];
    for (const part of parts) if (isRecord(part)) reader.read(camelled(part), chunks);
    if (typeof wire.finishReason === "string" && wire.finishReason !== "") candidate.reason = wire.finishReason;
    const more = leftovers(wire, candidateFields);
    if (more) candidate.rest = withMembers(candidate.rest, more);
    if (typeof wire.finishMessage === "string")
      candidate.rest = withMembers(candidate.rest, { finish_message: wire.finishMessage });
  }
}

/** A call that was cut off is none to be made. */
const isCalling = ({ calls, cut }: PartReader, reason: string | undefined): boolean =>
  calls > 0 && !(cut && isCutOff(reason));

function finishOf(choice: number, reason: FinishChunk["reason"], raw: string | undefined, rest: Fields): FinishChunk {
  const { extra } = extraOf(rest);
  const finish: Draft<FinishChunk> = { type: "finish", choice, reason };
  if (raw !== undefined) finish.rawReason = raw;
  if (extra) finish.extra = extra;
  return finish;
}
