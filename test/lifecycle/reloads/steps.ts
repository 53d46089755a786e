import fc from "fast-check";
import { type Change, changes, type Mistake, mistakes } from "./said.ts";

export type Asking = "plain" | "guarded" | "limited" | "sticky" | "cached" | "breaks";

export type Step =
  | { readonly do: "edit"; readonly change: Change; readonly again?: Change }
  | { readonly do: "spoil"; readonly change: Change; readonly mistake: Mistake }
  | {
      readonly do: "ask";
      readonly what: Asking;
      readonly stream: boolean;
      readonly hold: boolean;
      readonly other: number;
    }
  | { readonly do: "answer" | "cancel"; readonly at: number }
  | { readonly do: "settle" | "look" };

/** How a walk ends: when all is answered; while requests and a reload are under way; or without waiting for either. */
export type End = { readonly how: "calm" | "midway" | "cut"; readonly change: Change };

const at = fc.nat(20);
const asking = fc.constantFrom<Asking>(
  "plain",
  "plain",
  "plain",
  "guarded",
  "limited",
  "limited",
  "sticky",
  "cached",
  "breaks",
);

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ do: fc.constant("edit" as const), change: changes }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("edit" as const), change: changes, again: changes }) },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant("spoil" as const),
      change: changes,
      mistake: fc.constantFrom(...mistakes),
    }),
  },
  {
    weight: 8,
    arbitrary: fc.record({
      do: fc.constant("ask" as const),
      what: asking,
      stream: fc.boolean(),
      hold: fc.boolean(),
      other: at,
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({ do: fc.constantFrom("answer" as const, "answer" as const, "cancel" as const), at }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constantFrom("settle" as const, "look" as const) }) },
);

export const walks: fc.Arbitrary<readonly [readonly Step[], End]> = fc.tuple(
  fc.array(step, { minLength: 20, maxLength: 60, size: "max" }),
  fc.record({ how: fc.constantFrom("calm", "calm", "midway", "cut"), change: changes }),
);
