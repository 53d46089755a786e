import { createHash } from "node:crypto";
import { GatewayError } from "../../errors/gateway-error.ts";
import { identityNetwork } from "../../http/upstream/identity-network.ts";
import { environmentVariable } from "../environment-variable.ts";
import { authTypeOf } from "./auth-type.ts";
import type { AwsOptions } from "./options.ts";
import { type CredentialSource, type Credentials, renewed } from "./renewed.ts";
import type { SessionTag } from "./session-tags.ts";

/** AWS's own library of credential sources, loaded when the first of them is asked. */
const library = () => import("@aws-sdk/credential-providers");

/** Sources by what they are of: a request that brings its own region or role makes the options anew. */
const known = new Map<string, CredentialSource>();
const mostKnown = 1000;

/**
 * Who signs the calls of a provider with these options, in a session with these tags where a role is assumed. Nothing is
 * fetched before the first call.
 */
export function credentialsOf(options: AwsOptions, tags?: readonly SessionTag[]): CredentialSource {
  switch (authTypeOf(options)) {
    case "accessKey":
      return fixed(options);
    case "serviceRole":
      return machineCredentials(options.region);
    case "assumedRole": {
      const { roleArn = "", externalId, stsUrl } = options;
      const hop = { roleArn, externalId, region: callerRegion(options), stsUrl, tags };
      return remembered([hop, fingerprint(options)], () => assume(hop, sourceOf(options)));
    }
    default:
      return () => {
        throw missing("none are configured");
      };
  }
}

/** Who this machine is for AWS: its own credentials, found and renewed by AWS's library, for everybody who asks. */
export const machineCredentials = (region: string): CredentialSource => remembered(["machine"], () => machine(region));

/** The keys that are given. */
function fixed({ accessKeyId, secretAccessKey, sessionToken }: AwsOptions): CredentialSource {
  const credentials: Credentials = {
    accessKeyId: accessKeyId?.reveal() ?? "",
    secretAccessKey: secretAccessKey?.reveal() ?? "",
    ...(sessionToken && { sessionToken: sessionToken.reveal() }),
  };
  return () => credentials;
}

function remembered(parts: readonly unknown[], fetch: () => Promise<Credentials>): CredentialSource {
  const key = JSON.stringify(parts);
  const source = known.get(key) ?? renewed(fetch);
  // Those asked last stand last: what many sessions begin with is not forgotten for them.
  if (!known.delete(key) && known.size >= mostKnown) {
    const [oldest] = known.keys();
    if (oldest !== undefined) known.delete(oldest);
  }
  known.set(key, source);
  return source;
}

/** Tells keys apart without keeping them. */
function fingerprint({ accessKeyId, secretAccessKey, sessionToken }: AwsOptions): string {
  const keys = [accessKeyId, secretAccessKey, sessionToken].map((key) => key?.reveal() ?? "");
  return createHash("sha256").update(keys.join("\n")).digest("hex");
}

/**
 * What the machine has: environment, profiles, web identity, the container's or instance's role, in AWS's order. An instance is
 * asked by the older protocol, which any request it can be talked into gets an answer from, only where that is allowed
 * (operations.md section 3.5).
 */
async function machine(region: string): Promise<Credentials> {
  const { fromNodeProviderChain } = await library();
  const ec2MetadataV1Disabled = environmentVariable("AWS_IMDS_V1")?.toLowerCase() !== "true";
  return fromNodeProviderChain({ ec2MetadataV1Disabled, clientConfig: { region, ...handler() } })().catch(raiseMissing);
}

/** How the library's clients reach AWS, where it is not directly. */
function handler() {
  const network = identityNetwork();
  return network && { requestHandler: { httpsAgent: network.httpsAgent } };
}

interface Hop {
  readonly roleArn: string;
  readonly externalId: string | undefined;
  readonly region: string;
  readonly stsUrl: string | undefined;
  readonly tags?: readonly SessionTag[] | undefined;
}

/**
 * Who assumes a role: the keys given beside it; else the deployment, by keys of its own in the environment or what the
 * machine has, through a role in between where the environment names one (providers.md section 9.2).
 */
function sourceOf(options: AwsOptions): () => Promise<Credentials> {
  if (options.accessKeyId && options.secretAccessKey) return async () => fixed(options)();
  const accessKeyId = environmentVariable("AWS_ASSUME_ROLE_ACCESS_KEY_ID");
  const secretAccessKey = environmentVariable("AWS_ASSUME_ROLE_SECRET_ACCESS_KEY");
  const roleArn = environmentVariable("AWS_ASSUME_ROLE_SOURCE_ARN");
  const externalId = environmentVariable("AWS_ASSUME_ROLE_SOURCE_EXTERNAL_ID");
  const { stsUrl } = options;
  const region = callerRegion(options);
  const own = async () => (accessKeyId && secretAccessKey ? { accessKeyId, secretAccessKey } : machine(region));
  if (!roleArn) return own;
  const between = remembered([roleArn, externalId, region, stsUrl], () =>
    assume({ roleArn, externalId, region, stsUrl }, own),
  );
  return async () => between();
}

/** Where roles are assumed: the deployment may have one region for it, whatever is called afterwards (operations.md section 3.5). */
const callerRegion = ({ accessKeyId, secretAccessKey, region }: AwsOptions): string =>
  accessKeyId && secretAccessKey ? region : (environmentVariable("AWS_ASSUME_ROLE_REGION") ?? region);

async function assume({ roleArn, externalId, region, stsUrl, tags }: Hop, master: () => Promise<Credentials>) {
  const { fromTemporaryCredentials } = await library();
  const source = fromTemporaryCredentials({
    masterCredentials: master,
    params: {
      RoleArn: roleArn,
      RoleSessionName: "gateway",
      ...(externalId !== undefined && { ExternalId: externalId }),
      ...(tags && { Tags: [...tags] }),
    },
    clientConfig: { region, ...handler(), ...(stsUrl !== undefined && { endpoint: stsUrl }) },
  });
  return source().catch(raiseMissing);
}

/** Why there are none is for the log: it names roles and machines. */
function raiseMissing(cause: unknown): never {
  if (cause instanceof GatewayError) throw cause;
  throw missing("those of the machine or the role could not be had", cause);
}

const missing = (why: string, cause?: unknown) =>
  new GatewayError("credential_missing", `There are no AWS credentials to sign with: ${why}.`, {}, { cause });
