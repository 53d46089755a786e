import type { ErrorDetail } from "../errors/error-detail.ts";
import type { Framing, WireEvent } from "./framing.ts";
import type { JobWire } from "./job-wire.ts";
import type { OperationSpec } from "./operation-spec.ts";
import type { OperationName, RequestOf, ResponseOf } from "./operations.ts";
import type { StreamChunk } from "./stream.ts";
import type { ToolNames } from "./tool-names.ts";
import type { Usage } from "./usage.ts";

/** What an encoder may need to know about the answer besides the answer. */
export interface EncodeContext {
  /** The provider that answered, by its public name. */
  readonly provider: string;
  /** The model asked for, used where the vendor named none. */
  readonly model: string;
  /** Whether only fields of the OpenAI API may appear (inference-api.md section 6). */
  readonly strict: boolean;
  /** Unix seconds, used where the vendor gave no time. */
  readonly now: number;
  /** Random id without prefix, used where the vendor gave none. */
  readonly id: string;
  /** The client asked for usage inside the stream. */
  readonly includeUsage: boolean;
  /** The client's request as it wrote it, for formats whose answers repeat it; absent where it cannot be read. */
  readonly asked?: Readonly<Record<string, unknown>> | undefined;
  /** Milliseconds since the request arrived; absent where the answer is written for others than the client that waits for it. */
  elapsed?(): number;
  /** The tools that the client declared as taking free text, by name; absent where there are none. */
  readonly customTools?: ReadonlySet<string> | undefined;
}

/**
 * Events in, chunks out; no I/O. `push` may throw GatewayError("malformed_frame"): the frame is skipped and counted.
 * `end` is called once when the upstream closed the stream in order; it throws GatewayError("upstream_truncated")
 * when the answer was not finished.
 */
export interface StreamDecoder {
  push(event: WireEvent): Iterable<StreamChunk>;
  end(): Iterable<StreamChunk>;
  /**
   * Whether the vendor has told that the answer is over, so that it is whole whatever becomes of the connection. Absent where
   * only the end of the stream tells.
   */
  readonly over?: boolean;
}

/** Chunks in, text of wire frames out. An empty string means nothing to send yet. */
export interface StreamEncoder {
  push(chunk: StreamChunk): string;
  /** After the last chunk of an answer that is complete: what is still open, and the terminator. */
  end(): string;
  /** Instead of `end`: an in-band error and no terminator. */
  fail(error: ErrorDetail): string;
}

/** What a URL says of a request. */
export interface UrlSays {
  readonly model?: string;
  readonly stream?: boolean;
}

/** A request body that is not JSON. */
export interface WireBody {
  readonly bytes: Buffer;
  readonly contentType: string;
  /** Headers that go with it, lower case. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Fields the vendor takes in the query, without `?`. */
  readonly query?: string;
}

/** What the first and last frames of a passed-through stream say about it. */
export interface StreamEnd {
  /** The answer is complete: a finish reason was seen for it. */
  readonly finished: boolean;
  /** The format's terminator was seen. */
  readonly terminated: boolean;
  /** The vendor reported an error in the stream. */
  readonly failed: boolean;
  readonly usage?: Usage;
}

/** How a vendor is asked to tell the usage of a stream, and how that is kept from a client that did not ask for it. */
export interface StreamUsage {
  /** The member of a request that asks for it. */
  readonly member: string;
  /** What that member is to be, given what it is; undefined where it asks already. */
  asking(said: unknown): unknown;
  /** A text that is in every frame that tells usage: frames without it are not looked at. */
  readonly mark: string;
  /** Whether an event is there for its usage only. */
  isOnlyUsage(event: WireEvent): boolean;
}

/** What is known of a request without reading it. */
export interface Borrowing {
  readonly model: string;
  /** The fields of the body, where it was looked at. */
  readonly keys: ReadonlySet<string> | undefined;
}

/**
 * A wire shape of one operation: pure functions in both directions between the vendor's JSON and the canonical model.
 * Nothing here mutates its input, and the same input gives the same output, key order included.
 */
export interface Format<Operation extends OperationName = OperationName> {
  /** `openai-chat`, `anthropic-messages`, … */
  readonly name: string;
  readonly operation: Operation;
  /** Absent when the operation does not stream. */
  readonly framing?: Framing;
  /** The names (as `report` is called with) of all `encodeRequest` may have to drop. */
  readonly drops: readonly string[];

