import { type ChatRequest, type Fields, lookUp } from "../../../core/index.ts";
import type { Report } from "../fields.ts";

/** How models that are no Claudes are told how much to think, where they are: by an effort. */
interface Row {
  readonly models: RegExp;
  fields(effort: string, request: ChatRequest, report: Report): Fields | undefined;
}

const rows: readonly Row[] = [
  { models: /openai\.gpt-oss/i, fields: (reasoning_effort) => ({ reasoning_effort }) },
  // @ai-sdk/amazon-bedrock: the closed ones have it where the Responses API has it.
  { models: /(?:^|[./])openai\./i, fields: (effort) => ({ reasoning: { effort } }) },
  { models: /amazon\.nova-2/i, fields: novaEffort },
];

/** docs.aws.amazon.com, "Extended thinking in Amazon Nova 2". */
const novaEfforts: Readonly<Record<string, string>> = {
  minimal: "low",
  low: "low",
  medium: "medium",
  high: "high",
  xhigh: "high",
  max: "high",
};

/** The most is refused beside a limit or settings of the sampling: then the model is asked for less. */
function novaEffort(effort: string, request: ChatRequest, report: Report): Fields | undefined {
  if (effort === "none") return { reasoningConfig: { type: "disabled" } };
  const asked = lookUp(novaEfforts, effort);
  if (asked === undefined) return undefined;
  const { maxTokens, temperature, topP, topK } = request;
  const isFree = [maxTokens, temperature, topP, topK].every((one) => one === undefined);
  if (asked === "high" && !isFree) report("reasoning_effort");
  const maxReasoningEffort = asked === "high" && !isFree ? "medium" : asked;
  return { reasoningConfig: { type: "enabled", maxReasoningEffort } };
}

/** The fields of a model that is told an effort; undefined for one that cannot be told that. */
export const effortFields = (effort: string, request: ChatRequest, report: Report): Fields | undefined =>
  rows.find(({ models }) => models.test(request.model))?.fields(effort, request, report);
