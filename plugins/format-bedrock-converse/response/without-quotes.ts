import { type Fields, isRecord } from "../../../core/index.ts";

/**
 * What is said of an answer besides its message, without what a guardrail of the vendor's quotes of it: all the model said
 * (`modelOutput`), and what was found in it.
 * https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_GuardrailTraceAssessment.html
 */
export function withoutQuotes(all: Readonly<Fields>): Readonly<Fields> {
  const { trace } = all;
  if (!isRecord(trace) || trace.guardrail === undefined) return all;
  const { guardrail: _, ...others } = trace;
  return { ...all, trace: others };
}
