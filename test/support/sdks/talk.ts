/** What is asked in a turn, in no format's words. */
export interface Turn {
  readonly text: string;
  /** Whether the tool may be called. */
  readonly tools?: boolean;
  readonly image?: boolean;
  /** Tokens of the answer at most. */
  readonly most?: number;
}

/** What an SDK made of an answer. */
export interface Said {
  readonly text: string;
  readonly calls: readonly { readonly name: string; readonly input: unknown }[];
  readonly ending: "stop" | "length" | "calls" | string;
  /** Tokens. */
  readonly read: number;
  readonly written: number;
}

/** A conversation by way of a vendor's own SDK: it keeps what was said as the SDK gave it. */
export interface Talk {
  ask(turn: Turn, stream: boolean): Promise<Said>;
  /** Tells what came of all calls of the last answer. */
  answer(result: string, stream: boolean): Promise<Said>;
}

/** A vendor's SDK in front of a gateway. It does not retry. */
export interface Sdk {
  talk(model: string): Talk;
  /** The status of what it throws. */
  statusOf(error: unknown): unknown;
}

/** The tool that is offered, by its parts. */
export const tool = {
  name: "get_weather",
  description: "The weather of a city.",
  schema: { type: "object" as const, properties: { city: { type: "string" } }, required: ["city"] },
};

export const png = Buffer.from("not really a picture").toString("base64");

/** A word of a vendor's in the table of what it means; any other as it is. */
export const meant = (words: Readonly<Record<string, string>>, word: unknown): string =>
  words[String(word)] ?? String(word);

export const statusIn = (error: unknown): unknown => (error as { status?: unknown }).status;
