import type { BedrockOptions } from "./options.ts";

export type AuthType = NonNullable<BedrockOptions["authType"]>;

/** The variable in which AWS's own clients look for an API key. */
const bearerVariable = "AWS_BEARER_TOKEN_BEDROCK";

/** How calls are authenticated; undefined where something is missing for it. */
export function authTypeOf(options: BedrockOptions): AuthType | undefined {
  const { authType, apiKey, accessKeyId, secretAccessKey, roleArn } = options;
  if (apiKey) return "apiKey";
  const hasKeys = accessKeyId !== undefined && secretAccessKey !== undefined;
  switch (authType) {
    case "apiKey":
      return process.env[bearerVariable] ? authType : undefined;
    case "serviceRole":
      return authType;
    case "assumedRole":
      return roleArn === undefined ? undefined : authType;
    case "accessKey":
      return hasKeys ? authType : undefined;
    default:
      if (!hasKeys) return undefined;
      return roleArn === undefined ? "accessKey" : "assumedRole";
  }
}

/** The bearer token of calls that are not signed. Of what a machine has, an API key comes first, as with AWS's clients. */
export function bearerOf(options: BedrockOptions): string | undefined {
  switch (authTypeOf(options)) {
    case "apiKey":
      return options.apiKey?.reveal() ?? process.env[bearerVariable];
    case "serviceRole":
      return process.env[bearerVariable] || undefined;
    default:
      return undefined;
  }
}
