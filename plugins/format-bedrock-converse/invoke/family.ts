/** How the models of one maker say a choice of their answer. Fields are named by their path: `data.text`. */
export interface ChoicePlaces {
  /** The list of choices; absent where an answer is one itself. */
  readonly list?: string;
  readonly text: string;
  readonly reason: string;
  /** Which choice it is, where there is a word for that besides its place in the list. */
  readonly index?: string;
}

/**
 * How the older models of one maker are asked for text by an invocation, and answer (providers.md section 9.7): data,
 * which the codec reads in both directions. Paths lead into objects: `textGenerationConfig.topP`.
 */
export interface Family {
  readonly name: string;
  /** Where the prompt stands. */
  readonly prompt: string;
  /** What has to stand around a prompt that is not a dialogue already. */
  readonly dialogue?: { readonly before: string; readonly after: string };
  /** Settings by their public name, with the path of what the vendor calls them. Others it cannot be told. */
  readonly settings: Readonly<Record<string, string>>;
  /** Answers it gives at most to one request. */
  readonly most?: number;
  /** Numbers are moved into these bounds, by the vendor's name. */
  readonly clamps?: Readonly<Record<string, readonly [number, number]>>;
  /** What the vendor insists on, by its own name. */
  readonly defaults?: Readonly<Record<string, unknown>>;
  /** The body has to ask for a stream, besides the path. */
  readonly asksForStream?: true;
  /** It has no streams. */
  readonly whole?: true;
  readonly answer: ChoicePlaces;
  /** The same in the frame of a stream, where that is not the same. */
  readonly frame?: ChoicePlaces;
  /** Where an answer says its id. */
  readonly id?: string;
  /** Counts of tokens in a whole answer: numbers, or the tokens themselves. */
  readonly counts?: {
    readonly input: string;
    readonly output: string;
    /** The output is counted choice by choice. */
    readonly perChoice?: true;
  };
  /** The vendor's words for the reasons that answers end for. */
  readonly words: { readonly stop: string; readonly length: string };
}
