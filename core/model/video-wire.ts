/** Dotted paths of an answer, or of a request; the first one with a value counts. */
type Paths = readonly string[];

/**
 * How a vendor that has a way of its own begins videos and tells of them, to clients that ask in its words: what is to be paid for
 * is known when one is told to be there. Those of OpenAI's API are the format's (`Format.jobs`).
 */
export interface VideoWire {
  /** The places where one is begun and where it is told of, as vendors know them, without version and query. The first group of `told` is the id. */
  readonly begun: RegExp;
  readonly told: RegExp;
  /** Its id in both answers, where it is not that of the path; and in a request that asks for it. */
  readonly id: Paths;
  readonly askedId?: Paths;
  /** What says that it is there: a value at a path. */
  readonly over: readonly (readonly [path: string, value: unknown])[];
  /** How many were made: a list of them, or a number; anything else is one. Where that is nowhere none was; absent is one. */
  readonly made?: Paths;
  readonly model?: Paths;
  /** How long each is, in seconds: as it is told, or else as it was asked for, or else as it is without being asked for. */
  readonly seconds?: Paths;
  readonly askedSeconds?: Paths;
  readonly usualSeconds?: number;
  /** Width and height (`1280x720`, `1280*720`), or each by itself; or by name (`720p`) and ratio (`16:9`), as it was asked for. */
  readonly size?: Paths;
  readonly sides?: readonly [width: string, height: string];
  readonly askedSize?: Paths;
  readonly askedResolution?: readonly [name: string, ratio: string];
  /** Tokens it is billed by, and the service tier. */
  readonly tokens?: Paths;
  readonly tier?: Paths;
}
