import { longNumberIn } from "../../../core/index.ts";
import { because } from "./refusals.ts";

/** Values come from JSON; anything else a program could put there is nothing, and no code of it runs. */
export type Data = Readonly<Record<string, unknown>>;

/** Objects inside objects, in what is rendered as JSON. */
export const deepestJson = 100;

/** Whether a section over a value is rendered. */
export const isTruthy = (value: unknown): boolean =>
  Array.isArray(value)
    ? value.length > 0
    : value !== undefined && value !== null && value !== false && value !== 0 && value !== "";

export const isObject = (value: unknown): value is Data =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** What an object itself holds under a name, unless it would have to be computed. A number that no double holds is a bigint. */
export function ownValue(holder: object, name: PropertyKey): unknown {
  const value: unknown = Object.getOwnPropertyDescriptor(holder, name)?.value;
  return typeof value === "number" ? (longNumberIn(holder, name) ?? value) : value;
}

/** A value as text: objects and lists as compact JSON, what is missing as nothing. */
export const textOf = (value: unknown): string =>
  typeof value === "string" ? value : value === null ? "" : (jsonOf(value) ?? "");

/** A value as compact JSON; undefined for what JSON has no word for. */
export function jsonOf(value: unknown, depth = 0): string | undefined {
  if (typeof value === "string") return JSON.stringify(value);
  if (typeof value === "boolean" || typeof value === "bigint" || value === null) return String(value);
  if (typeof value === "number") return Number.isFinite(value) ? JSON.stringify(value) : "null";
  if (typeof value !== "object") return undefined;
  if (depth === deepestJson)
    throw because("prompt_variables_invalid", `variables: nested more than ${deepestJson} deep.`, "variables");
  return Array.isArray(value) ? `[${jsonOfItems(value, depth + 1)}]` : `{${jsonOfMembers(value, depth + 1)}}`;
}

/** The items of a list, with commas between them. */
export const jsonOfItems = (list: readonly unknown[], depth = 1): string =>
  Array.from({ length: list.length }, (_, at) => jsonOf(ownValue(list, at), depth) ?? "null").join();

const jsonOfMembers = (members: object, depth: number): string =>
  Object.keys(members)
    .flatMap((name) => {
      const json = jsonOf(ownValue(members, name), depth);
      return json === undefined ? [] : [`${JSON.stringify(name)}:${json}`];
    })
    .join();

/** Whether a value has more than so many levels of objects and lists. */
export const isDeeperThan = (levels: number, value: unknown): boolean =>
  typeof value === "object" &&
  value !== null &&
  (levels === 0 || Object.values(value).some((inner) => isDeeperThan(levels - 1, inner)));
