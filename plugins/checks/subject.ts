import { CheckError, type CheckInput, type CheckSubject } from "../../core/index.ts";

/** What a text belongs to. Throws CheckError where it is tried on its own. */
export function subjectOf({ subject }: CheckInput): CheckSubject {
  if (subject) return subject;
  throw new CheckError("This check looks at requests, and was given a text on its own.");
}
