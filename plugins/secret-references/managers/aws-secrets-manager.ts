import {
  type AwsOptions,
  awsCaller,
  awsDomainOf,
  awsOptions,
  environmentVariable,
  GatewayError,
  z,
} from "../../../core/index.ts";
import { SecretContent } from "../secret-content.ts";
import { answerOf, manager, refused, wordIn } from "./manager.ts";

const text = z.string().min(1);
const region = text.regex(/^[a-z]{2,}(?:-[a-z0-9]+)+$/, "must be a region, as in us-east-1");
const auth = z.discriminatedUnion("aws_auth_type", [
  z.object({
    aws_auth_type: z.literal("accessKey"),
    aws_access_key_id: text,
    aws_secret_access_key: text,
    aws_region: region,
  }),
  z.object({
    aws_auth_type: z.literal("assumedRole"),
    aws_role_arn: text.startsWith("arn:"),
    aws_external_id: text.nullish(),
    aws_region: region,
  }),
  z.object({ aws_auth_type: z.literal("serviceRole"), aws_region: region.nullish() }),
]);
type Auth = z.output<typeof auth>;

const service = { name: "secretsmanager" };
const callers = z.strictObject(awsOptions(service));
const { sign } = awsCaller(service);

/** AWS Secrets Manager: the current value of a secret, by its name or ARN. */
export default manager<Auth>({
  auth,
  masked: ["aws_access_key_id", "aws_secret_access_key", "aws_role_arn", "aws_external_id"],
  showsMachine: ({ aws_auth_type }) => aws_auth_type !== "accessKey",
  refusePath: () => undefined,
  open({ auth: given, path }, { ask, options }) {
    const own = regionOf(given, path);
    return async () => {
      if (own === undefined)
        throw new GatewayError("secret_unresolved", "No region: set aws_region, or AWS_REGION for the machine.");
      const as = callers.parse({
        ...identityOf(given),
        region: own,
        ...(options.stsUrl && { stsUrl: options.stsUrl }),
      });
      const url = options.awsUrl ?? `https://secretsmanager.${own}.${awsDomainOf({ region: own })}/`;
      const call = {
        method: "POST" as const,
        url,
        headers: { "content-type": "application/x-amz-json-1.1", "x-amz-target": "secretsmanager.GetSecretValue" },
        body: JSON.stringify({ SecretId: path }),
      };
      const signature = await sign({ ...call, body: Buffer.from(call.body) }, as);
      // The address is the vendor's, or the operator's.
      const { status, body } = await answerOf(ask, {
        ...call,
        headers: { ...call.headers, ...signature },
        trusted: true,
      });
      if (status !== 200) throw refused(status, "GetSecretValue", wordIn(body.__type));
      return contentOf(body);
    };
  },
});

/** The region of the identity; else the one in an ARN, and then the machine's. */
const regionOf = ({ aws_region }: Auth, path: string): string | undefined =>
  aws_region ??
  (path.startsWith("arn:") ? path.split(":")[3] : undefined) ??
  environmentVariable("AWS_REGION") ??
  environmentVariable("AWS_DEFAULT_REGION");

/** As options of a caller of AWS. */
function identityOf(given: Auth): { readonly [Name in keyof AwsOptions]?: unknown } {
  switch (given.aws_auth_type) {
    case "accessKey":
      return {
        authType: given.aws_auth_type,
        accessKeyId: given.aws_access_key_id,
        secretAccessKey: given.aws_secret_access_key,
      };
    case "assumedRole":
      return {
        authType: given.aws_auth_type,
        roleArn: given.aws_role_arn,
        ...(given.aws_external_id && { externalId: given.aws_external_id }),
      };
    case "serviceRole":
      return { authType: given.aws_auth_type };
  }
}

function contentOf({ SecretString, SecretBinary }: Readonly<Record<string, unknown>>): SecretContent {
  if (typeof SecretString === "string") return new SecretContent(SecretString);
  if (typeof SecretBinary === "string") return new SecretContent(Buffer.from(SecretBinary, "base64").toString());
  throw new GatewayError("secret_unresolved", "Its answer holds no secret.");
}
