import { CheckError, type z } from "../../core/index.ts";

/** What a service answered, as its check needs it. Throws CheckError where it is something else. */
export function answerAs<Schema extends z.ZodType>(schema: Schema, json: unknown): z.output<Schema> {
  const read = schema.safeParse(json);
  if (read.success) return read.data;
  const places = read.error.issues.map(({ path }) => path.join(".") || "the answer").join(", ");
  throw new CheckError(`The service answered something else than expected: ${places}.`, { label: "AnswerError" });
}
