import { comesTo, isTruthy } from "./json-logic-model.ts";
import { Refused } from "./prediction.ts";
import type { Asked, Fields } from "./trees.ts";

/**
 * Whether a condition holds of a request, below a node that says `metadata` (routing-config.md section 7.5). Throws Refused
 * where it cannot be asked.
 */
export function isMet(condition: Fields, metadata: Fields | undefined, asked: Asked): boolean {
  const { query } = condition;
  // Of expressions, null is as good as none.
  const json_logic = condition.json_logic ?? condition.jsonLogic ?? undefined;
  if (query === undefined && json_logic === undefined) return false;
  if (isObject(query) && !isAskable(query)) throw new Refused();
  if (json_logic !== undefined && !isLogic(json_logic)) throw new Refused();
  if (query !== undefined && !isObject(query)) return false;
  const said = saidOf(metadata, asked);
  const url = { pathname: pathnameOf(asked) };
  return (
    (query === undefined || holds(query, said, asked)) &&
    (json_logic === undefined || isTruthy(comesTo(json_logic, { metadata: said, params: asked.body, url })))
  );
}

/** The metadata of a request below a node that says some itself. */
export const saidOf = (metadata: Fields | undefined, { headers, body }: Asked): Fields => ({
  ...metadata,
  ...(typeof body.user === "string" && { _user: body.user }),
  ...JSON.parse(headers["x-gateway-metadata"] ?? "{}"),
});

/** Two segments, and a primitive there; undefined where there is nothing to compare. */
export function valueAt(at: string, metadata: Fields, asked: Asked): unknown {
  const [root = "", key = "", ...more] = at.split(".");
  const roots: Fields = { metadata, params: asked.body, url: { pathname: pathnameOf(asked) } };
  const place = Object.hasOwn(roots, root) && more.length === 0 ? (roots[root] as Fields) : {};
  const value = Object.hasOwn(place, key) ? place[key] : undefined;
  return typeof value === "object" && value !== null ? undefined : value;
}

const pathnameOf = ({ path = "/v1/chat/completions" }: Asked): string => path.replace(/\?.*/, "");

function holds(query: Fields, said: Fields, asked: Asked): boolean {
  return Object.entries(query).every(([key, wanted]) => {
    if (key === "$and") return (wanted as Fields[]).every((one) => holds(one, said, asked));
    if (key === "$or") return (wanted as Fields[]).some((one) => holds(one, said, asked));
    const value = valueAt(key, said, asked);
    if (value === undefined) return false;
    if (!isObject(wanted)) return value === wanted;
    return Object.entries(wanted).every(([operator, operand]) => operators[operator]?.(value, operand));
  });
}

type Operator = (value: unknown, operand: unknown) => boolean;

const compared =
  (isSo: (one: number, other: number) => boolean): Operator =>
  (value, operand) =>
    isSo(Number.parseFloat(String(value)), Number.parseFloat(String(operand)));

const operators: Readonly<Record<string, Operator>> = {
  $eq: (value, operand) => value === operand,
  $ne: (value, operand) => value !== operand,
  $in: (value, operand) => Array.isArray(operand) && operand.includes(value),
  $nin: (value, operand) => Array.isArray(operand) && !operand.includes(value),
  $gt: compared((one, other) => one > other),
  $gte: compared((one, other) => one >= other),
  $lt: compared((one, other) => one < other),
  $lte: compared((one, other) => one <= other),
  $regex(value, operand) {
    if (typeof operand !== "string") return false;
    try {
      return new RegExp(operand).test(String(value));
    } catch {
      return false;
    }
  },
};

const isObject = (value: unknown): value is Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Whether a query has no operator that is unknown, and nothing of another shape in place of one. */
function isAskable(query: Fields): boolean {
  return Object.entries(query).every(([key, wanted]) => {
    if (key === "$and" || key === "$or")
      return Array.isArray(wanted) && wanted.every((one) => isObject(one) && isAskable(one));
    if (key.startsWith("$") || Array.isArray(wanted)) return false;
    if (!isObject(wanted)) return true;
    const names = Object.keys(wanted);
    return names.length > 0 && names.every((name) => Object.hasOwn(operators, name));
  });
}

/** What is not to be had of the library: it would write to the log, or call what it likes. */
const withheld = new Set(["log", "method"]);

function isLogic(logic: unknown): boolean {
  if (Array.isArray(logic)) return logic.every(isLogic);
  if (!isObject(logic)) return true;
  const [[operation, operands] = ["", []], ...more] = Object.entries(logic);
  return more.length > 0 || (!withheld.has(operation) && isLogic(operands));
}
