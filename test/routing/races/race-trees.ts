import fc from "fast-check";

/** How a vendor behaves when it is called: `after` so many milliseconds, and of a stream so many more until its end. */
export interface Behaviour {
  readonly kind: "well" | "refuses" | "reset" | "cut" | "silent";
  readonly status: number;
  readonly after: number;
  readonly tail: number;
}

export interface Leaf {
  readonly kind: "leaf";
  /** Its calls are answered so, one after the other and over again. */
  readonly script: readonly Behaviour[];
  readonly retries?: number;
  readonly timeout?: number;
  readonly firstToken?: number;
}

export interface Group {
  readonly kind: "fallback" | "hedge" | "shadow" | "single";
  readonly delay: number;
  readonly targets: readonly Tree[];
}

export type Tree = Leaf | Group;

/** Times that seldom come to the same by being added up. */
const time = fc
  .constantFrom(0, 300, 700, 1_500, 4_000, 9_000)
  .chain((base) => fc.nat(190).map((more) => base + 11 + more));

const behaviour: fc.Arbitrary<Behaviour> = fc.record({
  kind: fc.constantFrom("well", "well", "refuses", "refuses", "reset", "cut", "silent"),
  status: fc.constantFrom(400, 429, 500, 503),
  after: time,
  tail: time,
});

const some = <Value>(arbitrary: fc.Arbitrary<Value>) => fc.option(arbitrary, { nil: undefined, freq: 1 });

const leaf: fc.Arbitrary<Leaf> = fc
  .record({
    script: fc.array(behaviour, { minLength: 1, maxLength: 3 }),
    retries: some(fc.nat(2)),
    timeout: fc.constantFrom(2_003, 6_007, 30_011),
    firstToken: some(fc.constantFrom(1_301, 5_303)),
  })
  .map(({ retries, firstToken, ...one }) => ({
    kind: "leaf",
    ...one,
    ...(retries !== undefined && { retries }),
    ...(firstToken !== undefined && { firstToken }),
  }));

const { any } = fc.letrec<{ any: Tree; leaf: Tree; group: Tree }>((tie) => ({
  any: fc.oneof({ depthSize: "small", withCrossShrink: true, maxDepth: 3 }, tie("leaf"), tie("group")),
  leaf,
  group: fc.record({
    kind: fc.constantFrom("fallback", "hedge", "hedge", "shadow", "single"),
    delay: fc.constantFrom(401, 1_009, 2_503),
    targets: fc.array(tie("any"), { minLength: 1, maxLength: 3 }),
  }) as fc.Arbitrary<Tree>,
}));

export const raceTrees: fc.Arbitrary<Tree> = any.filter((tree) => tree.kind !== "leaf");

/** The config of a tree. A vendor knows the leaf that is called by the model it is asked for: its path. */
export function configOf(tree: Tree, path = "config"): object {
  if (tree.kind !== "leaf")
    return {
      strategy: { mode: tree.kind, ...(tree.kind === "hedge" && { delay: tree.delay }) },
      targets: tree.targets.map((one, at) => configOf(one, `${path}.targets[${at}]`)),
    };
  const { retries, timeout, firstToken } = tree;
  return {
    provider: "@vendor",
    override_params: { model: path },
    ...(retries !== undefined && { retry: { attempts: retries } }),
    ...(timeout !== undefined && { request_timeout: timeout }),
    ...(firstToken !== undefined && { timeouts: { first_token: firstToken } }),
  };
}

/** Whether anybody in a tree has rivals: who takes the place of a stream that won and broke off is told elsewhere. */
export const races = (tree: Tree): boolean =>
  tree.kind !== "leaf" && (tree.kind === "hedge" || tree.targets.some(races));

export function leafAt(tree: Tree, path: string): Leaf {
  let found = tree;
  for (const [, at] of path.matchAll(/\[(\d+)\]/g)) found = (found as Group).targets[Number(at)] as Tree;
  return found as Leaf;
}
