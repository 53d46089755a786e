import fc from "fast-check";

/** A guardrail as a user writes it in a config. */
type Guardrail = Readonly<Record<string, unknown>>;

/** The lists a node may have, by the side they are for. */
export interface Guarded {
  readonly before_request_hooks?: readonly Guardrail[];
  readonly input_guardrails?: readonly Guardrail[];
  readonly after_request_hooks?: readonly Guardrail[];
  readonly output_guardrails?: readonly Guardrail[];
}

export type Side = "input" | "output";

/** Hooks come before guardrails (routing-config.md section 4). */
const lists = {
  input: ["before_request_hooks", "input_guardrails"],
  output: ["after_request_hooks", "output_guardrails"],
} as const;

interface Rule {
  readonly word: string;
  readonly deny: boolean | undefined;
}

const ruleFor = (words: readonly string[]): fc.Arbitrary<Rule> =>
  fc.record({ word: fc.constantFrom(...words), deny: fc.constantFrom(undefined, false, true) });

const parametersOf = (word: string) => ({ words: [word], operator: "none" });

const idOf = (kind: string, { word, deny }: Rule) => `${kind} ${word} ${deny}`;

const shorthand = (rule: Rule): Guardrail => ({
  id: idOf("g", rule),
  contains: parametersOf(rule.word),
  ...(rule.deny !== undefined && { deny: rule.deny }),
});

const hook = (rule: Rule): Guardrail => ({
  type: "guardrail",
  id: idOf("h", rule),
  checks: [{ id: "default.contains", parameters: parametersOf(rule.word) }],
  ...(rule.deny !== undefined && { deny: rule.deny }),
});

const listOf = (words: readonly string[], write: (rule: Rule) => Guardrail) =>
  fc.option(
    fc
      .uniqueArray(ruleFor(words), { selector: (rule) => idOf("", rule), maxLength: 2 })
      .map((rules) => rules.map(write)),
    { nil: undefined, freq: 2 },
  );

const asked = ["Hi", "there", "nowhere"];
const answered = ["call 1", "call 2", "nowhere"];

const both = fc.record({
  before_request_hooks: listOf(asked, hook),
  input_guardrails: listOf(asked, shorthand),
  after_request_hooks: listOf(answered, hook),
  output_guardrails: listOf(answered, shorthand),
});

/** What a node says of guardrails: mostly nothing. */
export const guarded = fc.oneof(
  { weight: 5, arbitrary: fc.constant({}) },
  {
    weight: 2,
    arbitrary: both.map(
      ({ before_request_hooks, input_guardrails }) => ({ before_request_hooks, input_guardrails }) as Guarded,
    ),
  },
  {
    weight: 2,
    arbitrary: both.map(
      ({ after_request_hooks, output_guardrails }) => ({ after_request_hooks, output_guardrails }) as Guarded,
    ),
  },
  { weight: 1, arbitrary: both },
);

/** A node that says anything of a side has that alone; one that says nothing has what stands above it. */
export function guardsWithin(above: Guarded, own: Guarded): Guarded {
  return { ...ofSide("input", above, own), ...ofSide("output", above, own) };
}

function ofSide(side: Side, above: Guarded, own: Guarded): Guarded {
  const source = lists[side].some((name) => own[name] !== undefined) ? own : above;
  return Object.fromEntries(lists[side].map((name) => [name, source[name]]));
}

/** What came of a side: the guardrails that ran, in order, and whether each held. */
export interface Judged {
  readonly results: readonly { readonly id: string; readonly verdict: boolean; readonly deny: boolean }[];
  readonly status: 200 | 246 | 446;
}

export const notJudged: Judged = { results: [], status: 200 };

/** What guardrails make of a text (section 12.2). */
export function judge(side: Side, node: Guarded, text: string): Judged {
  const results = lists[side].flatMap((name) => node[name] ?? []).map((one) => resultOf(one, text));
  const failed = results.filter(({ verdict }) => !verdict);
  return { results, status: failed.some(({ deny }) => deny) ? 446 : failed.length > 0 ? 246 : 200 };
}

function resultOf(one: Guardrail, text: string): Judged["results"][number] {
  const [check] = (one.checks as { parameters: { words: string[] } }[] | undefined) ?? [];
  const { words } = check?.parameters ?? (one.contains as { words: string[] });
  const verdict = !words.some((word) => text.includes(word));
  return { id: String(one.id), verdict, deny: !verdict && one.deny === true };
}
