import type { Name } from "./parse.ts";
import { isObject, ownValue } from "./values.ts";

/** What names are looked up in: the variables, and within sections what they are about. */
export interface Frame {
  readonly value: unknown;
  readonly outer?: Frame;
}

/**
 * What a name stands for; undefined where nothing does. A literal key with the whole name is tried in each frame before
 * the name is taken apart at its dots; then the innermost frame that has its first step decides (prompts.md section 2.1).
 * `visit` is told of each frame that is looked into.
 */
export function lookUp({ text, path, reserved }: Name, frame: Frame, visit: () => void): unknown {
  if (text === ".") return frame.value;
  if (reserved) return undefined;
  const literal = inFrames(text, frame, visit);
  if (literal !== undefined || !path) return literal;
  let value = inFrames(path[0] ?? "", frame, visit);
  for (let at = 1; at < path.length && value !== undefined; at++) {
    visit();
    value = isObject(value) ? ownValue(value, path[at] ?? "") : undefined;
  }
  return value;
}

function inFrames(name: string, innermost: Frame, visit: () => void): unknown {
  for (let frame: Frame | undefined = innermost; frame; frame = frame.outer) {
    visit();
    const value = isObject(frame.value) ? ownValue(frame.value, name) : undefined;
    if (value !== undefined) return value;
  }
  return undefined;
}
