import {
  type ErrorDetail,
  eventFrame,
  exceptionEvent,
  type Fields,
  parseFrame,
  raise,
  type StreamChunk,
  type StreamDecoder,
  type StreamEncoder,
  type Usage,
  usageSoFar,
  type WireEvent,
} from "../../../core/index.ts";
import { decodeError, streamException } from "../errors.ts";
import type { ChoicePlaces, Family } from "./family.ts";
import { decodeFinishReason, encodeFinishReason } from "./finish-reason.ts";
import { put, valueAt } from "./path.ts";
import { choicesIn, wordIn } from "./response.ts";
import { encodeUsage, usageIn } from "./usage.ts";

const placesOf = ({ frame, answer }: Family): ChoicePlaces => frame ?? answer;

/** Pieces of text → a reason per choice, the last with what was counted. There is no terminator. */
export function decodeStream(family: Family): StreamDecoder {
  const places = placesOf(family);
  /** Whether each choice has its reason yet. */
  const finished = new Map<number, boolean>();
  let started = false;
  let failed = false;

  const decodeChoice = (wire: Readonly<Fields>, at: number, chunks: StreamChunk[]): void => {
    const named = places.index === undefined ? undefined : valueAt(wire, places.index);
    const choice = typeof named === "number" ? named : at;
    const text = valueAt(wire, places.text);
    const word = wordIn(wire, places);
    const says = typeof text === "string" && text !== "";
    if (!says && word === undefined) return;
    if (says) chunks.push({ type: "text-delta", choice, part: 0, text });
    const over = finished.get(choice) === true;
    finished.set(choice, over || word !== undefined);
    if (word !== undefined && !over)
      chunks.push({ type: "finish", choice, reason: decodeFinishReason(word), rawReason: word });
  };
  return {
    push({ event, data }: WireEvent): StreamChunk[] {
      if (failed) return [];
      const wire = parseFrame(data);
      if (event === exceptionEvent) {
        failed = true;
        return [{ type: "error", error: decodeError(wire) ?? { message: "The upstream reported an error." } }];
      }
      const chunks: StreamChunk[] = started ? [] : [{ type: "start" }];
      started = true;
      const choices = choicesIn(wire, places);
      for (const [at, choice] of choices.entries()) decodeChoice(choice, at, chunks);
      // Some count with every frame: what counts is what the last ones say.
      const usage = finished.size > 0 && allFinished() ? usageIn(family, wire, choices) : undefined;
      if (usage) chunks.push({ type: "usage", usage });
      return chunks;
    },
    end(): StreamChunk[] {
      if (!failed && (finished.size === 0 || !allFinished()))
        raise("upstream_truncated", "The stream ended before the answer had a finish reason.");
      return [];
    },
  };

  function allFinished(): boolean {
    return [...finished.values()].every((over) => over);
  }
}

const frameOf = (wire: Fields): string =>
  eventFrame("chunk", JSON.stringify({ bytes: Buffer.from(JSON.stringify(wire)).toString("base64") }));

/** Writes a stream as the vendor would, for those who stand in for it: the counts come with the last reason. */
export function encodeStream(family: Family): StreamEncoder {
  const { list, index, text: textPath, reason: reasonPath } = placesOf(family);
  const last: Fields[] = [];
  let usage: Usage | undefined;
  let over = false;

  const written = (choice: number, text: string, reason?: string): Fields => {
    const fields: Fields = {};
    put(fields, textPath, text);
    if (reason !== undefined) put(fields, reasonPath, reason);
    if (index !== undefined) put(fields, index, choice);
    return list === undefined ? fields : { [list]: [fields] };
  };
  return {
    push(chunk) {
      if (chunk.type === "text-delta") return frameOf(written(chunk.choice, chunk.text));
      if (chunk.type === "usage") usage = usageSoFar(usage, chunk.usage);
      if (chunk.type === "finish")
        last.push(written(chunk.choice, "", encodeFinishReason(family, chunk.reason, chunk.rawReason)));
      return "";
    },
    end() {
      const final = last.pop() ?? {};
      return [...last, { ...final, ...(usage && encodeUsage(usage)) }].map(frameOf).join("");
    },
    fail(error: ErrorDetail) {
      if (over) return "";
      over = true;
      return streamException(error);
    },
  };
}
