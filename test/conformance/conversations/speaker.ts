import type { Format } from "../../../core/index.ts";
import type { ShownKind } from "./shown.ts";

export type Wire = Readonly<Record<string, unknown>>;

/** What a model puts into an answer, in no vendor's words. Vendors leave out what they have no place for. */
export type Piece =
  | { readonly kind: "text" | "cited" | "refusal"; readonly text: string }
  /** Thinking that the answer was cut off in has no proof. */
  | { readonly kind: "thought"; readonly text: string; readonly isCut?: true }
  | { readonly kind: "hidden" }
  | { readonly kind: "ran"; readonly code: string; readonly output: string }
  | { readonly kind: "image"; readonly data: string }
  | Called;

export interface Called {
  readonly kind: "call";
  readonly name: string;
  readonly args: Readonly<Record<string, unknown>>;
  /** After how many characters of its arguments the answer was cut off; never after the last. */
  readonly cut?: number;
}

export interface Plan {
  readonly pieces: readonly Piece[];
  readonly ending: "stop" | "length";
  /** What varies between vendors of one format, and between their answers. */
  readonly style: number;
  /** How long the pieces of a stream are, in turn. */
  readonly sizes: readonly number[];
}

/** What a client asks of all its answers, in no vendor's words. */
export interface Wishes {
  /** How much the model is to think: an effort, a budget of tokens for clients that have those, or as much as it does unsaid. */
  readonly thinking?: "none" | "low" | "high" | "unsaid" | number;
  /** Answers have nothing that the client's format does not. */
  readonly strict?: true;
  /** A tool is to be called. */
  readonly forces?: true;
  readonly temperature?: number;
}

/** What a request goes to, besides its vendor's format. */
export interface Asked {
  readonly model: string;
  /** The client speaks the format itself: what it says is its own affair. */
  readonly own: boolean;
}

/** Who can verify a proof. Two formats serve the models of one. */
type Signer = "claude" | "gemini" | "openai";

/** A proof that a vendor gave, with all that it may stand beside when it comes back. */
export interface Proof {
  readonly signer: Signer;
  readonly beside: string;
  /** Given for a call, for thinking that may be read, or for thinking that may not. */
  readonly of: "call" | "thought" | "hidden" | "text";
}

/** What vendors remember of a conversation. */
export class Memory {
  readonly proofs = new Map<string, Proof>();
  readonly #issued = new Set<string>();
  readonly #endings = new Set<unknown>();
  #last = 0;

  /** A number nobody else has. */
  next(): number {
    return ++this.#last;
  }
  id(prefix: string): string {
    const id = `${prefix}${this.next()}`;
    this.#issued.add(id);
    return id;
  }
  isIssued(id: unknown): boolean {
    return typeof id === "string" && this.#issued.has(id);
  }
  /** Remembers that an answer ended with a proof: nothing follows it. */
  ends(proof: unknown): void {
    this.#endings.add(proof);
  }
  isLast(proof: unknown): boolean {
    return this.#endings.has(proof);
  }
  prove(signer: Signer, of: Proof["of"], beside: unknown): string {
    const proof = `PROOF${signer}${this.next()}x==`;
    this.proofs.set(proof, { signer, of, beside: JSON.stringify(beside) });
    return proof;
  }
  /** Whether a proof is one of this signer's, beside what it was given for. */
  isProof(signer: Signer, proof: unknown, beside: unknown): boolean {
    const known = typeof proof === "string" ? this.proofs.get(proof) : undefined;
    return known?.signer === signer && known.beside === JSON.stringify(beside);
  }
}

/** A call as the client that is to make it sees it. */
export interface Call {
  readonly id?: string;
  readonly name: string;
  /** Of a tool that takes free text. */
  readonly custom?: true;
}

export interface Result extends Call {
  readonly said: string;
  /** Bytes of a PNG, in base64, for clients that show what tools gave. */
  readonly image?: string;
}

/** What the user says besides results; before them where the client's API takes it there. */
interface Besides {
  readonly text: string;
  readonly isFirst: boolean;
}

/** What goes with results, in the place it has. */
export const withBesides = (
  results: readonly Wire[],
  besides: Besides | undefined,
  write: (text: string) => Wire,
): readonly Wire[] => {
  if (!besides) return results;
  return besides.isFirst ? [write(besides.text), ...results] : [...results, write(besides.text)];
};

/** One vendor of a format, and one client of it: what both would do, without anything of the gateway's. */
export interface Speaker {
  readonly format: Format<"chat">;
  readonly model: string;
  /** Other models of the vendor's, which differ in what they take. */
  readonly models?: readonly string[];
  /** Whose proofs its models give and take. */
  readonly signer?: Signer;
  /** What users of its clients may show, which it takes. */
  readonly shows: readonly ShownKind[];
  /** What it is told in other words. */
  readonly reads?: readonly ShownKind[];
  /** What stands beside the messages of a request. */
  beside?(request: Wire): readonly string[];
  /** Results of its clients may hold images. */
  readonly showsResults?: true;

