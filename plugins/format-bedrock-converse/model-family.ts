import { ofModel } from "../../core/index.ts";

const regions = /^(?:us-gov|us|eu|apac|au|ca|jp|global)\./;

/**
 * Who made a model (`anthropic`, `amazon`, `meta`), read from its id, with or without a region in front, or from the end
 * of its ARN; empty where the name does not say, as those of application profiles do not (providers.md section 9.1).
 */
export const familyOf: (model: string) => string = ofModel(readFamily);

function readFamily(model: string): string {
  const name = model.slice(model.lastIndexOf("/") + 1).toLowerCase();
  if (name.includes("claude")) return "anthropic";
  const plain = name.replace(regions, "");
  const dot = plain.indexOf(".");
  return dot < 0 ? "" : plain.slice(0, dot);
}

/** Whether a model takes cache points, which all others refuse; those nobody knows are given the benefit of the doubt. */
export function cachesPrompts(model: string): boolean {
  const family = familyOf(model);
  return family === "" || family === "anthropic" || isNova(model);
}

/**
 * Models that take nothing of what was thought before, be it their own: "User messages cannot contain reasoning content. Please remove the
 * reasoning content and try again." (langchain-ai/langchain-aws issue 401, aws-samples/bedrock-chat pull request 851; of Novas before the
 * second generation openclaw/openclaw issue 6470).
 */
export const refusesThoughts = (model: string): boolean =>
  /(?:^|[./])(?:amazon\.nova-(?:micro|lite|pro|premier)-v1|deepseek\.r1)/i.test(model);

export const isNova = (model: string): boolean => /amazon\.nova/i.test(model);
