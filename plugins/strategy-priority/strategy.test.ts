import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { RouteChild } from "../../core/index.ts";
import { drive, leaves, node, outcome, refusalOf, walkOf } from "../../test/support/walks.ts";
import { priorityStrategy } from "./strategy.ts";

const group = node("config");
const child = (priority: number | undefined, weight = 1) => ({
  weight,
  fields: priority === undefined ? {} : { priority },
});
const routeOf = (children = leaves(child(0), child(0), child(1)), options: object = {}) =>
  priorityStrategy.compile(priorityStrategy.schema.parse(options), children, group);
const order = (called: readonly string[]) => called.map((path) => Number(/\d/.exec(path)));

describe("priorities", () => {
  it.each([
    [[0], [0, 1, 2]],
    [[0.6], [1, 0, 2]],
  ])("with draws %j and every target failing the order is %j", (draws, expected) => {
    const { called, result } = drive(routeOf()(walkOf({ draws })), [outcome(503)]);
    expect(order(called)).toEqual(expected);
    expect(result.status).toBe(503);
  });

  it("tell why the first target is, where a weight decided it", () => {
    const told = (children: RouteChild[]) => {
      const walk = walkOf({ draws: [0.6] });
      drive(routeOf(children)(walk), [outcome(200)]);
      return walk.notes;
    };
    expect(told(leaves(child(0), child(0), child(1)))).toEqual([
      "config.targets[1] was drawn by weight, of those of priority 0",
    ]);
    expect(told(leaves(child(1), child(0), child(1)))).toEqual([]);
  });

  it("stop at the first good answer", () => {
    expect(drive(routeOf()(walkOf()), [outcome(503), outcome(200)]).called).toHaveLength(2);
  });

  it("are 0 unless said otherwise, and a weight of 0 is off", () => {
    const children = leaves(child(1), child(undefined), child(0, 0));
    expect(order(drive(routeOf(children)(walkOf()), [outcome(503)]).called)).toEqual([1, 0]);
  });

  it("go on as the list of statuses says", () => {
    const listed = routeOf(undefined, { on_status_codes: [429] });
    expect(drive(listed(walkOf()), [outcome(503)]).called).toHaveLength(1);
    expect(drive(listed(walkOf()), [outcome(429)]).called).toHaveLength(3);
  });

  it("leave out what a gate is shut for, unless it is shut for all", () => {
    const shutAt = (...shut: number[]) =>
      leaves(child(0), child(0), child(1)).map((one, at) => ({ ...one, isShut: () => shut.includes(at) }));
    expect(order(drive(routeOf(shutAt(0, 1))(walkOf()), [outcome(503)]).called)).toEqual([2]);
    expect(order(drive(routeOf(shutAt(0, 1, 2))(walkOf()), [outcome(503)]).called)).toEqual([0, 1, 2]);
  });

  it("cannot do with weights of 0 only", () => {
    expect(refusalOf(() => routeOf(leaves(child(0, 0)))(walkOf()))).toBe("config_invalid");
    expect(priorityStrategy.check?.({}, [node("config.targets[0]", { weight: 0 })])).toHaveLength(1);
  });

  it("hold for any priorities, weights and draws: sorted, each target once, none that is off", () => {
    const targets = fc.array(fc.record({ priority: fc.nat(3), weight: fc.nat(2) }), { minLength: 1, maxLength: 8 });
    const draws = fc.array(fc.double({ min: 0, max: 0.999, noNaN: true }), { minLength: 1, maxLength: 8 });
    fc.assert(
      fc.property(targets, draws, (written, given) => {
        const on = written.filter(({ weight }) => weight > 0);
        fc.pre(on.length > 0);
        const children = leaves(...written.map(({ priority, weight }) => child(priority, weight)));
        const { called } = drive(routeOf(children)(walkOf({ draws: given })), [outcome(500)]);
        const tried = order(called).map((at) => written[at]);
        expect(new Set(called).size).toBe(on.length);
        expect(tried.map((one) => one?.priority)).toEqual(on.map(({ priority }) => priority).sort((a, b) => a - b));
        expect(tried.every((one) => (one?.weight ?? 0) > 0)).toBe(true);
      }),
    );
  });
});
