import { type Fields, type ModerationFindings, moderationOf } from "../../../core/index.ts";

/**
 * What moderation found in the input and in the output, each in a list of results, or the error in its place:
 *
 *     { input: { type: "moderation_results", model, results: [{ flagged, … }] }, output: { type: "error", code, message } }
 */
export const moderation = moderationOf({
  read: (side) => (Array.isArray(side.results) && side.results.length > 0 ? side.results : side),
  write: results,
});

function results(found: ModerationFindings): Fields {
  return Array.isArray(found) ? { type: "moderation_results", model: found[0]?.model, results: found } : { ...found };
}
