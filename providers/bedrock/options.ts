import { awsDomain, awsOptions, z } from "../../core/provider-kit/index.ts";
import { storageOptions } from "./storage.ts";

export const service = { name: "bedrock", keyVariable: "AWS_BEARER_TOKEN_BEDROCK" };

export const options = z.strictObject({
  ...awsOptions(service),
  domain: awsDomain,
  anthropicBeta: z
    .string()
    .exactOptional()
    .describe("Betas that Claude is asked with, comma-separated; a client's own header wins."),
  anthropicVersion: z
    .string()
    .exactOptional()
    .describe(
      "The version of its API that Claude is invoked by, as in bedrock-2023-05-31; others are those of other hosts.",
    ),
  ...storageOptions,
});

export type BedrockOptions = z.output<typeof options>;