  /** What the vendor says to a request. */
  answer(plan: Plan, memory: Memory, asked: Wire, model: string): Wire;
  /** The same as a stream: text, or bytes written as latin1. */
  frames(answer: Wire, plan: Plan): string;
  /** Throws as the vendor refuses. */
  check(request: Wire, memory: Memory, asked: Asked): void;
  /** Whether thinking in the turn that goes on is wanted back with a request; it is where nothing is said. */
  wantsThinking?(request: Wire, model: string): boolean;
  /** Whether it would think without showing it. */
  hidesThoughts?(request: Wire, model: string): boolean;
  /** Whether instructions in the middle of a conversation stay there; else they are said in front of it. */
  instructsWithin?(model: string): boolean;
  /** What is said in a request, turn by turn, in the words of `Told`. */
  told(request: Wire): Told[];

  /** What the client asks with this history. */
  ask(history: readonly Wire[], stream: boolean): Wire;
  question(text: string, shown?: readonly string[]): Wire;
  /** Instructions in the middle of a conversation, for clients that have a message for them. */
  instruct?(text: string): Wire;
  /** Wishes as fields of a request, as far as the format has them. */
  wish(wishes: Wishes): Wire;
  /** Whether the client asks in them to be shown what is thought, and is. */
  readsThoughts?(asked: Wire, isStrict: boolean): boolean;
  /** What the client makes of a stream. */
  gather(bytes: Buffer): Wire;
  /** What of an answer goes into the history. */
  keep(answer: Wire, style: number): readonly Wire[];
  calls(answer: Wire): readonly Call[];
  /** Results of calls, in any order where these have ids, and what the user says besides, if anything. */
  results(calls: readonly Result[], besides?: Besides): readonly Wire[];
}

/** `shown` with what a user or a tool shows, `user` and `model` with a text, `call` with a name and arguments, `result` with the place of its call in the turn, and a text. */
export type Told =
  | readonly ["user" | "model" | "shown", string]
  | readonly ["call", string, unknown]
  | readonly ["result", number, string];

export class Refused extends Error {}

export function must(holds: unknown, rule: string, where: unknown): asserts holds {
  if (!holds) throw new Refused(`${rule}: ${JSON.stringify(where)}`);
}

export const list = (value: unknown): readonly Wire[] => (Array.isArray(value) ? value : []);
export const wire = (value: unknown): Wire => (typeof value === "object" && value !== null ? (value as Wire) : {});
export const text = (value: unknown): string => (typeof value === "string" ? value : "");

/** Blocks of a content that may be a string. */
export const blocks = (content: unknown, type = "text"): readonly Wire[] =>
  typeof content === "string" ? [{ type, text: content }] : list(content);

/** A text in pieces, none of which splits a character. */
export function inPieces(all: string, sizes: readonly number[]): string[] {
  const characters = [...all];
  const pieces: string[] = [];
  for (let at = 0; characters.length > 0; at++)
    pieces.push(characters.splice(0, sizes[at % sizes.length] ?? 1).join(""));
  return pieces;
}

/** The data of server-sent events. */
export const eventsIn = (bytes: Buffer): Wire[] =>
  bytes
    .toString()
    .split("\n\n")
    .flatMap((frame) => /^data: (.*)$/m.exec(frame)?.[1] ?? [])
    .filter((data) => data !== "[DONE]")
    .map((data) => JSON.parse(data));

export const named = (type: string, data: Wire): string =>
  `event: ${type}\ndata: ${JSON.stringify({ type, ...data })}\n\n`;
export const unnamed = (data: Wire): string => `data: ${JSON.stringify(data)}\n\n`;

/** The last takes free text where a client can say so, and elsewhere that text alone. */
export const textTool = "patch";
export const tools = ["look", "find_it", textTool] as const;
const properties = { at: { type: "string" }, input: { type: "string" } };
export const schema = { type: "object", properties };

/** The free text of a call, for vendors who were told that its tool takes one. */
export function freeText({ name, args }: Called, asked: Wire): string | undefined {
  const isFree = list(asked.tools).some(
    (tool) => tool.type === "custom" && (tool.name ?? wire(tool.custom).name) === name,
  );
  return isFree ? text(args.input) : undefined;
}

/** The arguments of a call as a text, and as an object where they are one. */
export function argsText({ args, cut }: Called): string {
  const whole = JSON.stringify(args);
  return cut === undefined ? whole : whole.slice(0, 1 + (cut % (whole.length - 1)));
}
export const argsObject = (call: Called): Wire =>
  call.cut === undefined ? call.args : { [brokenName]: argsText(call) };

/** Under which agents keep arguments that are no object where their API wants one, and the gateway tells them. */
const brokenName = "INVALID_JSON";
export const objectOf = (args: string): Wire => (isObject(args) ? wire(JSON.parse(args)) : { [brokenName]: args });
/** What a model wrote of its arguments, which its client may have as an object. */
export const writtenArgs = (input: unknown): string => text(wire(input)[brokenName]) || JSON.stringify(input);

/** Whether arguments are what templates of models take. vLLM: "Unterminated string", and github.com/vllm-project/vllm/pull/48922. */
export const isObject = (args: unknown): boolean => {
  const value = parsed(args);
  return typeof value === "object" && value !== null && !Array.isArray(value);
};

export const parsed = (args: unknown): unknown => {
  try {
    return JSON.parse(text(args));
  } catch {
    return args;
  }
};

/** The places of calls by their ids. */
export function places(ids: readonly unknown[]): (id: unknown) => number {
  return (id) => ids.indexOf(id);
}
