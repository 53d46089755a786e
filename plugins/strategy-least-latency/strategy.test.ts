import { describe, expect, it } from "vitest";
import type { Outcome, Route, RouteChild, Target, Walk } from "../../core/index.ts";
import { exchangeOf, failed, leaves, node, outcome, refusalOf, walkOf } from "../../test/support/walks.ts";
import { latencies } from "./latencies.ts";
import { leastLatencyStrategy } from "./strategy.ts";

const minute = 60_000;

/** A group whose targets take as long as they are said to take, on a clock that only they move. */
function group(speeds: readonly number[], options: object = {}, weights: readonly number[] = speeds.map(() => 1)) {
  const strategy = leastLatencyStrategy(latencies(10 * minute, 100));
  const children = leaves(...weights.map((weight) => ({ weight })));
  const route = strategy.compile(strategy.schema.parse({ explore: 0, ...options }), children, node("config"));
  let now = 0;
  const clock = { now: () => now };
  return {
    pass(milliseconds: number) {
      now += milliseconds;
    },
    /** Asks a target that keeps silent; what is returned is that nobody waits any more, so many milliseconds later, or that the gateway itself fails then, or that it answers now. */
    begin(): { at: number; leave(after: number, isOurs?: boolean): void; answer(): void } {
      const leaving = new AbortController();
      const exchange = exchangeOf({ signal: leaving.signal });
      const steps: Iterator<Target, Outcome, Outcome | undefined> = route(walkOf({ ...clock, exchange }));
      const at = Number(/\d/.exec((steps.next(undefined).value as Target).path));
      return {
        at,
        leave(after, isOurs = false) {
          now += after;
          if (!isOurs) leaving.abort();
          steps.return?.();
        },
        answer: () => void steps.next(outcome(200)),
      };
    },
    ask(went: Outcome = outcome(200), draws: readonly number[] = [0], more: Partial<Walk> = {}): number {
      const steps: Iterator<Target, Outcome, Outcome | undefined> = route(walkOf({ ...clock, draws, ...more }));
      const step = steps.next(undefined);
      if (step.done) throw new Error("a target was expected");
      const at = Number(/\d/.exec((step.value as Target).path));
      now += speeds[at] ?? 0;
      expect(steps.next(went)).toEqual({ done: true, value: went });
      return at;
    },
  };
}

