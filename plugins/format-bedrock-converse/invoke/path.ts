import { type Fields, isRecord } from "../../../core/index.ts";

/** The value a path of names leads to: `finishReason.reason`. */
export const valueAt = (wire: Readonly<Fields>, path: string): unknown =>
  path.split(".").reduce<unknown>((inner, name) => (isRecord(inner) ? inner[name] : undefined), wire);

/** Puts a value where a path leads to; what is not there on the way is made. */
export function put(wire: Fields, path: string, value: unknown): void {
  const names = path.split(".");
  const last = names.pop() ?? path;
  let inner = wire;
  for (const name of names) {
    const next = inner[name];
    const object = isRecord(next) ? next : {};
    inner[name] = object;
    inner = object;
  }
  inner[last] = value;
}
