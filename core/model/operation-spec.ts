import type { PurposeWords } from "./embedding.ts";
import type { Framing } from "./framing.ts";
import type { ClientHeaders, Headers } from "./headers.ts";
import type { GatewayRequest } from "./request.ts";

/** What a provider speaks for one operation. Data, except where a vendor makes code unavoidable. */
export interface OperationSpec {
  /** The wire format, by the name of the format plugin. */
  readonly format: string;
  /**
   * The path below the base URL; a function when the model is part of it. What stands beside the base URL is named with
   * its origin.
   */
  readonly path: string | ((call: PathContext) => string);
  /**
   * Which models are served in this format, where it is not all of them. Others are asked in the first format that
   * serves them. A header of the client may have a say in it, too, and what is asked for.
   */
  readonly serves?: (model: string, headers?: ClientHeaders, request?: GatewayRequest) => boolean;
  /**
   * Models, or requests to them, that are asked in this format whatever the client speaks: the vendor refuses them in
   * another one. Without a request it is said of the model alone.
   */
  readonly firstFor?: (model: string, request?: GatewayRequest) => boolean;
  /** The model of requests that name none, where it is not the one of the format. */
  readonly defaultModel?: string;
  /** The name the vendor knows a model by, where that is not the one it is asked for by. */
  readonly model?: (model: string) => string;
  /** How the vendor frames streams, where that is not how the format does. */
  readonly framing?: Framing;
  /**
   * The vendor has no streams, or none that tell when they are complete: it is asked for whole answers, which clients
   * that want a stream are given as one.
   */
  readonly whole?: true;
  /**
   * Bodies that the vendor answers with a stream only: it is asked for one, and clients that want a whole answer are given it as such. Bodies
   * that pass through are not looked at: what matters has to be in `clamps`, `renames` or the like.
   */
  readonly streamsOnly?: (body: Readonly<Record<string, unknown>>) => boolean;
  /** Scheme and host, for an operation the vendor serves elsewhere than below its base URL. */
  readonly origin?: string;
  /**
   * The field of a message in which the vendor wants back what its model thought, in a format that has none of its own:
   * many refuse, or think worse after, a history of tool calls without it.
   */
  readonly thinkingField?: string;
  /**
   * What people may show this vendor in a format that has no word for it, in the word most vendors use: documents to be
   * fetched, documents of other kinds, sounds of other kinds, videos. Of clients of other formats the rest is left out
   * and reported.
   */
  readonly attachments?: readonly ("document-url" | "document" | "audio" | "video")[];
  /**
   * The vendor takes instructions between messages, as far as the model does, in a format that has a role for them. Elsewhere those of
   * clients of other formats stand in front of the conversation.
   */
  readonly instructsWithin?: boolean;
  /**
   * The vendor can be asked to leave out thinking that does not belong to the conversation it is given back with, where the model would
   * refuse the request. It is, for clients of other formats, which cannot know of it.
   */
  readonly leavesOutThinking?: boolean;
  /**
   * The name of whose proofs of thinking the vendor gives and verifies, in a format whose namesake has others: it marks them in answers
   * (`normalise`), and is given back its own only: requests with others are read and written. Lower-case letters and hyphens. Absent: those of the format.
   */
  readonly signer?: string;
  /** The vendor serves the format exactly as its namesake does: what most other vendors need changed stays as it is. */
  readonly exact?: boolean;
  /**
   * Of tools that its namesake has besides functions the vendor knows at most those that it runs itself: clients of its own format have theirs
   * offered as functions (`Format.asFunctions`).
   */
  readonly functionsOnly?: true;
  /**
   * Fields of chat completions that this vendor has a place for in a format whose namesake has none: of clients of chat completions they stay
   * in the body by their names, for `rewrite` to put them there.
   */
  readonly chatFields?: readonly string[];
  /** Wire fields this vendor rejects. They are removed and reported as dropped. */
  readonly drops?: readonly string[];
  /** The same of clients that speak this format themselves; what others ask for in their words is let through. */
  readonly dropsOfOwn?: readonly string[];
  /** Wire fields this vendor knows by another name: `{ max_completion_tokens: "max_tokens" }`. */
  readonly renames?: Readonly<Record<string, string>>;
  /** Wire fields sent when the client sent none. */
  readonly defaults?: Readonly<Record<string, unknown>>;
  /** Bounds numeric fields are moved into, `[min, max]`. */
  readonly clamps?: Readonly<Record<string, readonly [number, number]>>;
  /** How many entries of a list this vendor takes: of what other clients than its own say, the rest is left out and reported. */
  readonly most?: Readonly<Record<string, number>>;
  /**
   * How vectors to be made are told what they are for (`input_type` and `task_type` of clients), where the vendor has the
   * notion: the field, and its words. What it has no word for is left out and reported.
   */
  readonly purposes?: { readonly field: string; readonly words: PurposeWords };
  /** Wire fields this vendor takes as headers: field → header, lower case. Lists are joined with commas. */
  readonly bodyHeaders?: Readonly<Record<string, string>>;
  /**
   * Headers of the client, with the gateway's prefix or without it, that this vendor takes as fields: header, lower case → field.
   * A field of the body wins.
   */
  readonly headerFields?: Readonly<Record<string, string>>;
  /** Fields that tell the vendor the metadata of a request, joined with what the body says there; its own word wins. */
  readonly metadata?: (metadata: Headers) => Readonly<Record<string, Headers>> | undefined;
  /** A change tables cannot say. `when` tells, without parsing, whether the bytes could need it. */
  readonly rewrite?: Rewrite;
  /**
   * Undoes on a whole answer what the vendor does differently from the format, before it is decoded. Some say in headers
   * what others say in the body.
   */
  readonly normalise?: (wire: Record<string, unknown>, headers?: ClientHeaders) => Record<string, unknown>;
  /** The same for the JSON of one stream frame. */
  readonly normaliseFrame?: (wire: Record<string, unknown>) => Record<string, unknown>;
  /** The frame that the terminator of a stream stands for, where no other one says that the answer is complete. */
  readonly lastFrame?: Readonly<Record<string, unknown>>;
}

export interface Rewrite {
  /** The rewrite runs only when the request contains one of these texts. */
  readonly when: readonly string[];
  /** Returns a changed copy, or its argument. `report` takes the public names of what the vendor cannot be told. */
  readonly apply: (
    wire: Readonly<Record<string, unknown>>,
    report?: (dropped: string) => void,
  ) => Record<string, unknown>;
}

export interface PathContext {
  readonly model: string;
  readonly stream: boolean;
  /** The top-level fields of the body; absent where a path is asked for without a request. */
  readonly fields?: ReadonlySet<string>;
  /** The body as it is sent; absent where the client's own bytes are. */
  readonly body?: Readonly<Record<string, unknown>>;
}
