import { type Fields, isRecord, type RanCode, unsigned } from "../../core/index.ts";

/** Code that another vendor ran, and what came of it, as this one tells of its own: the ids say that it was not this one. */
export function encodeRanCode({ id: given, code, language, output, failed }: RanCode): readonly Fields[] {
  const id = unsigned + given;
  const parts: Fields[] = [];
  if (code !== undefined)
    parts.push({ executableCode: { id, language: language === "python" ? "PYTHON" : "LANGUAGE_UNSPECIFIED", code } });
  if (output !== undefined)
    parts.push({ codeExecutionResult: { id, outcome: failed ? "OUTCOME_FAILED" : "OUTCOME_OK", output } });
  return parts;
}

/** Whether it is such a part: the vendor knows nothing of it. */
export const isRanElsewhere = (part: Readonly<Fields>): boolean =>
  [part.executableCode, part.codeExecutionResult].some(
    (ran) => isRecord(ran) && typeof ran.id === "string" && ran.id.startsWith(unsigned),
  );
