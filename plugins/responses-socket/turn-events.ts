import { errorTable, type Fields, isRecord, raise, readJson, writeJson } from "../../core/index.ts";

/** An event that says how it is with a response, with all of it, or that something went wrong. */
interface Told {
  readonly event: string;
  readonly type: string;
  readonly fields: Readonly<Fields>;
  readonly response: Readonly<Fields> | undefined;
}

/** Quotes within texts are escaped: only what is a field of an event, or of what is in it, reads so. */
const telling = /"type"\s*:\s*"(?:error|response\.(?:created|queued|in_progress|completed|incomplete|failed))"/;
const ends: ReadonlySet<string> = new Set(["response.completed", "response.incomplete", "response.failed"]);

/** Reads an event of a stream, where it says how it is with the response. */
function told(event: string): Told | undefined {
  if (!telling.test(event)) return undefined;
  const fields = readJson(event) as Readonly<Fields>;
  const { type, response } = fields;
  return { event, type: String(type), fields, response: isRecord(response) ? response : undefined };
}

export interface TurnReading {
  /** The response that the client has gone on from, where its vendor was not told of it. */
  readonly previous: unknown;
  /** Told the end of a response that can be gone on from. */
  ended(response: Readonly<Fields>): void;
}

/**
 * The events of a stream as those of a turn: exactly one of them ends it, which clients wait for before they say more on their
 * socket. A stream says twice that it failed (`error`, `response.failed`) where a client may take either for the end, and only
 * `error` where Codex reads on: then it has a status, as errors of the mode have. Throws a GatewayError where nothing ends it.
 */
export async function* turnEvents(
  events: AsyncIterable<string>,
  { previous, ended }: TurnReading,
): AsyncGenerator<string> {
  let failure: Told | undefined;
  let hasEnded = false;
  for await (const event of events) {
    const about = told(event);
    if (about?.type === "error") failure ??= about;
    else if (!about?.response) yield event;
    else {
      const { type, response } = about;
      hasEnded ||= ends.has(type);
      if (type === "response.completed" || type === "response.incomplete") ended(response);
      yield previous === undefined ? event : goneOnFrom(previous, about, response);
    }
  }
  if (hasEnded) return;
  const { event, fields } = failure ?? raise("upstream_truncated", truncated);
  yield typeof fields.status === "number"
    ? event
    : JSON.stringify({ ...fields, status: errorTable.upstream_truncated.status });
}

/** A vendor that was sent the whole conversation knows of no response before its own. */
const goneOnFrom = (previous: unknown, { fields }: Told, response: Readonly<Fields>): string =>
  writeJson({ ...fields, response: { ...response, previous_response_id: previous } });

const truncated = "The answer ended before it was complete: ask again, with the same input.";
