import fc from "fast-check";
import { expect, it } from "vitest";
import { chance } from "../../support/chance.ts";
import { type Heard, type Line, RaceDeployment } from "./race-deployment.ts";
import { type Behaviour, configOf, leafAt, races, raceTrees, type Tree } from "./race-trees.ts";
import { type Seen, saidIn } from "./race-vendor.ts";

const scenarios = fc.record({
  tree: raceTrees.filter(races),
  leavesAfter: fc.option(
    fc.constantFrom(500, 1_600, 4_800).chain((base) => fc.nat(150).map((more) => base + more)),
    { nil: undefined, freq: 6 },
  ),
});

type Scenario = typeof scenarios extends fc.Arbitrary<infer Value> ? Value : never;

const leaf = (behaviour: Partial<Behaviour>): Tree => ({
  kind: "leaf",
  script: [{ kind: "well", status: 400, after: 11, tail: 11, ...behaviour }],
  timeout: 2_003,
});
const hedged = [leaf({ kind: "cut", after: 181, tail: 497 }), leaf({ kind: "refuses" }), leaf({ after: 9_011 })];
/** Its client leaves in the moment in which the last stream there is breaks off. */
const atItsEnd: Scenario = {
  tree: { kind: "shadow", delay: 401, targets: [{ kind: "hedge", delay: 401, targets: hedged }, leaf({})] },
  leavesAfter: 4_839,
};
/** Its last target is to be asked in the moment in which the others answer. */
const atTheSameTime: Scenario = {
  tree: { kind: "hedge", delay: 401, targets: [leaf({ after: 802 }), leaf({ after: 401 }), leaf({})] },
  leavesAfter: undefined,
};

it("a stream that won and broke off is replaced as a whole, or ends in an error, and nobody is asked without end", async () => {
  const deployment = await RaceDeployment.start();
  await fc.assert(
    fc.asyncProperty(scenarios, async ({ tree, leavesAfter }) => {
      const behaviourOf = ({ path, number }: Pick<Seen, "path" | "number">) => {
        const { script } = leafAt(tree, path);
        return script[number % script.length];
      };
      const config = { ...configOf(tree), stream_resume: "restart" };
      const { heard, seen, lines } = await deployment.ask(config, true, behaviourOf, leavesAfter);
      for (const { path, number } of seen) expect(number, path).toBeLessThan(mostCalls(tree, path));
      if (heard) expectHeard(heard, seen);
      expectLine(lines, seen, heard, leavesAfter);
      expect(deployment.timers()).toEqual([]);
      expect(await deployment.healthy()).toBe(200);
    }),
    { ...chance(60), examples: [[atItsEnd], [atTheSameTime]] },
  );
});

/**
 * A target is asked with its retries. In a hedge it may win and break off twice, and be asked alone then; it may be given up
 * by everybody else that wins, which they do twice at most.
 */
function mostCalls(tree: Tree, path: string): number {
  let most = 1 + (leafAt(tree, path).retries ?? 0);
  let node = tree;
  for (const [, at] of path.matchAll(/\[(\d+)\]/g)) {
    if (node.kind === "leaf") break;
    if (node.kind === "hedge") most *= 2 * node.targets.length + 1;
    node = node.targets[Number(at)] as Tree;
  }
  return most;
}

const restart = 'event: gateway-restart\ndata: {"type":"gateway_restart"}\n\n';

function expectHeard({ status, headers, text }: Heard, seen: readonly Seen[]): void {
  if (status !== 200) {
    expect(text).not.toContain("data: ");
    return void expect(JSON.parse(text)).toMatchObject({ error: { message: expect.any(String) } });
  }
  const streams = text.split(restart);
  const givers = streams.map((stream) => seen.find((call) => contentIn(stream) === saidIn(call)));
  // Every answer is that of one call, and of one that had not answered before.
  expect(
    givers.every((call) => call !== undefined),
    text,
  ).toBe(true);
  expect(new Set(givers).size).toBe(givers.length);
  expect(headers["x-gateway-last-used-option-index"]).toBe(givers[0]?.path);
  for (const [at, call] of givers.entries()) {
    // Who takes a place is asked after the one before has broken off.
    if (at > 0) expect(call?.from).toBeGreaterThanOrEqual(givers[at - 1]?.to ?? 0);
    expect(call?.whole).toBe(at === givers.length - 1 && isDone(text));
  }
  for (const stream of streams.slice(0, -1)) expect(stream).not.toMatch(/"error":|\[DONE\]/);
  if (!isDone(text)) expect(streams.at(-1)).toMatch(/"error":\{/);
  else expect(streams.at(-1)).not.toMatch(/"error":\{/);
}

const contentIn = (stream: string): string =>
  [...stream.matchAll(/"content":"([^"]*)"/g)].map(([, text]) => text).join("");

const isDone = (text: string): boolean => text.endsWith("data: [DONE]\n\n");

const leftByClient = 499;

const pathsOf = (calls: readonly { readonly path: string }[]): string[] => calls.map(({ path }) => path).toSorted();

function expectLine(
  lines: readonly Line[],
  seen: readonly Seen[],
  heard: Heard | undefined,
  leavesAfter: number | undefined,
): void {
  const own = lines.filter(({ role }) => role === undefined);
  expect(own).toHaveLength(1);
  const isComplete = heard?.status === 200 && isDone(heard.text);
  const ending = !heard ? "client-gone" : isComplete ? "complete" : heard.status === 200 ? "truncated" : "error";
  const endings = [ending];
  // Who leaves in the moment in which the last answer ends, or breaks off, has it, or has left before.
  if (!heard && seen.some(({ whole }) => whole)) endings.push("complete");
  if (!heard && isOverAt(leavesAfter, own[0])) endings.push("truncated", "error");
  expect(endings).toContain(own[0]?.ending);
  // Every call is told of once, of copies as well: those, too, which were on their way when they were given up.
  const told = lines.flatMap(({ calls }) => calls);
  const isFleeting = ({ status, startedAt, endedAt }: (typeof told)[number]) =>
    status === leftByClient && (!heard || startedAt === endedAt);
  const arrived = told.filter((call) => !isFleeting(call)).map(({ path }) => path);
  const times = (paths: readonly string[], path: string) => paths.filter((one) => one === path).length;
  for (const { path } of told.filter(isFleeting))
    if (times(arrived, path) < times(pathsOf(seen), path)) arrived.push(path);
  expect(arrived.toSorted()).toEqual(pathsOf(seen));
  const good = (own[0]?.calls ?? []).filter(({ status }) => status === 200);
  // Of those that began and were given up, or broke off, nobody has answered; one may have gone on when its client left.
  if (heard) expect(good.length).toBe(isComplete ? 1 : 0);
  else expect(good.length).toBeLessThanOrEqual(1);
}

/** Whether the calls that were under way then came to their ends by themselves. */
function isOverAt(moment: number | undefined, line: Line | undefined): boolean {
  const last = line?.calls.filter(({ endedAt }) => endedAt === moment) ?? [];
  return last.length > 0 && last.every(({ status }) => status !== leftByClient);
}
