import type { Headers } from "../../model/headers.ts";
import type { SignableCall } from "../../model/transport.ts";
import { apiKeyOf, authTypeOf } from "./auth-type.ts";
import { bearerTokenOf } from "./bearer-token.ts";
import { credentialsOf } from "./credentials.ts";
import { type AwsOptions, type AwsService, awsHeaders } from "./options.ts";
import type { CredentialSource } from "./renewed.ts";
import { sessionTagsOf } from "./session-tags.ts";
import { signatureOf } from "./sign.ts";

const asBearer = (key: string): Headers => ({ authorization: `Bearer ${key}` });
const unsigned: Headers = {};

/**
 * The fields of a provider that say who calls a service of AWS: with an API key where there is one, else with a signature
 * (providers.md section 9.2). Its options are `awsOptions(service)`.
 */
export function awsCaller({ name: service, keyVariable, showKey = asBearer, tokenAt }: AwsService) {
  /** By the options a provider is bound with: they stay the same from call to call. */
  const signers = new WeakMap<AwsOptions, CredentialSource | "none">();

  const signerOf = (options: AwsOptions): CredentialSource | "none" => {
    const isSigned = authTypeOf(options, keyVariable) !== undefined && apiKeyOf(options, keyVariable) === undefined;
    const signer = isSigned ? credentialsOf(options) : "none";
    signers.set(options, signer);
    return signer;
  };
  return {
    headerOptions: awsHeaders,
    // Keys and roles say whose account is called: those of the file are not mixed with a caller's.
    tenantOptions: ["accessKeyId", "roleArn", "externalId"],
    machineOptions: ["authType"],
    // Keys, an API key or a role say it; whether the machine's identity is shown is no caller's to say.
    impliedFields: ["aws_auth_type"],
    storedFields: { authType: ["aws_auth_type"] },
    authenticate(options: AwsOptions): Headers | undefined {
      if (authTypeOf(options, keyVariable) === undefined) return undefined;
      const key = apiKeyOf(options, keyVariable);
      return key === undefined ? unsigned : showKey(key);
    },
    async sign(call: SignableCall, options: AwsOptions): Promise<Headers> {
      const usual = signers.get(options) ?? signerOf(options);
      if (usual === "none") return unsigned;
      const tags = sessionTagsOf(options, call.metadata);
      const signer = tags ? credentialsOf(options, tags) : usual;
      const { region } = options;
      const credentials = await signer();
      return tokenAt?.(new URL(call.url).pathname)
        ? asBearer(await bearerTokenOf(credentials, { region, service }))
        : signatureOf(call, credentials, { region, service });
    },
  };
}