  /**
   * Reads the model and whether to stream off the URL, for formats that say them there and not in the body. Their wire
   * JSON holds both as `model` and `stream`; bodies that are sent do not. Absent: the body holds them by these names, which
   * `upstream.renames` exchanges for those of a vendor that has others.
   */
  readUrl?(url: string): UrlSays;
  /** Bodies of such a format that are written anew say whether to stream, too: their vendor is told so in both places. */
  readonly streamInBody?: true;
  /**
   * The format in whose words this one speaks, in another wrapping (where the model stands, how errors and frames look). For vendors of
   * that one its requests are written anew, and are no translation: nothing is adapted, refused or left out. Both read and write the same
   * `extra`.
   */
  readonly dialectOf?: string;
  /**
   * The model of clients that say it deeper inside a body; it is put where all look for it, as `model` at the top. Providers
   * that take the format take it out again; those of raw calls get what came.
   */
  lift?(wire: Readonly<Record<string, unknown>>): string | undefined;
  /** Requests are multipart forms: their wire is `FormFields`, which are passed on as the form the client sent. */
  readonly requests?: "form";
  /** The model of requests that name none. */
  readonly defaultModel?: string;

  /** Throws GatewayError("invalid_request", …, { param }) naming field, value and bound. */
  decodeRequest(wire: unknown): RequestOf<Operation>;
  /**
   * Called before a request of this format is written in another one: throws GatewayError("invalid_request", …,
   * { param }) where it asks for what only vendors of this format can do. Absent: everything may be translated.
   */
  refuseElsewhere?(request: RequestOf<Operation>): void;
  /**
   * Called before a request of this format is written in another one: what its client means besides what it says, as far as that depends
   * on whether it is `strict`. Absent: nothing.
   */
  meantElsewhere?(request: RequestOf<Operation>, about: Pick<EncodeContext, "strict">): RequestOf<Operation>;
  /**
   * Tools of this format that are no functions, and that its vendors do not run, as functions: for vendors that have nothing else
   * (`OperationSpec.functionsOnly`). `marks` are texts without one of which no request has such a tool; `isNeeded` says of the JSON
   * of one whether it has, or is about, any. Answers are written for clients as those to requests of other formats are. Absent: there are none.
   */
  readonly asFunctions?: {
    readonly marks: readonly string[];
    isNeeded(wire: unknown): boolean;
    apply(request: RequestOf<Operation>, report: (dropped: string) => void): RequestOf<Operation>;
  };
  /**
   * `report` is called once for every field of the request this format cannot carry, by its public snake_case name.
   * `vendor` says what this one takes beyond that.
   */
  encodeRequest(
    request: RequestOf<Operation>,
    report: (dropped: string) => void,
    vendor?: Pick<
      OperationSpec,
      | "exact"
      | "thinkingField"
      | "attachments"
      | "purposes"
      | "instructsWithin"
      | "leavesOutThinking"
      | "signer"
      | "chatFields"
    >,
  ): Record<string, unknown>;

  /**
   * Texts in whose presence a request is read and written even where it could pass through: something in it is another
   * vendor's, and `encodeRequest` leaves it out.
   */
  readonly borrowed?: readonly string[];
  /** The same, where texts alone do not tell. */
  borrows?(bytes: Buffer, about: Borrowing): boolean;

  /**
   * The format that requests of this one are written in for vendors that do not speak it, where a client asks for that by a
   * word in `x-gateway-beta` and the vendor speaks it. Absent: the first that the vendor speaks.
   */
  readonly elsewhere?: { readonly beta: string; readonly format: string };

  /** The names vendors of this format take for tools: of clients of other formats, others are told to them by names like those. */
  readonly toolNames?: ToolNames;

  /** Writes a body that is not JSON, from what `encodeRequest` made and the provider's tables shaped. */
  writeBody?(wire: Readonly<Record<string, unknown>>): WireBody;

  /** Throws GatewayError("upstream_invalid") when the body is not an answer of this format. */
  decodeResponse(wire: unknown): ResponseOf<Operation>;
  encodeResponse(response: ResponseOf<Operation>, context: EncodeContext): Record<string, unknown>;
  /**
   * Whether an answer in this format lacks something that clients are to find in it, as the form that the request (its JSON)
   * asks for, which vendors overlook: it is written anew. Absent: all of them pass through.
   */
  overlooks?(answer: Buffer, asked: () => Readonly<Record<string, unknown>> | undefined): boolean;

