import type { Usage } from "./usage.ts";

/** How batch jobs of a vendor tell what they used, to clients that ask for them in the vendor's own words. */
export interface JobWire {
  /** The places where that is told. They are tried in this order. */
  readonly places: readonly JobPlace[];
  /** The answer in a line of results; undefined where it is no line of this vendor's, or holds none. */
  answerIn(line: Readonly<Record<string, unknown>>): JobAnswer | undefined;
  /** The id of a batch, as its places have it, by the answer it was begun with; undefined where that is none of this vendor's. */
  madeIn?(wire: Readonly<Record<string, unknown>>): string | undefined;
}

export interface JobPlace {
  /** The path as vendors know it, without version and query. Its first group is the id, escaped, of the job or of the file. */
  readonly path: RegExp;
  /**
   * What is read there: a job as it is told, the lines of its results, a file that may be such lines, or what a job has made, which
   * is not looked into.
   */
  readonly is: "job" | "results" | "file" | "made";
  /** Of a job: what is told of it; undefined where it is none of this vendor's. */
  told?(wire: Readonly<Record<string, unknown>>): ToldJob | undefined;
}

export interface JobAnswer {
  /** As the vendor would have answered a single request. */
  readonly body: unknown;
  /** It is an error: one that says nothing of usage used nothing. */
  readonly failed: boolean;
}

/** What a job is told to be. */
export interface ToldJob {
  /** The file with its results, by the id it is read by. */
  readonly output?: string;
  /** The model of answers that name none. */
  readonly model?: string;
  /** What all of it used, once it uses nothing more, and how many calls that was. */
  readonly used?: { readonly usage: Usage; readonly calls: number };
  /** What it will have used if it comes to its end: it is remembered when it begins, for what is made may not say it. */
  readonly uses?: Usage;
  /** Its vendor's name for it, where it is no batch: its prices are those of single calls. */
  readonly id?: string;
  /** It is over, and what it used stands in storage that is not read here: nobody knows what that cost, unless it was said when it began. */
  readonly untold?: boolean;
  /** Its results, where they stand in it, once they are whole. */
  readonly answers?: readonly JobAnswer[];
}
