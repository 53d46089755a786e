import { compact, type Fields, isRecord, type Moderated, type ModerationFindings } from "../../../core/index.ts";

/**
 * What moderation found in the input and in the output, each in a list of results, or the error in its place:
 *
 *     { input: { type: "moderation_results", model, results: [{ flagged, … }] }, output: { type: "error", code, message } }
 *
 * Undefined where it is something else that a vendor says under the name.
 */
export function decodeModeration(wire: unknown): Moderated | undefined {
  if (!isRecord(wire)) return undefined;
  const found = compact({ input: findings(wire.input), output: findings(wire.output) });
  return found.input || found.output ? found : undefined;
}

export const encodeModeration = ({ input, output }: Moderated): Fields => ({
  input: input ? results(input) : null,
  output: output ? results(output) : null,
});

function findings(side: unknown): ModerationFindings | undefined {
  if (!isRecord(side)) return undefined;
  return Array.isArray(side.results) && side.results.length > 0 ? side.results : side;
}

const results = (found: ModerationFindings): Fields =>
  Array.isArray(found) ? { type: "moderation_results", model: found[0]?.model, results: found } : { ...found };
