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
