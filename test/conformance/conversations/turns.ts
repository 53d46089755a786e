import fc from "fast-check";
import { anthropic } from "./anthropic.ts";
import { chat } from "./chat.ts";
import { cohere } from "./cohere.ts";
import { Conversation } from "./conversation.ts";
import { converse } from "./converse.ts";
import { gemini } from "./gemini.ts";
import { responses } from "./responses.ts";
import type { ShownKind } from "./shown.ts";
import { type Piece, type Plan, type Speaker, textTool, tools, type Wishes } from "./speaker.ts";

export const speakers: readonly Speaker[] = [chat, responses, anthropic, gemini, cohere, converse];

const shownKinds: readonly ShownKind[] = ["image", "address", "pdf", "document", "audio"];

const word = fc.constantFrom("so.", "Ünï 🧪 — “ja”", 'a "b" \\ {c}\n\nd', "x".repeat(70));
const said = fc.oneof({ weight: 8, arbitrary: word }, { weight: 1, arbitrary: fc.constantFrom("", "\n\n", " ") });
const args = fc.oneof(
  fc.constant({}),
  fc.constantFrom("Oslo", "ž🧪", "", '"\\').map((at) => ({ at })),
  fc.record({
    at: fc.record({ deep: fc.array(fc.oneof(fc.integer(), fc.constant(null), fc.boolean()), { maxLength: 3 }) }),
  }),
);
const rest: fc.Arbitrary<Piece> = fc.oneof(
  { weight: 5, arbitrary: said.map((text) => ({ kind: "text" as const, text })) },
  { weight: 1, arbitrary: word.map((text) => ({ kind: "cited" as const, text })) },
  { weight: 1, arbitrary: word.map((text) => ({ kind: "refusal" as const, text })) },
  { weight: 1, arbitrary: fc.constant({ kind: "ran" as const, code: "print(1)", output: "1\n" }) },
  { weight: 1, arbitrary: fc.constant({ kind: "image" as const, data: "iVBORw0KGgo=" }) },
);
const thought: fc.Arbitrary<Piece> = fc.oneof(
  { weight: 3, arbitrary: word.map((text) => ({ kind: "thought" as const, text })) },
  { weight: 1, arbitrary: fc.constant({ kind: "hidden" as const }) },
);
const call: fc.Arbitrary<Piece> = fc
  .record({ kind: fc.constant("call" as const), name: fc.constantFrom(...tools), args, input: word })
  .map(({ input, ...called }) => (called.name === textTool ? { ...called, args: { input } } : called));
/** Chat completions have a refusal beside the content. */
const refusalsLast = (left: Piece, right: Piece): number =>
  Number(left.kind === "refusal") - Number(right.kind === "refusal");

/** An answer that is too long ends in what its model thinks, or in the arguments of its last call. */
function cutOff(pieces: readonly Piece[], cut: number | undefined): readonly Piece[] {
  const last = pieces.at(-1);
  if (cut === undefined) return pieces;
  if (last?.kind === "thought") return [...pieces.slice(0, -1), { ...last, isCut: true }];
  return last?.kind === "call" && last.name !== textTool ? [...pieces.slice(0, -1), { ...last, cut }] : pieces;
}

/** Models think first and call last, but for those that think between calls. */
const pieces = fc
  .tuple(
    fc.array(thought, { maxLength: 2 }),
    fc.array(rest, { maxLength: 2 }),
    fc.array(fc.oneof({ weight: 6, arbitrary: call }, { weight: 1, arbitrary: thought }), { maxLength: 3 }),
    fc.option(fc.nat(), { freq: 3, nil: undefined }),
  )
  .map(([first, middle, last, cut]) => cutOff([...first, ...middle.toSorted(refusalsLast), ...last], cut));
const plan: fc.Arbitrary<Plan> = fc.record({
  pieces,
  ending: fc.constantFrom("stop", "stop", "length"),
  style: fc.nat(5),
  sizes: fc.array(fc.integer({ min: 1, max: 30 }), { minLength: 1, maxLength: 3 }),
});
export const arbitraryWishes: fc.Arbitrary<Wishes> = fc.record(
  {
    thinking: fc.constantFrom("none" as const, "low" as const, "high" as const, "unsaid" as const, 1024, 6000),
    forces: fc.constant(true as const),
    strict: fc.constant(true as const),
    temperature: fc.constantFrom(0, 0.5, 1),
  },
  { requiredKeys: [] },
);

/** Turns of a conversation, in the words of `Turn` but for the vendor, which is named, and its model, which is numbered. */
export const arbitraryTurns = fc.array(
  fc.record({
    vendor: fc.constantFrom(...speakers.map(({ format }) => format.name)),
    model: fc.nat(5),
    plan,
    stream: fc.boolean(),
    cuts: fc.array(fc.nat(), { maxLength: 6 }),
    results: fc.array(fc.constantFrom("found", "ž🧪\n", "", "{}"), { minLength: 1, maxLength: 3 }),
    images: fc.array(fc.boolean(), { minLength: 1, maxLength: 2 }),
    shows: fc.array(fc.constantFrom(...shownKinds), { maxLength: 2 }),
    interrupts: fc.boolean(),
    instructs: fc.nat(4).map((one) => one === 0),
    isReversed: fc.boolean(),
  }),
  { minLength: 2, maxLength: 6 },
);

export type Turns = typeof arbitraryTurns extends fc.Arbitrary<infer Value> ? Value : never;

/** Each text of its own, so that one that is said twice or lost is found. */
function marked(piece: Piece, number: number): Piece {
  const mark = (kind: string) => `${kind}${number}z`;
  if (piece.kind === "ran") return { ...piece, code: `print("${mark("R")}")`, output: `${mark("O")}\n` };
  if (!("text" in piece) || piece.text.trim() === "") return piece;
  return { ...piece, text: `${mark(piece.kind === "thought" ? "H" : "T")} ${piece.text}` };
}

/** Leads a conversation, and throws at what no vendor would take, or what was not said. */
export function lead(client: Speaker, turns: Turns, wishes: Wishes = {}): void {
  const conversation = new Conversation(client, wishes);
  for (const [at, { vendor: name, model: number, plan, ...turn }] of turns.entries()) {
    const vendor = speakers.find(({ format }) => format.name === name);
    if (!vendor) throw new Error(`No speaker of ${name}`);
    const pieces = plan.pieces.map((piece, place) => marked(piece, 100 * at + place));
    const models = vendor.models ?? [];
    const model = models[number % (models.length || 1)] ?? vendor.model;
    // Bedrock fetches nothing, which is refused for all it is asked.
    const shows = turn.shows.filter(
      (kind) => kind !== "address" || turns.every((one) => one.vendor !== converse.format.name),
    );
    conversation.turn({ ...turn, shows, vendor, model, plan: { ...plan, pieces } });
  }
}
