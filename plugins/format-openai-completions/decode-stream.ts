import {
  compact,
  extraIn,
  type Fields,
  isDone,
  leftovers,
  parseFrame,
  raise,
  readErrorBody,
  type StartChunk,
  type StreamChunk,
  type StreamDecoder,
  withTier,
} from "../../core/index.ts";
import { formatName } from "./fields.ts";
import { decodeFinishReason } from "./response.ts";
import { choicesOf, isError, wordOf } from "./stream-end.ts";
import { decodeUsage } from "./usage.ts";

const none: readonly StreamChunk[] = [];
const headFields = new Set(["id", "object", "created", "model", "provider", "choices", "usage", "error"]);

/**
 * frames of text → a finish reason per choice → usage? → [DONE]?
 *
 * Complete is an answer all of whose choices have a finish reason, with or without `[DONE]`; or, when `[DONE]` came,
 * one with at least one.
 */
export function decodeStream(): StreamDecoder {
  const finished = new Map<number, boolean>();
  let tier: unknown;
  let started = false;
  let terminated = false;
  let failed = false;

  return {
    push(event) {
      if (terminated || failed) return none;
      if (isDone(event)) {
        terminated = true;
        return none;
      }
      const frame = parseFrame(event.data);
      if (isError(event, frame)) {
        failed = true;
        const used = decodeUsage(frame.usage);
        const error: StreamChunk = { type: "error", error: readErrorBody(frame) ?? { message: event.data } };
        return used ? [{ type: "usage", usage: used }, error] : [error];
      }
      const choices = choicesOf(frame);
      tier = frame.service_tier ?? tier;
      const usage = withTier(decodeUsage(frame.usage), tier);
      const chunks: StreamChunk[] = [];
      if (!started) {
        // A frame without choice or usage has nothing to start an answer with.
        if (choices.length === 0 && !usage) return none;
        started = true;
        chunks.push(readStart(frame));
      }
      for (const choice of choices) decodeChoice(choice, finished, chunks);
      if (usage) chunks.push({ type: "usage", usage });
      return chunks;
    },
    get over() {
      return terminated && [...finished.values()].includes(true);
    },
    end() {
      if (failed) return none;
      const all = [...finished.values()];
      if (all.length === 0 || !(terminated ? all.includes(true) : all.every((done) => done)))
        raise("upstream_truncated", "The stream ended before the answer had a finish reason.");
      return none;
    },
  };
}

function readStart(frame: Fields): StartChunk {
  const { id, model, created } = frame;
  return {
    type: "start",
    ...compact({
      id: typeof id === "string" && id !== "" ? id : undefined,
      model: typeof model === "string" && model !== "" ? model : undefined,
      created: typeof created === "number" && created > 0 ? created : undefined,
    }),
    ...extraIn(formatName, leftovers(frame, headFields)),
  };
}

function decodeChoice(wire: Fields, finished: Map<number, boolean>, chunks: StreamChunk[]): void {
  const choice = typeof wire.index === "number" ? wire.index : 0;
  const { text, logprobs } = wire;
  const measured = logprobs === undefined || logprobs === null ? {} : { logprobs };
  if ((typeof text === "string" && text !== "") || "logprobs" in measured)
    chunks.push({ type: "text-delta", choice, part: 0, text: typeof text === "string" ? text : "", ...measured });
  const word = wordOf(wire);
  const done = finished.get(choice) === true;
  finished.set(choice, done || word !== "");
  if (word === "" || done) return;
  const { reason, raw } = decodeFinishReason(word);
  chunks.push({ type: "finish", choice, reason, ...(raw !== undefined && { rawReason: raw }) });
}
