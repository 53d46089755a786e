import {
  type EncodeContext,
  type ErrorDetail,
  type Fields,
  type FinishChunk,
  type Moderated,
  type StartChunk,
  type StreamChunk,
  type StreamEncoder,
  type Usage,
  usageSoFar,
  writeJson,
} from "../../../core/index.ts";
import { errorFields } from "../errors.ts";
import { readExtra } from "../extra.ts";
import { endState, isContent, ownState } from "../response/encode-response.ts";
import { echoOf, responseObject, type State } from "../response/head.ts";
import { OutputWriter } from "../response/output-writer.ts";
import type { EventSink } from "../response/text-writer.ts";

export const encodeStream = (context: EncodeContext): StreamEncoder => new ResponseEncoder(context);

/** The events of one stream, as text that waits to be taken. */
class Events implements EventSink {
  #text = "";
  #count = 0;

  event(type: string, fields: Fields): void {
    this.#text += `event: ${type}\ndata: ${writeJson({ type, sequence_number: this.#count++, ...fields })}\n\n`;
  }

  prefix(type: string, fields: Fields): string {
    return `event: ${type}\ndata: ${writeJson({ type, ...fields }).slice(0, -1)},"sequence_number":`;
  }

  delta(prefix: string, text: string, after: string): void {
    this.#text += `${prefix}${this.#count++},"delta":${JSON.stringify(text)}${after}}\n\n`;
  }

  take(): string {
    const text = this.#text;
    this.#text = "";
    return text;
  }
}

/** created, in_progress → the events of the items → completed | incomplete; or error, failed. No terminator follows. */
class ResponseEncoder implements StreamEncoder {
  readonly #context: EncodeContext;
  readonly #events = new Events();
  #writer!: OutputWriter;
  #echo: Readonly<Fields> = {};
  #head: Partial<StartChunk> = {};
  #begun = false;
  #over = false;
  #usage: Usage | undefined;
  #moderation: Moderated | undefined;
  #finish: FinishChunk | undefined;

  constructor(context: EncodeContext) {
    this.#context = context;
  }

  push(chunk: StreamChunk): string {
    if (this.#over) return "";
    switch (chunk.type) {
      case "start":
        this.#head = chunk;
        this.#begin();
        break;
      case "moderation":
        this.#moderation = Object.assign({}, this.#moderation, chunk.moderation);
        break;
      case "usage":
        this.#usage = usageSoFar(this.#usage, chunk.usage);
        break;
      case "finish":
        // Items stay open: arguments may still follow.
        if (chunk.choice === 0) this.#finish = chunk;
        break;
      case "error":
        return this.fail(chunk.error);
      default:
        if (chunk.choice !== 0 || !isContent(chunk)) break;
        this.#begin();
        this.#writer.add(chunk);
    }
    return this.#events.take();
  }

  end(): string {
    if (this.#over) return "";
    this.#begin();
    this.#over = true;
    const { reason = "other", extra } = this.#finish ?? {};
    this.#writer.close(reason);
    const ended = endState(reason);
    this.#tell(`response.${ended.status}`, {
      output: this.#writer.output,
      moderation: this.#moderation,
      usage: this.#usage,
      ...ended,
      ...ownState(extra, this.#context.asked),
    });
    return this.#events.take();
  }

  /** Of an answer that never began there is nothing to be said but the error. */
  fail(error: ErrorDetail): string {
    if (this.#over) return "";
    this.#over = true;
    if (this.#begun) this.#writer.breakOff();
    const { type, ...fields } = errorFields(error);
    // Clients of the vendor look for the fields in the event, and for `error` to throw.
    this.#events.event("error", { ...fields, error: { type, ...fields } });
    if (this.#begun)
      this.#tell("response.failed", {
        status: "failed",
        output: this.#writer.output,
        moderation: this.#moderation,
        usage: this.#usage,
        error: { code: fields.code ?? type, message: error.message },
      });
    return this.#events.take();
  }

  #begin(): void {
    if (this.#begun) return;
    this.#begun = true;
    this.#writer = new OutputWriter(this.#context, this.#head.id, this.#events);
    // What stands beside the start of an answer of this format is said of it from the first event on.
    const { kept, fields } = readExtra(this.#head.extra);
    this.#echo = { ...echoOf(this.#context.asked), ...kept, ...fields };
    for (const type of ["response.created", "response.in_progress"])
      this.#tell(type, { status: "in_progress", output: [] });
  }

  #tell(type: string, state: State): void {
    const frame = { head: this.#head, context: this.#context, echo: this.#echo };
    this.#events.event(type, { response: responseObject(frame, state) });
  }
}
