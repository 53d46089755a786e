import fc from "fast-check";
import { type Leaf, type Question, question, type Tree, tree } from "./questions.ts";

export type Step =
  | { readonly kind: "ask"; readonly question: Question; readonly tree: Tree | undefined }
  | { readonly kind: "burst" | "leave"; readonly question: Question; readonly tree: Tree }
  | { readonly kind: "pass"; readonly seconds: number }
  | { readonly kind: "save"; readonly tree: Tree }
  | { readonly kind: "spoil" }
  | { readonly kind: "away" | "back" };

const single =
  (change: Partial<Leaf>) =>
  ({ leaves }: Tree): Tree => ({
    mode: "single",
    cache: undefined,
    leaves: leaves.slice(0, 1).map((leaf) => ({ ...leaf, guards: [], retries: false, ...change })),
  });

const breaks = ({ behaviour }: Leaf): boolean => behaviour === "cut" || behaviour === "garbled";

/** Steps, most of which ask one of a few questions by one of a few configs; `remote` where the store may be away. */
export function stepsOf(remote: boolean): fc.Arbitrary<readonly Step[]> {
  const kind = <Kind extends string>(name: Kind) => fc.constant(name);
  const step: fc.Arbitrary<Step> = fc.oneof(
    {
      weight: 44,
      arbitrary: fc.record({ kind: kind("ask"), question, tree: fc.option(tree, { nil: undefined, freq: 8 }) }),
    },
    {
      weight: 2,
      arbitrary: fc.record({
        kind: kind("burst"),
        question,
        tree: tree.map(single({ behaviour: "ok", cache: "simple" })),
      }),
    },
    {
      weight: 2,
      arbitrary: fc.record({ kind: kind("leave"), question, tree: tree.map(single({ behaviour: "hold" })) }),
    },
    { weight: 3, arbitrary: fc.record({ kind: kind("pass"), seconds: fc.constantFrom(30, 61, 601, 604_801) }) },
    { weight: 1, arbitrary: fc.record({ kind: kind("save"), tree }) },
    { weight: 1, arbitrary: fc.record({ kind: kind("spoil") }) },
    { weight: remote ? 2 : 0, arbitrary: fc.record({ kind: fc.constantFrom("away", "back") }) },
  );
  const several = <Value>(one: fc.Arbitrary<Value>) => fc.array(one, { minLength: 1, maxLength: 3 });
  return fc
    .tuple(
      several(question),
      several(tree),
      fc.array(fc.tuple(step, fc.nat(9), fc.nat(9)), { minLength: 30, maxLength: 50 }),
    )
    .map(([questions, trees, all]) =>
      all.map(([one, which, by]) => again(one, knownAt(questions, which), knownAt(trees, by))),
    );
}

/** Mostly one of those that are known. */
const knownAt = <Value>(known: readonly Value[], at: number): Value | undefined =>
  at === 0 ? undefined : known[at % known.length];

/** The step, with what was asked before in place of what it asks. */
function again(step: Step, known: Question | undefined, usual: Tree | undefined): Step {
  if (step.kind === "save") return { ...step, tree: unbroken(usual ?? step.tree) };
  if (step.kind === "burst") return { ...step, question: known ?? step.question };
  if (step.kind !== "ask") return step;
  const { stream, tells, refresh, reversed, region, lenient, words } = step.question;
  // Now and then in other words.
  const user = lenient || !known ? words.user : known.words.user;
  const asked = known
    ? { ...known, stream, tells, refresh, reversed, region, words: { ...known.words, user } }
    : step.question;
  const by = step.tree && (usual ?? step.tree);
  // Formats differ in how much of a call they need before they can tell of it.
  return { ...step, tree: by, question: by?.leaves.some(breaks) ? withoutTools(asked) : asked };
}

const withoutTools = (one: Question): Question => ({ ...one, words: { ...one.words, tools: [] } });
const unbroken = (one: Tree): Tree => ({
  ...one,
  leaves: one.leaves.map((leaf) => (breaks(leaf) ? { ...leaf, behaviour: "ok" } : leaf)),
});
