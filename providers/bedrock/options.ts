import { awsDomain, awsOptions, z } from "../../core/provider-kit/index.ts";
import { storageOptions } from "./storage.ts";

export const service = { name: "bedrock", keyVariable: "AWS_BEARER_TOKEN_BEDROCK" };

export const options = z.strictObject({ ...awsOptions(service), domain: awsDomain, ...storageOptions });

export type BedrockOptions = z.output<typeof options>;
