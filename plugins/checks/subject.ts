import {
  type ChatRequest,
  CheckError,
  type CheckInput,
  type CheckSubject,
  type CompletionRequest,
} from "../../core/index.ts";

/** What a text belongs to. Throws CheckError where it is tried on its own. */
export function subjectOf({ subject }: CheckInput): CheckSubject {
  if (subject) return subject;
  throw new CheckError("This check looks at requests, and was given a text on its own.");
}

type Body = CheckSubject["request"]["body"];

export const asChat = (body: Body): ChatRequest | undefined => (body && "messages" in body ? body : undefined);

export const asCompletion = (body: Body): CompletionRequest | undefined =>
  body && "prompt" in body && "stream" in body && !("messages" in body) ? (body as CompletionRequest) : undefined;
