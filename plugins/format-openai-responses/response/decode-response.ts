import {
  assembler,
  type ChatResponse,
  type Draft,
  type Fields,
  type FinishChunk,
  isEmpty,
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

/** Statuses of an answer that failed: it is none, however it was sent. */
export const failedStatuses: ReadonlySet<unknown> = new Set(["failed", "cancelled"]);

/** A whole answer is read as the stream of its items would be. */
export function decodeResponse(body: unknown): ChatResponse {
  if (!isRecord(body) || !Array.isArray(body.output) || failedStatuses.has(body.status)) return refused(body);
  const reader = new ItemReader();
  const unread = unreadIn(body);
  const chunks: StreamChunk[] = [decodeStart(body, unread)];
  body.output.forEach((item: unknown, index) => {
    if (isRecord(item)) reader.finish(index, item, chunks);
  });
  decodeEnd(body, reader.called, chunks, unread);
  const answer = assembler();
  for (const chunk of chunks) answer.add(chunk);
  return answer.chat();
}

function refused(body: unknown): never {
  const said = decodeError(body)?.message;
  return raise("upstream_invalid", `The answer is not a response: ${said ?? "it has no output"}`);
}

/** What an answer says and nobody reads: by itself, and of the request. */
interface Unread {
  readonly fields: Fields;
  readonly repeated: Fields;
}

function unreadIn(response: Readonly<Fields>): Unread {
  const all = leftovers(response, known);
  if (!all) return { fields: {}, repeated: {} };
  const repeated: Fields = {};
  for (const name of echoed) if (name in all) repeated[name] = all[name];
  return { fields: leftovers(all, echoed) ?? {}, repeated };
}

/** How an answer begins: also what it repeats of the request, but for tools, which its vendor may have been told of in other words. */
export function decodeStart(response: Readonly<Fields>, { repeated } = unreadIn(response)): StartChunk {
  const { id, model, created_at: created } = response;
  const start: Draft<StartChunk> = { type: "start" };
  if (typeof id === "string" && id !== "") start.id = id;
  if (typeof model === "string" && model !== "") start.model = model;
  const time = tokenCount(created);
  if (time !== undefined) start.created = time;
  return isEmpty(repeated) ? start : Object.assign(start, extraOf({}, { kept: leftovers(repeated, aboutTools) }));
}

/** What the whole answer says besides its head and its items: how it ended, what it used, and what nobody reads. */
export function decodeEnd(
  response: Readonly<Fields>,
  called: boolean,
  chunks: StreamChunk[],
  { fields, repeated } = unreadIn(response),
): void {
  const { reason, raw, kept } = decodeStatus(response, called);
  const moderation = moderated.decode(response.moderation);
  if (!moderation && (response.moderation ?? undefined) !== undefined) fields.moderation = response.moderation;
  const { extra } = extraOf(fields, {
    kept: kept ? Object.assign({}, repeated, kept) : repeated,
    usage: unreadUsage(response.usage),
  });
  const finish: Draft<FinishChunk> = { type: "finish", choice: 0, reason };
  if (raw !== undefined) finish.rawReason = raw;
  if (extra) finish.extra = extra;
  chunks.push(finish);
  if (moderation) chunks.push({ type: "moderation", moderation });
  const usage = usageOf(response);
  if (usage) chunks.push({ type: "usage", usage });
}
