import { raise } from "../errors/gateway-error.ts";
import type { Outcome, Route, Target } from "../model/route.ts";
import type { OutcomeTest, RouteChild, Walk } from "../model/routing.ts";
import { seeing } from "./seeing.ts";
import { WalkWithAlternatives } from "./walk-with-alternatives.ts";

/** What makes a group go on to its next child (routing-config.md 7.2): without a list everything but success. */
export function movesOn(codes: readonly number[] | undefined): OutcomeTest {
  if (!codes) return ({ ok, exception }) => !ok && !exception;
  const listed = new Set(codes);
  return ({ status, exception }) => listed.has(status) && !exception;
}

/** Each child in turn, until one does not end with something to move on from; the last one ends it however it went. */
export function* inTurn(children: readonly RouteChild[], goesOn: OutcomeTest, walk: Walk): Route {
  const last = children.length - 1;
  for (let at = 0; at < last; at++) {
    const child = children[at] as RouteChild;
    const outcome = yield* withAlternatives(child, goesOn, walk);
    if (!goesOn(outcome)) return outcome;
    const next = children[at + 1] as RouteChild;
    walk.note(child.node.path, `answered ${outcome.status}: ${next.node.path} is next`);
  }
  const child = children[last] ?? raise("config_invalid", "A group needs targets.");
  return yield* child.route(walk);
}

/**
 * A child with others after it. Whether they will be tried depends on how the child fails, so each outcome is seen on
 * its way in: whoever asks about alternatives after an attempt is answered for that attempt.
 */
function withAlternatives(child: RouteChild, goesOn: OutcomeTest, walk: Walk): Route {
  const within = new WalkWithAlternatives(walk, goesOn);
  const see = (outcome: Outcome): void => {
    within.last = outcome;
  };
  const isImagined = walk.exchange.role === "imagined";
  return seeing(child.route(within), see, isImagined ? (target) => leftFor(target, goesOn) : undefined);
}

const leftFor = ({ movesOn: within = [], ...target }: Target, goesOn: OutcomeTest): Target => ({
  ...target,
  movesOn: [...within, goesOn],
});
