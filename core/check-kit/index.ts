/** What guardrail checks are made from. */

/** Where words stand in a text, and other ones in their place. */
export { occurrencesOf, type Span, withSpans } from "../spans.ts";
export {
  CheckError,
  type CheckedRequest,
  type CheckedResponse,
  type CheckInput,
  type CheckResult,
  type CheckSubject,
  type CheckTarget,
} from "./check-input.ts";
export type { CheckRow, CheckTable, TriedCall, TriedModel, TriedSubject } from "./check-table.ts";
export type { CheckAnswer, CheckRequest, CheckTools } from "./check-tools.ts";
export { type Check, type CheckDefinition, defineCheck } from "./define-check.ts";
export { withHiddenCredentials } from "./hidden-credentials.ts";
export { excerptOf, type Finding, type Redactor, redacted, redactedTexts } from "./redactor.ts";
export { unknownCheck } from "./unknown-check.ts";
