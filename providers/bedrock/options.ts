import { secret, z } from "../../core/provider-kit/index.ts";
import { storageOptions } from "./storage.ts";

export const options = z.strictObject({
  apiKey: secret()
    .exactOptional()
    .describe("A Bedrock API key, sent as a bearer token. It is used before every other credential."),
  authType: z
    .enum(["accessKey", "assumedRole", "serviceRole", "apiKey"])
    .exactOptional()
    .describe(
      "Whose credentials sign. `accessKey`: the keys below; `assumedRole`: those of roleArn; `serviceRole`: what the " +
        "machine has; `apiKey`: AWS_BEARER_TOKEN_BEDROCK of the environment. Absent: what is given here says it.",
    ),
  region: z
    .string()
    .regex(/^[a-z]{2,}(?:-[a-z0-9]+)+$/, "a region, as in us-east-1")
    .default("us-east-1")
    .describe("The AWS region; part of the host."),
  domain: z
    .string()
    .exactOptional()
    .describe("What hosts end with. Default: amazonaws.com, in China amazonaws.com.cn."),
  accessKeyId: secret().exactOptional().describe("Access key id of an AWS user."),
  secretAccessKey: secret().exactOptional().describe("Secret of that access key."),
  sessionToken: secret().exactOptional().describe("Session token, where the keys are temporary ones."),
  roleArn: z
    .string()
    .startsWith("arn:")
    .exactOptional()
    .describe("The role to assume, with the keys here or else the machine's own."),
  externalId: z.string().exactOptional().describe("External id that the role asks for."),
  stsUrl: z
    .url({ protocol: /^https?$/ })
    .exactOptional()
    .describe("Where roles are assumed, if not at the public endpoint of the region."),
  ...storageOptions,
});

export type BedrockOptions = z.output<typeof options>;
