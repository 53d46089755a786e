import { type OperationInput, raise } from "../../core/provider-kit/index.ts";
import { counting, invocationDefaults, isClaude } from "./claude.ts";
import { plainId } from "./families.ts";
import type { BedrockOptions } from "./options.ts";
import { isProfile, modelBehind } from "./profiles.ts";

type Options = BedrockOptions & { readonly baseUrl?: string };

/** A profile, by its ARN or with a region in front of a model's id. */
const isOfRegions = (model: string): boolean => !model.startsWith("arn:") || model.includes(":inference-profile/");

/**
 * Tokens are counted for models alone, not for the profiles that most of them are only served by: the vendor refuses
 * those. Whatever else has an ARN is the vendor's to judge.
 */
function countedId(name: string, options: Options): string {
  const model = modelBehind(name, options);
  if (isProfile(model))
    raise(
      "invalid_request",
      "This vendor counts tokens for models, and what model is behind this profile could not be found out: name the model, or let the credential call bedrock:GetInferenceProfile.",
      { param: "model" },
    );
  return isOfRegions(model) ? plainId(model) : model;
}

/** Claude's own format as an invocation, that of all others by Converse (providers.md section 9.10). */
export function countsOf(options: Options): OperationInput[] {
  const path = ({ model }: { readonly model: string }): string =>
    `/model/${encodeURIComponent(countedId(model, options))}/count-tokens`;
  return [
    {
      format: "anthropic-count-tokens",
      serves: isClaude,
      path,
      // In the body they stay.
      bodyHeaders: {},
      defaults: invocationDefaults(options),
      headerFields: { "anthropic-beta": "anthropic_beta" },
      drops: ["context_management"],
      rewrite: { when: ["{"], apply: counting },
      normalise: ({ inputTokens }) => ({ input_tokens: inputTokens }),
    },
    { format: "bedrock-count-tokens", path },
  ];
}
