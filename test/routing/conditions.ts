import fc from "fast-check";
import type { Fields } from "./trees.ts";

/** Not written out in objects, which linters would take for promises. */
export const leadsTo = "then";

/** Where conditions look: at what there may be, and at what there never is. */
const paths = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.constantFrom(
      ...["metadata.plan", "metadata.region", "metadata._user", "metadata.level", "metadata.team"],
      ...["params.model", "params.user", "params.max_tokens", "params.temperature", "params.stop", "params.n"],
      ...["params.stream", "params.logprobs", "params.metadata", "params.messages", "url.pathname"],
    ),
  },
  fc.constantFrom(
    ...["params.metadata.k", "metadata.a.b", "metadata", "params", "url", "url.query", "headers.x-a", "plan"],
    ...["metadata.constructor", "params.__proto__", "metadata.", ".plan", ""],
  ),
);

const values = fc.constantFrom<string | number | boolean | null>(
  ...["gold", "free", "eu", "u1", "u2", "m1", "@p2/m3", "x", "12", "10", "", "/v1/chat/completions"],
  ...[0, 0.5, 1, 10, 12, 20, true, false, null],
);

const patterns = fc.constantFrom(
  ...["/chat/", "/embed", "^gold$", "g", "^u[12]$", "(?:m|free)\\d?", "^$", "\\d+", "null", "true", "[^a-z]", "("],
);

/** An operator and what it is given, which need not be what it wants. */
const operation = fc.oneof(
  fc.tuple(fc.constantFrom("$eq", "$ne"), values),
  fc.tuple(
    fc.constantFrom("$in", "$nin"),
    fc.oneof({ weight: 4, arbitrary: fc.array(values, { maxLength: 4 }) }, values),
  ),
  fc.tuple(
    fc.constantFrom("$gt", "$gte", "$lt", "$lte"),
    fc.oneof(fc.constantFrom<number | string>(5, 10, 12, 15, 0.5, "10", "12.5 or so"), values),
  ),
  fc.tuple(fc.constant("$regex"), fc.oneof({ weight: 6, arbitrary: patterns }, values)),
);

const test = fc.oneof(
  { weight: 2, arbitrary: values },
  { weight: 5, arbitrary: fc.array(operation, { minLength: 1, maxLength: 2 }).map((all) => Object.fromEntries(all)) },
);

/** What cannot be asked at all. */
const unaskable = fc.constantFrom<Fields>(
  { "params.user": { $like: "u" } },
  { "metadata.plan": { $eq: "gold", eq: 1 } },
  { $nor: [] },
  { $and: { "params.user": "u1" } },
  { "metadata.plan": ["gold"] },
  { "metadata.plan": {} },
);

const { query } = fc.letrec<{ query: Fields; plain: Fields; group: Fields }>((tie) => ({
  query: fc.oneof({ depthSize: "small", maxDepth: 3 }, tie("plain"), tie("group")),
  plain: fc.oneof(
    { weight: 12, arbitrary: fc.dictionary(paths, test, { minKeys: 1, maxKeys: 2, noNullPrototype: true }) },
    { weight: 1, arbitrary: unaskable },
    { weight: 1, arbitrary: fc.constant<Fields>({}) },
  ),
  group: fc
    .record({
      joined: fc.constantFrom("$and", "$or"),
      queries: fc.array(tie("query"), { maxLength: 3 }),
      more: fc.option(tie("plain"), { nil: {}, freq: 2 }),
    })
    .map(({ joined, queries, more }): Fields => ({ ...more, [joined]: queries })),
}));

const variable = fc.oneof(
  fc
    .oneof(paths, fc.constantFrom("params.messages.0.content", "params.metadata.k", "params.metadata.k.n"))
    .map((path): Fields => ({ var: path })),
  fc.tuple(paths, values).map((both): Fields => ({ var: both })),
);

const loops = fc.constantFrom("some", "none", "all", "filter", "map");
const inLists = fc.constantFrom<Fields>(
  { "==": [{ var: "role" }, "user"] },
  { in: ["Hi", { var: "content" }] },
  { var: "name" },
  { missing: ["name"] },
  { "===": [{ var: "" }, "x"] },
);

const { logic } = fc.letrec<{ logic: unknown; plain: unknown; nested: unknown }>((tie) => {
  const few = (least: number, most: number) => fc.array(tie("logic"), { minLength: least, maxLength: most });
  const of = (names: readonly string[], operands: fc.Arbitrary<unknown>) =>
    fc.tuple(fc.constantFrom(...names), operands).map(([name, given]): Fields => ({ [name]: given }));
  return {
    logic: fc.oneof({ depthSize: "small", maxDepth: 4 }, tie("plain"), tie("nested")),
    plain: fc.oneof({ weight: 3, arbitrary: variable }, values),
    nested: fc.oneof(
      of(["and", "or"], few(1, 3)),
      of(["if", "?:"], few(1, 4)),
      of(["==", "!=", "===", "!==", "<", "<=", ">", ">="], few(2, 2)),
      of(["<", "<="], few(3, 3)),
      of(["!", "!!"], fc.oneof(tie("plain"), few(1, 1))),
      of(["in"], fc.tuple(tie("plain"), fc.oneof(tie("logic"), fc.array(values, { maxLength: 3 })))),
      of(["cat", "merge", "+"], few(1, 3)),
      of(["max", "min"], few(1, 2)),
      of(["-", "%"], few(2, 2)),
      of(["substr"], fc.tuple(variable, fc.integer({ min: -3, max: 3 }), fc.integer({ min: -3, max: 3 }))),
      of(["missing"], fc.array(paths, { minLength: 1, maxLength: 3 })),
      of(["missing_some"], fc.tuple(fc.nat(2), fc.array(paths, { minLength: 1, maxLength: 3 }))),
      fc
        .tuple(loops, fc.constantFrom("params.messages", "params.tools", "metadata.tags", "params.stop"), inLists)
        .map(([loop, list, each]): Fields => ({ [loop]: [{ var: list }, each] })),
      fc.constant<Fields>({
        reduce: [{ var: "params.messages" }, { "+": [{ var: "accumulator" }, 1] }, 0],
      }),
      fc.constantFrom<Fields>({ log: "x" }, { method: ["x", "at"] }),
    ),
  };
});

/** What a condition asks, as its user writes it: rarely both, or nothing that could be asked. */
const asking = fc.oneof(
  { weight: 8, arbitrary: query.map((one): Fields => ({ query: one })) },
  {
    weight: 5,
    arbitrary: fc
      .tuple(fc.constantFrom("json_logic", "json_logic", "jsonLogic"), logic)
      .map(([name, one]): Fields => ({ [name]: one })),
  },
  { weight: 1, arbitrary: fc.record({ query, json_logic: logic }) as fc.Arbitrary<Fields> },
  {
    weight: 1,
    arbitrary: fc.constantFrom<Fields>({}, { query: "plan" }, { query: [] }, { query: 1, json_logic: true }),
  },
);

/** Conditions that lead to one of these. */
export const conditionsTo = (targets: fc.Arbitrary<string>, maxLength = 3) =>
  fc.array(
    fc.tuple(asking, targets).map(([asked, to]): Fields => ({ ...asked, ...Object.fromEntries([[leadsTo, to]]) })),
    { maxLength },
  );
