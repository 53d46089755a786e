import {
  assembler,
  type ChatResponse,
  compact,
  type Fields,
  isRecord,
  leftovers,
  raise,
  type StartChunk,
  type StreamChunk,
  tokenCount,
} from "../../../core/index.ts";
import { decodeError } from "../errors.ts";
import { extraOf } from "../extra.ts";
import { ItemReader } from "../stream/item-reader.ts";
import { aboutTools, echoed } from "./head.ts";
import { moderation as moderated } from "./moderation.ts";
import { decodeStatus } from "./status.ts";
import { unreadUsage, usageOf } from "./usage.ts";

/** Fields of an answer that are read. */
const known: ReadonlySet<string> = new Set([
  "id",
  "object",
  "created_at",
  "status",
  "error",
  "incomplete_details",
  "model",
  "output",
  "output_text",
  "moderation",
  "usage",
]);

const knownOrEchoed: ReadonlySet<string> = new Set([...known, ...echoed]);
const repeating: readonly string[] = [...echoed];
/** Vendors may have been told of tools in other words than the client's. */
const repeatingAsked: readonly string[] = repeating.filter((name) => !aboutTools.has(name));

/** Statuses of an answer that failed: it is none, however it was sent. */
export const failedStatuses: ReadonlySet<unknown> = new Set(["failed", "cancelled"]);

/** A whole answer is read as the stream of its items would be. */
export function decodeResponse(body: unknown): ChatResponse {
  if (!isRecord(body) || !Array.isArray(body.output) || failedStatuses.has(body.status)) return refused(body);
  const reader = new ItemReader();
  const chunks: StreamChunk[] = [decodeStart(body)];
  for (const [index, item] of body.output.entries()) if (isRecord(item)) reader.finish(index, item, chunks);
  decodeEnd(body, reader.called, chunks);
  const answer = assembler();
  for (const chunk of chunks) answer.add(chunk);
  return answer.chat();
}

function refused(body: unknown): never {
  const said = decodeError(body)?.message;
  return raise("upstream_invalid", `The answer is not a response: ${said ?? "it has no output"}`);
}

/** How an answer begins: also what it repeats of the request, as far as the vendor was told what the client asked for. */
export function decodeStart(response: Readonly<Fields>): StartChunk {
  const { id, model, created_at: created } = response;
  return {
    type: "start",
    ...(typeof id === "string" && id !== "" && { id }),
    ...(typeof model === "string" && model !== "" && { model }),
    ...compact({ created: tokenCount(created) }),
    ...extraOf({}, { kept: saidIn(response, repeatingAsked) }),
  };
}

function saidIn(response: Readonly<Fields>, names: readonly string[]): Fields {
  const said: Fields = {};
  for (const name of names) {
    const value = response[name];
    if (value !== null && value !== undefined) said[name] = value;
  }
  return said;
}

/** What the whole answer says besides its head and its items: how it ended, what it used, and what nobody reads. */
export function decodeEnd(response: Readonly<Fields>, called: boolean, chunks: StreamChunk[]): void {
  const { reason, raw, kept = {} } = decodeStatus(response, called);
  const fields: Fields = leftovers(response, knownOrEchoed) ?? {};
  const moderation = moderated.decode(response.moderation);
  if (!moderation && (response.moderation ?? undefined) !== undefined) fields.moderation = response.moderation;
  const extra = extraOf(fields, {
    kept: Object.assign(saidIn(response, repeating), kept),
    usage: unreadUsage(response.usage),
  });
  chunks.push({ type: "finish", choice: 0, reason, ...(raw !== undefined && { rawReason: raw }), ...extra });
  if (moderation) chunks.push({ type: "moderation", moderation });
  const usage = usageOf(response);
  if (usage) chunks.push({ type: "usage", usage });
}
