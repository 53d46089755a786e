import type { z } from "zod";
import { nearest } from "../nearest.ts";

type Issue = z.core.$ZodIssue;
/** Stands for a message nobody wrote: a schema's own message is kept, all others are put in our words. */
export const unwritten = "\u0000";

type IssueOf<Code extends Issue["code"]> = Extract<Issue, { code: Code }>;

/** What stands in the file where an issue was found. */
export interface Found {
  readonly value: unknown;
  /** May be printed: neither a secret nor from the environment. */
  readonly shown: boolean;
  /** The environment variables it came from. */
  readonly variables: readonly string[];
  /** A reference in quotes, which stays text. */
  readonly fixed: boolean;
}

const nouns: Readonly<Record<string, string>> = {
  string: "text",
  number: "a number",
  int: "a whole number",
  boolean: "true or false",
  object: "a map",
  record: "a map",
  map: "a map",
  array: "a list",
  tuple: "a list",
  set: "a list",
  null: "nothing",
  undefined: "nothing",
  never: "nothing",
};

/** What zod calls a type, as one would say it. */
export const noun = (type: string): string => nouns[type] ?? `a ${type}`;

const quoted = (value: unknown): string => (typeof value === "bigint" ? String(value) : JSON.stringify(value));

const longestShown = 60;

function kindOf(value: unknown): string {
  if (value === null || value === undefined) return "nothing";
  if (Array.isArray(value)) return "a list";
  if (typeof value === "string") return "text";
  if (typeof value === "number") return "a number";
  return typeof value === "boolean" ? "true or false" : "a map";
}

/** Behind what is said of a value: the environment variables it came from, if any. */
const origin = (variables: readonly string[]): string =>
  variables.length > 0 ? ` (from the environment variable ${variables.join(" and ")})` : "";

/** A message somebody wrote, with the variables that whoever reads it has to look at, unless it names one itself. */
export const withOrigin = (message: string, variables: readonly string[]): string =>
  variables.some((name) => message.includes(name)) ? message : `${message}${origin(variables)}`;

/** `found the text "abc"`, or `found text (the value of PORT)`. */
function found({ value, shown, variables }: Found): string {
  const kind = kindOf(value);
  const text = quoted(value) ?? "";
  if (!shown || (value !== null && typeof value === "object") || text.length > longestShown) {
    return `found ${kind}${origin(variables)}`;
  }
  if (typeof value === "string") return `found the text ${text}`;
  if (typeof value === "number") return `found the number ${value}`;
  return typeof value === "boolean" ? `found ${text}` : "found nothing";
}

/** What is wrong, in words of the file and not of the schema library. */
export function words(issue: Issue, at: Found): string {
  switch (issue.code) {
    case "invalid_type":
      return wrongType(issue, at);
    case "too_small":
      return `must ${bound("at least", "more than", issue.minimum, issue)}; ${found(at)}`;
    case "too_big":
      return `must ${bound("at most", "less than", issue.maximum, issue)}; ${found(at)}`;
    case "invalid_format":
      return `${format(issue)}; ${found(at)}`;
    case "not_multiple_of":
      return `must be a multiple of ${issue.divisor}; ${found(at)}`;
    case "invalid_value":
      return notListed(issue.values, at);
    case "invalid_union":
      return "options" in issue && issue.options ? notListed(issue.options, at) : `${eitherOf(issue)}; ${found(at)}`;
    case "invalid_key":
      return `this name cannot be used: ${issue.issues.map(withoutFound).join(", ")}`;
    case "unrecognized_keys":
      return `unknown ${issue.keys.map(quoted).join(", ")}`;
    default:
      return "is not valid";
  }
}

const containers: ReadonlySet<string> = new Set(["a map", "a list"]);

function wrongType({ expected }: IssueOf<"invalid_type">, at: Found): string {
  if (containers.has(noun(expected)) && typeof at.value === "string" && at.variables.length === 0)
    return `expected ${noun(expected)}, found text${joinedTo(at.value)}`;
  const needsQuotes = expected === "string" && (typeof at.value === "number" || typeof at.value === "boolean");
  const remedy = needsQuotes ? "; put it in quotes" : at.fixed ? "; remove the quotes around the reference" : "";
  return `expected ${noun(expected)}, ${found(at)}${remedy}`;
}