describe("least latency", () => {
  it("asks every target once, then the fastest", () => {
    const { ask } = group([300, 100, 200]);
    const first = [ask(), ask(), ask()];
    expect(new Set(first)).toEqual(new Set([0, 1, 2]));
    expect([ask(), ask(), ask()]).toEqual([1, 1, 1]);
  });

  it("leaves a target that fails, and comes back to it when its measurement is old", () => {
    const { ask, pass } = group([100, 150]);
    ask();
    ask();
    expect(ask(failed.timeout)).toBe(0);
    expect(ask()).toBe(1);
    pass(10 * minute);
    expect([ask(), ask()].sort()).toEqual([0, 1]);
  });

  it("learns nothing from a client's mistakes and from what plugins gave", () => {
    const { ask } = group([100, 150]);
    ask(outcome(400));
    expect(ask(outcome(200, { given: true }))).toBe(0);
    expect(ask()).toBe(0);
    expect(ask()).toBe(1);
  });

  it("does not go on with a target that refuses whatever it is asked, and comes back to it later", () => {
    const { ask, pass } = group([100, 150]);
    expect([1, 2, 3].map(() => ask(outcome(404)))).toEqual([0, 0, 0]);
    expect([ask(), ask(), ask()]).toEqual([1, 1, 1]);
    // One that was measured once is known.
    for (let count = 0; count < 5; count++) expect(ask(outcome(404))).toBe(1);
    pass(10 * minute);
    expect([ask(), ask(), ask()]).toEqual([0, 1, 0]);
  });

  it("sends no others after a first call that is under way, where somebody else is known to answer", () => {
    const { ask, begin } = group([100, 150]);
    const silent = begin();
    expect(silent.at).toBe(0);
    // Nobody is known yet: any may be asked.
    expect(ask(outcome(200), [0.9])).toBe(1);
    expect([ask(), ask(), ask()]).toEqual([1, 1, 1]);
    silent.leave(1000);
    expect(ask()).toBe(0);
    expect([ask(), ask()]).toEqual([0, 0]);
  });

  it("does not go on with a target that is silent for longer than anybody waits", () => {
    const { ask, begin, pass } = group([100, 150]);
    const first = begin();
    expect(ask(outcome(200), [0.9])).toBe(1);
    first.leave(1000);
    for (let count = 0; count < 2; count++) {
      const again = begin();
      expect(again.at).toBe(0);
      again.leave(1000);
    }
    expect([ask(), ask(), ask()]).toEqual([1, 1, 1]);
    pass(10 * minute);
    expect(ask()).toBe(0);
  });

  it("leaves a fast target that has become silent, and not one whose client left before it could answer", () => {
    const { ask, begin } = group([100, 150]);
    expect([ask(), ask(), ask()]).toEqual([0, 1, 0]);
    const early = begin();
    early.leave(50);
    expect([early.at, ask()]).toEqual([0, 0]);
    begin().leave(1000);
    expect([ask(), ask()]).toEqual([1, 1]);
  });

  it("takes a target that lost a race for no slower than it was seen to be", () => {
    const { ask, begin } = group([100, 150]);
    expect([ask(), ask(), ask()]).toEqual([0, 1, 0]);
    begin().leave(120);
    expect(ask()).toBe(0);
    begin().leave(160);
    expect(ask()).toBe(1);
  });

  it("does not hold races against a target that it has lost before anybody could have answered", () => {
    const { ask, begin } = group([100, 150]);
    const first = begin();
    expect(ask(outcome(200), [0.9])).toBe(1);
    first.leave(5);
    for (let count = 0; count < 4; count++) begin().leave(149);
    expect([ask(), ask()]).toEqual([0, 0]);
  });

  it("learns nothing from what the gateway itself failed at", () => {
    const { ask, begin } = group([100, 150]);
    for (let count = 0; count < 3; count++) begin().leave(1000, true);
    expect([ask(), ask(), ask()]).toEqual([0, 1, 0]);
    begin().leave(1000, true);
    expect(ask()).toBe(0);
  });

  it("leaves a fast target as soon as it has kept silent for longer than the next one takes", () => {
    const { ask, begin, pass } = group([100, 150]);
    expect([ask(), ask(), ask()]).toEqual([0, 1, 0]);
    const silent = [begin(), begin()];
    pass(149);
    silent.push(begin());
    expect(silent.map(({ at }) => at)).toEqual([0, 0, 0]);
    pass(2);
    expect([ask(), ask()]).toEqual([1, 1]);
    // What answers after all was slow, and is not silent any more.
    pass(500);
    for (const { answer } of silent) answer();
    expect(ask()).toBe(1);
    pass(10 * minute);
    expect(ask()).toBe(0);
  });

  it("says of targets that all keep silent that they do", () => {
    const { ask, begin, pass } = group([100, 150]);
    const notes: string[] = [];
    const note = (_path: string, words: string) => notes.push(words);
    ask();
    ask();
    begin();
    ask(outcome(200), [0], { note });
    begin();
    pass(500);
    begin();
    pass(300);
    ask(outcome(200), [0], { note });
    expect(notes).toEqual([
      "answered fastest of late: in 100 ms",
      expect.stringMatching(/^has kept silent for \d+ ms, and the others take longer, or have for longer$/),
    ]);
  });

  it("does not leave a target that answers others while one waits for long", () => {
    const { ask, begin } = group([100, 150]);
    expect([ask(), ask(), ask()]).toEqual([0, 1, 0]);
    begin();
    expect([ask(), ask(), ask(), ask()]).toEqual([0, 0, 0, 0]);
  });

  it("does not take a target for fast that has failed fast, and nothing else", () => {
    const { ask } = group([1, 2000]);
    expect(ask(outcome(200), [0.9])).toBe(1);
    expect([1, 2, 3].map(() => ask(outcome(429)))).toEqual([0, 0, 0]);
    expect([ask(), ask(), ask()]).toEqual([1, 1, 1]);
  });

  it("leaves a target whose credential is refused", () => {
    const { ask } = group([100, 150]);
    expect([ask(), ask(), ask(outcome(401)), ask()]).toEqual([0, 1, 0, 1]);
  });

  it("asks any where all refuse", () => {
    const { ask } = group([100, 150]);
    for (let count = 0; count < 6; count++) ask(outcome(400));
    expect([ask(outcome(400), [0]), ask(outcome(400), [0.9])]).toEqual([0, 1]);
  });

  it("sends a share of requests elsewhere, by weight", () => {
    const { ask } = group([100, 150], { explore: 0.1 });
    ask(outcome(200), [0.5]);
    ask(outcome(200), [0.5]);
    expect(ask(outcome(200), [0.09, 0.9])).toBe(1);
    expect(ask(outcome(200), [0.1])).toBe(0);
  });

  it("measures each config for itself", () => {
    const { ask } = group([100, 150]);
    ask(outcome(200), [0], { config: "one" });
    expect(ask(outcome(200), [0], { config: "other" })).toBe(0);
  });

  it("measures anew what a saved config says in place of something else", () => {
    const known = latencies(10 * minute, 100);
    const strategy = leastLatencyStrategy(known);
    let now = 0;
    /** Which child a version of the config leads to, and has taken so long. */
    const ask = (children: readonly RouteChild[], takes: number): string => {
      const route = strategy.compile(strategy.schema.parse({ explore: 0 }), children, node("config"));
      const steps: Iterator<Target, Outcome, Outcome | undefined> = route(walkOf({ config: "saved", now: () => now }));
      const { path } = steps.next(undefined).value as Target;
      now += takes;
      steps.next(outcome(200));
      return path;
    };
    const versions = (first: Readonly<Record<string, string>>) =>
      leaves({ fields: first }, { fields: { provider: "@b" } });
    const old = versions({ provider: "@a" });
    expect([ask(old, 500), ask(old, 100), ask(old, 100)].join()).toBe(
      "config.targets[0],config.targets[1],config.targets[1]",
    );
    expect(ask(versions({ provider: "@a" }), 100)).toBe("config.targets[1]");
    const edited = versions({ provider: "@new" });
    expect([ask(edited, 50), ask(edited, 50)].join()).toBe("config.targets[0],config.targets[0]");
    const within = (provider: string) => [
      {
        ...leaves({ targets: [node("config.targets[0].targets[0]", { fields: { provider } })] })[0],
        index: 0,
      } as RouteChild,
      ...leaves({}, { fields: { provider: "@b" } }).slice(1),
    ];
    expect(ask(within("@c"), 500)).toBe("config.targets[0]");
    expect(ask(within("@d"), 10)).toBe("config.targets[0]");
  });

  it("measures for each workspace", () => {
    const { ask } = group([100, 150]);
    const of = (id: string, workspace?: string): Partial<Walk> => ({
      config: "one",
      exchange: exchangeOf({ principal: { id, ...(workspace !== undefined && { workspace }) } }),
    });
    ask(outcome(200), [0], of("a", "w"));
    expect(ask(outcome(200), [0], of("b", "v"))).toBe(0);
    expect(ask(outcome(200), [0], of("c", "w"))).toBe(1);
    ask(outcome(200), [0], of("d"));
    expect(ask(outcome(200), [0], of("e"))).toBe(1);
  });

  it("never asks a target that is off, or one a gate is shut for", () => {
    const { ask } = group([1, 150], {}, [0, 1]);
    expect([ask(), ask(), ask()]).toEqual([1, 1, 1]);
    const strategy = leastLatencyStrategy(latencies(minute, 10));
    const [shut, open] = leaves({}, {}) as [RouteChild, RouteChild];
    const children = [{ ...shut, isShut: () => true }, open];
    const route: Route = strategy.compile(strategy.schema.parse({ explore: 0 }), children, node("config"))(walkOf());
    expect((route as Iterator<Target, Outcome, undefined>).next(undefined).value).toMatchObject({
      path: "config.targets[1]",
    });
  });

  it("cannot do with weights of 0 only", () => {
    expect(refusalOf(() => group([1], {}, [0]).ask())).toBe("config_invalid");
  });
});

describe("what is remembered", () => {
  it("is a moving mean, worse for every failure, and bounded", () => {
    const known = latencies(minute, 2);
    known.answered("a", 100, 0);
    known.answered("a", 200, 0);
    expect(known.of("a", 0)).toBeCloseTo(130);
    known.failed("a", 10, 0);
    expect(known.of("a", 0)).toBeCloseTo(260);
    for (let count = 0; count < 30; count++) known.failed("a", 10, 0);
    expect(known.of("a", 0)).toBe(120_000);
    known.answered("b", 1, 0);
    known.answered("c", 1, 0);
    expect([known.of("a", 0), known.of("c", 0), known.of("c", minute)]).toEqual([undefined, 1, undefined]);
  });
});
