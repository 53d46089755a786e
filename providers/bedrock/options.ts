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
  ...storageOptions,
});

export type BedrockOptions = z.output<typeof options>;
