import type { Path } from "./mistakes.ts";

/** What stands at a path of plain data; `undefined` where nothing does. */
export const valueAt = (root: unknown, path: Path): unknown =>
  path.reduce<unknown>(
    (value, step) =>
      typeof value === "object" && value !== null && Object.hasOwn(value, step)
        ? (value as Readonly<Record<string | number, unknown>>)[step]
        : undefined,
    root,
  );

/** Everything in a value that is no map and no list, as text, with its path. */
export const leavesOf = (value: unknown, path: Path): { text: string; path: Path }[] => {
  if (typeof value !== "object" || value === null) {
    const text = value === null || value === undefined ? "" : String(value);
    return text === "" ? [] : [{ text, path }];
  }
  return Object.entries(value).flatMap(([key, inner]) => leavesOf(inner, [...path, key]));
};

/** A value that is not to be seen, and the variables it comes from. */
export interface Hidden {
  readonly text: string;
  readonly variables: readonly string[];
}

/** A message without such values, the longest first: one may be part of another. What is quoted is named by its variables. */
export const withoutValues = (message: string, hidden: readonly Hidden[]): string =>
  hidden
    .toSorted((left, right) => right.text.length - left.text.length)
    .reduce((told, { text, variables }) => {
      const named = variables.length > 0 && `the value of ${variables.join(" and ")}`;
      return (named ? told.replaceAll(JSON.stringify(text), named) : told).replaceAll(text, "[hidden]");
    }, message);
