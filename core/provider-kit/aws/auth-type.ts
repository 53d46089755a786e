import { environmentVariable } from "../environment-variable.ts";
import type { AwsOptions } from "./options.ts";

export type AuthType = NonNullable<AwsOptions["authType"]>;

/** How calls are authenticated; undefined where something is missing for it. `keyVariable` may hold an API key. */
export function authTypeOf(options: AwsOptions, keyVariable?: string): AuthType | undefined {
  const { authType, apiKey, accessKeyId, secretAccessKey, roleArn } = options;
  if (apiKey) return "apiKey";
  const hasKeys = accessKeyId !== undefined && secretAccessKey !== undefined;
  switch (authType) {
    case "apiKey":
      return keyIn(keyVariable) === undefined ? undefined : authType;
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

/** The API key of calls that are not signed. Of what a machine has, an API key comes first, as with AWS's clients. */
export function apiKeyOf(options: AwsOptions, keyVariable?: string): string | undefined {
  switch (authTypeOf(options, keyVariable)) {
    case "apiKey":
      return options.apiKey?.reveal() ?? keyIn(keyVariable);
    case "serviceRole":
      return keyIn(keyVariable);
    default:
      return undefined;
  }
}

const keyIn = (variable: string | undefined): string | undefined =>
  variable === undefined ? undefined : environmentVariable(variable);
