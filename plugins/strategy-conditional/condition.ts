import { GatewayError } from "../../core/index.ts";
import type { Facts } from "./facts.ts";
import { compileJsonLogic } from "./json-logic.ts";
import { type Mistake, Mistakes } from "./mistakes.ts";
import { compileQuery, isObject, type Predicate } from "./query.ts";

/** A condition, ready to be asked. */
export interface Condition {
  /** Throws when it cannot be asked. */
  holds(facts: Facts): boolean;
  /** The name of the child it leads to. */
  readonly target: unknown;
  readonly mistakes: readonly Mistake[];
  /** Names in it that mean nothing. */
  readonly unknown: readonly string[];
}

/** Compiles one element of `conditions`. `path` is where it stands below the group. */
export function compileCondition(source: unknown, path: string): Condition {
  const mistakes = new Mistakes(path);
  const { query, then, json_logic, jsonLogic, ...others } = fieldsOf(source);
  const logic = json_logic ?? jsonLogic;
  const predicates: Predicate[] = [];
  if (isObject(query)) predicates.push(compileQuery(query, mistakes.at("query")));
  else if (query !== undefined) mistakes.at("query").slight("must be an object");
  if (logic !== undefined) predicates.push(compileJsonLogic(logic, mistakes.at("json_logic")));
  if (query === undefined && logic === undefined) mistakes.slight("needs a query or json_logic");
  if (query !== undefined && logic !== undefined) mistakes.slight("has a query and json_logic; only one is meant");
  // Half a condition is none: what cannot be read must not widen what can.
  const readable = predicates.length > 0 && (query === undefined || isObject(query));
  const [fatal] = mistakes.found.filter((mistake) => mistake.fatal);
  return {
    target: then,
    mistakes: mistakes.found,
    unknown: Object.keys(others),
    holds(facts) {
      if (fatal) throw new GatewayError("config_invalid", `${fatal.path} ${fatal.message}.`, { param: fatal.path });
      return readable && predicates.every((holds) => holds(facts));
    },
  };
}

interface Fields {
  readonly query?: unknown;
  readonly json_logic?: unknown;
  readonly jsonLogic?: unknown;
  readonly then?: unknown;
}

const fieldsOf = (source: unknown): Fields => (isObject(source) ? source : {});
