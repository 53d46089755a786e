import type { ConfigField } from "../../../core/index.ts";
import { isMap } from "./spelling.ts";

type Fields = Readonly<Record<string, unknown>>;

/** What a node has: what it says itself, and what its ancestors pass down (routing-config.md section 4). */
export function inherited(
  from: Fields,
  own: Fields,
  fields: ReadonlyMap<string, Pick<ConfigField, "inherit" | "together">>,
): Fields {
  const merged: Record<string, unknown> = { ...own };
  const replaced = new Set(Object.keys(own).map((name) => fields.get(name)?.together));
  for (const [name, above] of Object.entries(from)) {
    const value = own[name];
    const { inherit: rule, together } = fields.get(name) ?? {};
    if (together !== undefined && replaced.has(together)) continue;
    if (value === undefined) merged[name] = above;
    else if (rule === "merge" && isMap(above) && isMap(value)) merged[name] = { ...above, ...value };
    else if (rule === "join" && Array.isArray(above) && Array.isArray(value))
      merged[name] = [...new Set([...above, ...value])];
  }
  return merged;
}

/** The part of a node's fields that its children get. */
export const passedDown = (own: Fields, fields: ReadonlyMap<string, Pick<ConfigField, "inherit">>): Fields =>
  Object.fromEntries(Object.entries(own).filter(([name]) => (fields.get(name)?.inherit ?? "none") !== "none"));
