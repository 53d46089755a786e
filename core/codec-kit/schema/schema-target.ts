import { type Fields, isRecord } from "../records.ts";

/** What a reference within a schema leads to (JSON Pointer, RFC 6901, as the fragment of a URI); undefined where that is nothing. */
export function targetOf(root: Readonly<Fields>, reference: string): Readonly<Fields> | undefined {
  let found: unknown = root;
  for (const step of stepsOf(reference) ?? [undefined]) found = inside(found, step);
  // `true` for a schema is one that says nothing.
  if (found === true) return {};
  return isRecord(found) ? found : undefined;
}

/** The names of a pointer; undefined where the reference is none. */
function stepsOf(reference: string): string[] | undefined {
  if (reference !== "#" && !reference.startsWith("#/")) return undefined;
  try {
    const [, ...steps] = decodeURIComponent(reference.slice(1)).split("/");
    return steps.map((step) => step.replaceAll("~1", "/").replaceAll("~0", "~"));
  } catch {
    return undefined;
  }
}

function inside(value: unknown, name: string | undefined): unknown {
  if (name === undefined || typeof value !== "object" || value === null || !Object.hasOwn(value, name))
    return undefined;
  return (value as Readonly<Fields>)[name];
}