/** Text in the place of several values may be a secret that lost its key: only the key is told of `apiKey:sk-…`. */
function joinedTo(text: string): string {
  const [, key] = /^([\w-]+):[^\s/]/.exec(text) ?? [];
  return key === undefined ? "" : `; write a space behind the colon of "${key}:"`;
}

function bound(
  reaching: string,
  beyond: string,
  limit: number | bigint,
  { origin, inclusive, exact }: IssueOf<"too_small" | "too_big">,
): string {
  const many = (what: string) => `${limit} ${what}${Number(limit) === 1 ? "" : "s"}`;
  const comparison = exact ? "exactly" : inclusive === false ? beyond : reaching;
  if (origin === "string") {
    return comparison === "at least" && Number(limit) === 1
      ? "not be empty"
      : `have ${comparison} ${many("character")}`;
  }
  if (origin === "array" || origin === "set") return `have ${comparison} ${entries(limit)}`;
  if (origin === "record" || origin === "map" || origin === "object") return `have ${comparison} ${entries(limit)}`;
  return `be ${comparison === "exactly" ? "" : `${comparison} `}${limit}`;
}

const entries = (count: number | bigint) => `${count} ${Number(count) === 1 ? "entry" : "entries"}`;

const formats: Readonly<Record<string, string>> = {
  url: 'must be a URL such as "https://example.com"',
  email: "must be an e-mail address",
  uuid: "must be a UUID",
  guid: "must be a UUID",
  ipv4: "must be an IPv4 address",
  ipv6: "must be an IPv6 address",
  cidrv4: 'must be an IPv4 range such as "10.0.0.0/8"',
  cidrv6: 'must be an IPv6 range such as "fd00::/8"',
  datetime: 'must be a time such as "2030-01-31T12:00:00Z"',
  date: 'must be a date such as "2030-01-31"',
  time: 'must be a time of day such as "12:00:00"',
  duration: 'must be a duration such as "P1D"',
  base64: "must be base64",
  base64url: "must be base64url",
};

function format(issue: IssueOf<"invalid_format">): string {
  if (issue.format === "starts_with" && "prefix" in issue) return `must begin with ${quoted(issue.prefix)}`;
  if (issue.format === "ends_with" && "suffix" in issue) return `must end with ${quoted(issue.suffix)}`;
  if (issue.format === "includes" && "includes" in issue) return `must contain ${quoted(issue.includes)}`;
  if (issue.format === "regex") return `must match ${issue.pattern ?? "a pattern"}`;
  return formats[issue.format] ?? `must be a valid ${issue.format}`;
}

function notListed(values: readonly unknown[], at: Found): string {
  const meant =
    at.shown && typeof at.value === "string"
      ? nearest(
          at.value,
          values.filter((value) => typeof value === "string"),
        )
      : undefined;
  const remedy = meant === undefined ? "" : `; did you mean ${quoted(meant)}?`;
  return `must be ${values.length > 1 ? "one of " : ""}${values.map(quoted).join(", ")}; ${found(at)}${remedy}`;
}

/** `expected a whole number or "auto"`: what each member of a union wanted. */
function eitherOf(issue: IssueOf<"invalid_union">): string {
  const wanted = issue.errors.flatMap((member) => member.slice(0, 1)).map(want);
  return wanted.length === 0 ? "fits several forms at once" : `expected ${[...new Set(wanted)].join(" or ")}`;
}

function want(issue: Issue): string {
  if (issue.code === "invalid_type") return noun(issue.expected);
  if (issue.code === "invalid_value") return issue.values.map(quoted).join(" or ");
  return `something that ${withoutFound(issue)}`;
}

/** What is wrong, with nothing said of what stands there. */
export const withoutFound = (issue: Issue): string =>
  issue.message === unwritten ? words(issue, nothingShown).replace(/[;,] found .*$/, "") : issue.message;
const nothingShown: Found = { value: undefined, shown: false, variables: [], fixed: false };
