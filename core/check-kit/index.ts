/** What guardrail checks are made from. */

export {
  type Check,
  type CheckDefinition,
  type CheckInput,
  type CheckResult,
  type CheckTarget,
  defineCheck,
} from "./define-check.ts";
