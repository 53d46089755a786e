import { CheckError, type CheckInput, type CheckSubject } from "../../core/index.ts";

/** What a text belongs to. Throws CheckError where it is tried on its own. */
export function subjectOf({ subject }: CheckInput): CheckSubject {
  if (subject) return subject;
  throw new CheckError("This check looks at requests, and was given a text on its own.");
}

/**
 * Why no list of models lets a request through, whatever is in it: it leaves the model to what the vendor keeps, a prompt or an agent.
 * Undefined where it does not.
 */
export const modelElsewhere = ({ model, requestType }: CheckSubject): string | undefined =>
  model || requestType !== "createModelResponse"
    ? undefined
    : "The request names no model: what the vendor keeps has one.";
