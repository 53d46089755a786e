import { createHash } from "node:crypto";
import { finderOf, type LimitFacts } from "./facts.ts";

/** Stands for a value that a request does not have: such requests share a counter. */
const unset = "__unset__";
/** A value that is written like that: no other one is escaped to it, as a percent sign is escaped itself. */
const writtenUnset = "%5F_unset__";

const longest = 256;

/** Names the counter of a request under a policy: `metadata._user:ana|model:@openai/gpt-4o` (policies.md section 4). */
export function valueKeysOf(groupBy: readonly string[]): (facts: LimitFacts) => string {
  const parts = groupBy.map((key) => {
    const find = finderOf(key);
    return (facts: LimitFacts) => valuePart(key, find(facts));
  });
  const [only, ...others] = parts;
  if (only && others.length === 0) return only;
  return (facts) => parts.map((part) => part(facts)).join("|");
}

function valuePart(key: string, value: string | undefined): string {
  if (value === undefined) return `${key}:${unset}`;
  return `${key}:${value.length > longest ? `sha256:${createHash("sha256").update(value).digest("hex")}` : escaped(value)}`;
}

function escaped(value: string): string {
  if (value === unset) return writtenUnset;
  return value.includes("%") || value.includes("|") ? value.replace(/%/g, "%25").replace(/\|/g, "%7C") : value;
}
