import { type Fields, isRecord, type ModerationFindings, moderationOf } from "../../../core/index.ts";

/**
 * What moderation found in the input and in the output, each in one result, or the error in its place:
 *
 *     { input: { type: "moderation_result", flagged, … }, output: { type: "error", code, message } }
 */
export const moderation = moderationOf({
  read: (side) => (side.type === "error" ? side : [side]),
  write: inOne,
});

/** Of several things that were looked at: what was found in any of them. */
function inOne(found: ModerationFindings): Fields {
  if (!Array.isArray(found)) return { ...found };
  let all: Fields = {};
  for (const one of found) all = inAny(all, one);
  return all;
}

function inAny(before: Fields, next: Fields): Fields {
  const all = { ...before };
  for (const [name, value] of Object.entries(next)) {
    const had = before[name];
    if (isRecord(had) && isRecord(value)) all[name] = inAny(had, value);
    else if (typeof had === "number" && typeof value === "number") all[name] = Math.max(had, value);
    else if (Array.isArray(had) && Array.isArray(value)) all[name] = [...new Set([...had, ...value])];
    else all[name] = had || value;
  }
  return all;
}
