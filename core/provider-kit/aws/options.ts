import { z } from "zod";
import type { Headers } from "../../model/headers.ts";
import { secret } from "../../secrets/secret.ts";
import { environmentVariable } from "../environment-variable.ts";
import { sessionTagNames } from "./session-tags.ts";

/** A service of AWS, as callers are known to it. */
export interface AwsService {
  /** What signatures are for: `sagemaker`. */
  readonly name: string;
  /** The variable in which the service's own clients look for an API key. */
  readonly keyVariable?: string;
  /** How an API key is shown. Absent: as a bearer token. */
  readonly showKey?: (key: string) => Headers;
  /** Paths at which the service takes no signatures: a bearer token made of the credentials is shown there. */
  readonly tokenAt?: (path: string) => boolean;
}

/** Options of providers whose vendor knows callers by the credentials of AWS (providers.md section 9.2). */
export const awsOptions = ({ keyVariable }: AwsService) => ({
  apiKey: secret()
    .exactOptional()
    .describe("An API key of the service, shown instead of a signature. It is used before every other credential."),
  authType: z
    .enum(["accessKey", "assumedRole", "serviceRole", "apiKey"])
    .exactOptional()
    .describe(
      "Whose credentials sign. `accessKey`: the keys below; `assumedRole`: those of roleArn; `serviceRole`: what the " +
        `machine has; \`apiKey\`: ${keyVariable === undefined ? "the API key above" : `${keyVariable} of the environment`}. ` +
        "Absent: what is given here says it.",
    ),
  region: z
    .string()
    .regex(/^[a-z]{2,}(?:-[a-z0-9]+)+$/, "a region, as in us-east-1")
    .default("us-east-1")
    .describe("The AWS region; part of the host."),
  accessKeyId: secret().exactOptional().describe("Access key id of an AWS user."),
  secretAccessKey: secret().exactOptional().describe("Secret of that access key."),
  sessionToken: secret().exactOptional().describe("Session token, where the keys are temporary ones."),
  roleArn: z
    .string()
    .startsWith("arn:")
    .exactOptional()
    .describe("The role to assume, with the keys here or else the machine's own."),
  externalId: z.string().exactOptional().describe("External id that the role asks for."),
  sessionTags: sessionTagNames
    .exactOptional()
    .describe(
      "Names of metadata that AWS is told as session tags when roleArn is assumed; the role has to allow sts:TagSession.",
    ),
  stsUrl: z
    .url({ protocol: /^https?$/ })
    .exactOptional()
    .describe("Where roles are assumed, if not at the public endpoint of the region."),
});

export type AwsOptions = z.output<z.ZodObject<ReturnType<typeof awsOptions>>>;

/** The options above that come in headers of a caller. */
export const awsHeaders = {
  accessKeyId: "aws-access-key-id",
  secretAccessKey: "aws-secret-access-key",
  sessionToken: "aws-session-token",
  region: "aws-region",
  roleArn: "aws-role-arn",
  externalId: "aws-external-id",
} as const;

/** What the hosts of a region end with, for services that are there under AWS's older names. */
export const awsDomain = z
  .string()
  .exactOptional()
  .describe("What hosts end with. Absent: AWS_ENDPOINT_DOMAIN, or amazonaws.com, in China amazonaws.com.cn.");

export const awsDomainOf = ({
  region,
  domain,
}: {
  readonly region: string;
  readonly domain?: string | undefined;
}): string => domain ?? deploymentsDomain() ?? (region.startsWith("cn-") ? "amazonaws.com.cn" : usualDomain);

const usualDomain = "amazonaws.com";

/**
 * Whole deployments are in one partition (operations.md section 3.5). Whoever writes down the variable's default says nothing by it:
 * regions in China have no hosts there.
 */
function deploymentsDomain(): string | undefined {
  const said = environmentVariable("AWS_ENDPOINT_DOMAIN");
  return said === usualDomain ? undefined : said;
}
