import type { BatchError } from "../../core/index.ts";
import { type InputLine, inputLines, LineTooLong } from "./input-lines.ts";
import { isProblem, readLine } from "./read-line.ts";

/** Problems that are listed; a file with more of them is no better understood. */
const mostProblems = 100;

export interface Validated {
  readonly total: number;
  /** None where the file is one that can be worked through. */
  readonly errors: readonly BatchError[];
}

/** Looks at every line before any of them is sent (inference-api.md section 16.2). */
export async function validate(bytes: AsyncIterable<Buffer>, endpoint: string, maxLines: number): Promise<Validated> {
  const errors: BatchError[] = [];
  const known = new Map<string, number>();
  let total = 0;
  try {
    for await (const line of inputLines(bytes)) {
      total++;
      if (total > maxLines) return { total, errors: [tooMany(line, maxLines)] };
      const problem = problemOf(line, endpoint, known);
      if (problem) errors.push(problem);
      if (errors.length >= mostProblems) break;
    }
  } catch (error) {
    if (!(error instanceof LineTooLong)) throw error;
    total++;
    errors.push({ code: "line_too_long", message: error.message, line: error.number });
  }
  if (total === 0) errors.push({ code: "empty_file", message: "The input file has no lines." });
  return { total, errors };
}

function problemOf(line: InputLine, endpoint: string, known: Map<string, number>): BatchError | undefined {
  const asked = readLine(line, endpoint);
  if (isProblem(asked)) return asked;
  const { customId, number } = asked;
  const first = known.get(customId);
  if (first === undefined) {
    known.set(customId, number);
    return undefined;
  }
  const message = `custom_id "${customId}" stands in line ${first} already.`;
  return { code: "duplicate_custom_id", message, line: number, param: "custom_id" };
}

const tooMany = ({ number }: InputLine, most: number): BatchError => ({
  code: "too_many_lines",
  message: `A batch has at most ${most} lines.`,
  line: number,
});
