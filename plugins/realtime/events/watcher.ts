import { fieldsIn, isRecord, jsonOr, type SocketMoment, type SocketSession } from "../../../core/index.ts";
import { Conversation } from "./conversation.ts";
import { storable } from "./storable.ts";
import { transcriptionUsageOf, usageOf } from "./usage.ts";

type Fields = Readonly<Record<string, unknown>>;

/** What the server's events mean for those who price, count and record. Frames have gone on by then. */
export class Watcher {
  readonly #session: Pick<SocketSession, "record" | "elapsed">;
  readonly #conversation = new Conversation();
  /** Answers under way. */
  readonly #answering = new Map<string, Begun>();
  #isLastCall = false;
  /** The model that writes down what is said, as the session names it. */
  #transcriber: string | undefined;

  constructor(session: Pick<SocketSession, "record" | "elapsed">) {
    this.#session = session;
  }

  /** Whether the client waits for the end of an answer. */
  get isAnswering(): boolean {
    for (const { isAwaited } of this.#answering.values()) if (isAwaited) return true;
    return false;
  }

  /** Who begins one answer before another ends does not stay for ever: what begins from here on is not waited for. */
  lastCall(): void {
    this.#isLastCall = true;
  }

  /** Nothing more comes: what had begun, and was not ended, broke off. What it used nobody has said, which is not nothing. */
  over(brokeOffBy: SocketMoment["brokeOffBy"]): void {
    for (const { startedAt, wire } of this.#answering.values())
      void this.#session.record({
        ...{ event: String(wire.type), status: 200, brokeOffBy, startedAt },
        request: { conversation: this.#conversation.inOrder(new Set()) },
        response: storable(wire),
        usage: usageOf(fieldsIn(wire.response).usage) ?? { uncounted: true },
      });
    this.#answering.clear();
  }

  /** Looks at a frame of the server. A promise where something was used, for when it is counted. */
  saw(frame: Buffer): Promise<void> | undefined {
    const type = typeIn(frame);
    const handle = handlers.get(type ?? "");
    if (type === undefined || !handle) return undefined;
    try {
      const event = eventIn(frame);
      return event && handle(this, type, event);
    } catch {
      // Deeper than anything can be read: it has gone on, and that is all there is to it.
      return undefined;
    }
  }

  session(event: string, { session }: Fields): undefined {
    this.#transcriber = transcriberIn(session) ?? this.#transcriber;
    void this.#session.record({ event, status: 200, response: storable(session ?? {}) });
  }

  trouble(event: string, { error }: Fields): undefined {
    const status = isRecord(error) && error.type === "invalid_request_error" ? 400 : 500;
    void this.#session.record({ event, status, response: { error: storable(error ?? {}) } });
  }

  begun(wire: Fields): undefined {
    if (!isRecord(wire.response)) return;
    const begun = { startedAt: this.#session.elapsed(), wire, isAwaited: !this.#isLastCall };
    this.#answering.set(String(wire.response.id), begun);
  }

  /** The answer's own items are no part of what was asked. */
  done(event: string, wire: Fields): Promise<void> | undefined {
    const response = isRecord(wire.response) ? wire.response : {};
    const id = String(response.id);
    const startedAt = this.#answering.get(id)?.startedAt;
    this.#answering.delete(id);
    const output = Array.isArray(response.output) ? response.output : [];
    const own = new Set(output.map((item) => (isRecord(item) ? String(item.id) : "")));
    // What an answer used that says nothing of it nobody knows: it is not nothing.
    const usage = usageOf(response.usage) ?? (answered.has(response.status) ? { uncounted: true as const } : undefined);
    const recorded = this.#session.record({
      event,
      status: response.status === "failed" ? 500 : 200,
      ...(startedAt !== undefined && { startedAt }),
      request: { conversation: this.#conversation.inOrder(own) },
      response: storable(wire),
      usage,
    });
    return usage && recorded;
  }

  /** Another model has written down what was said, at a price of its own; where nobody said which, that is not known. */
  transcribed(event: string, wire: Fields): Promise<void> | undefined {
    this.#conversation.transcribe(wire);
    const usage = transcriptionUsageOf(wire.usage);
    if (!usage) return undefined;
    const model = this.#transcriber;
    return this.#session.record({
      event,
      status: 200,
      model,
      response: storable(wire),
      usage: model === undefined ? { ...usage, otherModels: true } : usage,
    });
  }

  get conversation(): Conversation {
    return this.#conversation;
  }
}

/** An answer that has begun: when, and how the vendor said so. */
interface Begun {
  readonly startedAt: number;
  readonly wire: Fields;
  /** Its end is waited for before the session is over. */
  readonly isAwaited: boolean;
}

/** Statuses of answers that are there, whole or in part. */
const answered: ReadonlySet<unknown> = new Set(["completed", "incomplete"]);

type Handler = (watcher: Watcher, event: string, fields: Fields) => Promise<void> | undefined;

const asSession: Handler = (watcher, event, fields) => watcher.session(event, fields);
const asItem: Handler = ({ conversation }, _, fields) => void conversation.keep(fields);

/** The events anybody here is interested in. Newer servers say `added` and `done` for what was `created`. */
const handlers: ReadonlyMap<string, Handler> = new Map<string, Handler>([
  ["session.created", asSession],
  ["session.updated", asSession],
  ["transcription_session.created", asSession],
  ["transcription_session.updated", asSession],
  ["conversation.item.created", asItem],
  ["conversation.item.added", asItem],
  ["conversation.item.done", asItem],
  ["conversation.item.deleted", ({ conversation }, _, fields) => void conversation.remove(fields)],
  [
    "conversation.item.input_audio_transcription.completed",
    (watcher, event, fields) => watcher.transcribed(event, fields),
  ],
  ["response.created", (watcher, _, fields) => watcher.begun(fields)],
  ["response.done", (watcher, event, fields) => watcher.done(event, fields)],
  ["error", (watcher, event, fields) => watcher.trouble(event, fields)],
]);

/** Where a session says which model writes down what is said; sessions of the first version have another place for it. */
function transcriberIn(session: unknown): string | undefined {
  const { audio, input_audio_transcription: early } = fieldsIn(session);
  const { model } = fieldsIn(fieldsIn(fieldsIn(audio).input).transcription ?? early);
  return typeof model === "string" && model !== "" ? model : undefined;
}

/** Characters in which servers have said what an event is. */
const looked = 300;

const atStart = /^\s*\{\s*(?:"event_id"\s*:\s*"[^"\\]*"\s*,\s*)?"type"\s*:\s*"([^"\\]+)"/;

/** What kind of event a frame is: read off its start, where it stands there, so that sound is not parsed. */
function typeIn(frame: Buffer): string | undefined {
  const [, type] = atStart.exec(frame.toString("latin1", 0, looked)) ?? [];
  if (type !== undefined) return type;
  const event = eventIn(frame);
  return typeof event?.type === "string" ? event.type : undefined;
}

function eventIn(frame: Buffer): Fields | undefined {
  const event = jsonOr(frame.toString(), undefined);
  return isRecord(event) ? event : undefined;
}
