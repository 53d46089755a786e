import type { Outcome } from "../../core/index.ts";
import type { TreeNode } from "./route-trees.ts";

/** Ends a walk from wherever it is. */
export class Ending extends Error {
  readonly outcome: Outcome | undefined;
  constructor(outcome?: Outcome) {
    super("ended");
    this.outcome = outcome;
  }
}

/** What the interpreter is run with: how calls are answered, what draws come to, what the request says. */
export interface World {
  call(path: string, delay: number): Outcome;
  draw(): number;
  readonly metadata: Readonly<Record<string, string>>;
}

interface Retry {
  readonly attempts: number;
  readonly on_status_codes?: readonly number[];
  readonly use_retry_after_headers?: boolean;
}

type Moves = (outcome: Outcome) => boolean;

/**
 * Routing configs read as naively as the reference words them: one function that calls itself and waits for answers.
 * `others` tells whether somebody further out would go on after an outcome.
 */
export function interpret(
  node: TreeNode,
  world: World,
  path = "config",
  above?: Retry,
  others: Moves = () => false,
): Outcome {
  const retry = (node.retry as Retry | undefined) ?? above;
  const { strategy, targets = [] } = node;
  const visit = (index: number, moves: Moves): Outcome => {
    const child = targets[index];
    if (!child) throw new Error("no such child");
    return interpret(child, world, `${path}.targets[${index}]`, retry, moves);
  };
  switch (strategy?.mode) {
    case undefined:
      return callLeaf(world, path, retry, others);
    case "single":
      return visit(0, others);
    case "loadbalance":
      return visit(weighted(targets, world), others);
    case "conditional":
      return visit(resolved(node, world), others);
    default: {
      const codes = strategy?.on_status_codes as readonly number[] | undefined;
      const moves: Moves = ({ status }) => (codes ? codes.includes(status) : status < 200 || status > 299);
      for (let index = 0; index < targets.length - 1; index++) {
        const outcome = visit(index, (one) => moves(one) || others(one));
        if (!moves(outcome)) return outcome;
      }
      return visit(targets.length - 1, others);
    }
  }
}

function weighted(targets: readonly TreeNode[], world: World): number {
  const weights = targets.map(({ weight = 1 }) => weight);
  const sum = weights.reduce((total, weight) => total + weight, 0);
  if (sum === 0) throw new Ending();
  const drawn = world.draw() * sum;
  let reached = 0;
  return weights.findIndex((weight) => {
    reached += weight;
    return drawn < reached;
  });
}

interface When {
  readonly query: Readonly<Record<string, string>>;
  readonly then: string;
}

function resolved({ strategy, targets = [] }: TreeNode, world: World): number {
  const conditions = (strategy?.conditions ?? []) as readonly When[];
  const found = conditions.find(({ query }) =>
    Object.entries(query).every(([key, value]) => world.metadata[key.replace("metadata.", "")] === value),
  );
  const index = targets.findIndex(({ name }) => name === (found ? found.then : strategy?.default));
  if (conditions.length === 0 || index < 0) throw new Ending();
  return index;
}

const hopeless = ["context_length_exceeded", "content_filter"];
const final = ["rate_limited", "address_blocked", "provider_missing", "upstream_too_large"];

function callLeaf(world: World, path: string, retry: Retry | undefined, others: Moves): Outcome {
  const call = (delay: number) => {
    const outcome = world.call(path, delay);
    if (outcome.exception) throw new Ending(outcome);
    return outcome;
  };
  if (!retry) return call(0);
  const most = Math.min(retry.attempts, 5);
  const codes = retry.on_status_codes ?? [429, 500, 502, 503, 504, 529];
  let allowance = 60;
  let outcome = call(0);
  for (let made = 0; ; made++) {
    const { status, code = "", reason = "", headers, given = false } = outcome;
    const connection = code === "upstream_failed" || code === "upstream_unreachable";
    const silent = code === "upstream_unreachable" || code === "request_timeout";
    const listed = connection || (codes.includes(status) && !final.includes(code));
    if (!listed || hopeless.includes(reason) || given) return { ...outcome, retries: made };
    if (silent && others(outcome)) return { ...outcome, retries: made };
    if (most === 0) return { ...outcome, retries: 0 };
    if (made === most) return { ...outcome, retries: -1 };
    let seconds = 2 ** made;
    const asked = Number(headers["retry-after"] ?? 0);
    if (status === 246 || status === 446) seconds = 0;
    else if (retry.use_retry_after_headers && status === 429 && asked > 0) {
      if (asked >= 60 || asked > allowance) return { ...outcome, retries: -1 };
      allowance -= asked;
      seconds = asked;
    }
    outcome = call(seconds * 1000);
  }
}