  /**
   * The fields of the extra of a choice without those that repeat its words, or say where in them something stands: once they were
   * changed, these would tell what they were. The same fields where there are none. Absent: there never are.
   */
  withoutQuotes?(fields: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>>;

  /**
   * Answers may be bytes that are not JSON (sound, subtitles), which pass through as they arrive; this reads them for
   * clients of other formats. Streams of such a format are told by their content type.
   */
  readBytes?(bytes: Buffer, contentType: string): ResponseOf<Operation>;
  /** Writes answers that are not always JSON, or are cheaper made as text; undefined where this one is what `encodeResponse` makes. */
  writeBytes?(
    response: ResponseOf<Operation>,
    context: EncodeContext,
  ): { readonly bytes: Buffer; readonly contentType: string } | undefined;

  /** Members of a whole answer that say how it ended (`choices[*].finish_reason`): one that was cut is kept without them. */
  readonly endings?: readonly string[];

  /** Reads the vendor's error body; undefined when it has another shape. */
  decodeError(wire: unknown): ErrorDetail | undefined;
  /**
   * Gives an error body made by the gateway what clients of this format look for. Absent: sent as it is. `wait` is how many
   * milliseconds the caller is asked to wait, where that is known.
   */
  encodeError?(body: Record<string, unknown>, status?: number, wait?: number): Record<string, unknown>;
  /** Headers in which clients of this format look for what went wrong, besides the encoded body. Lower case. */
  errorHeaders?(encoded: Readonly<Record<string, unknown>>): Readonly<Record<string, string>>;
  /** The response header in which clients of this format look for the id of a request; `x-request-id` where absent. */
  readonly requestIdHeader?: string;

  /**
   * What tells answers of this format from others, and those events of its streams that count: members, dotted, that are
   * all there, or all of another row. Answers of raw calls are recognised by them; absent, they never are.
   */
  readonly marks?: readonly (readonly string[])[];
  /** A field that every whole answer has, and no other JSON: what passes through without it is none. */
  readonly answerField?: string;
  /** Usage of a whole answer, read off the client's path from a body that passed through. */
  readUsage(wire: unknown): Usage | undefined;
  /** How batch jobs of its vendors tell what they used. Absent: they do not, or not to clients of this format. */
  readonly jobs?: JobWire;
  /** The member of an answer that counts: `readUsage` may be given nothing else, and bodies are not parsed for more. */
  readonly usageMember?: string;
  /** Texts in whose presence the rest of an answer counts, too: `readUsage` is given all of it, `readStreamEnd` the events that have one. */
  readonly usageMark?: string | readonly string[];

  decodeStream?(): StreamDecoder;
  encodeStream?(context: EncodeContext): StreamEncoder;
  /** Vendors are asked to tell the usage of every stream. Absent: where the client asks. */
  readonly streamUsage?: StreamUsage;
  /** The frame that ends a stream in an error, for formats whose streams only pass through. */
  failStream?(error: ErrorDetail): string;
  /**
   * Reads how a passed-through stream ended from its first frame and its last few. Frames may be unparsable. Absent: streams
   * do not pass through, but are decoded and written anew, since nobody could tell whether they are whole.
   */
  readStreamEnd?(events: readonly WireEvent[]): StreamEnd;
  /**
   * How an event of the gateway's own stands in a stream for clients that are not strict: as data alone, or with a name.
   * Absent: there is no form for it.
   */
  readonly asides?: "unnamed" | "named";
  /**
   * The frame that says nothing in its streams, and shows that the connection lives, with its blank line: for formats some of whose
   * clients do not read comments. Absent: what the framing has for it.
   */
  readonly silence?: string;
  /** What stands behind an error of the vendor's that ended a stream which passes through, where some clients overlook the error itself. */
  readonly broken?: string;
  /** The frame that ends every stream of this format, with its blank line. */
  readonly terminator?: string;

  /**
   * How vendors usually serve this format: where below their base URL, and what most of them do differently from the
   * vendor the format is named after. A provider's own words win.
   */
  readonly upstream?: Pick<
    OperationSpec,
    "path" | "renames" | "rewrite" | "defaults" | "clamps" | "bodyHeaders" | "whole"
  >;
  /**
   * Providers that do not say how they offer the operation are asked in this format all the same: their vendor decides.
   * With the name of another format: those that speak it.
   */
  readonly everywhere?: true | { readonly whoSpeaks: string };
}
