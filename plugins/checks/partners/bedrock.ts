import {
  type AwsOptions,
  awsCaller,
  awsDomainOf,
  awsOptions,
  CheckError,
  type CheckTools,
  environmentVariable,
  GatewayError,
  z,
} from "../../../core/index.ts";
import { credentialsOf } from "../credentials.ts";
import { baseOf } from "./address.ts";

const service = { name: "bedrock" };
const callers = z.object(awsOptions(service));
const { sign } = awsCaller(service);

const text = z.string().min(1).optional();
const shape = {
  awsAuthType: z.enum(["accessKey", "assumedRole", "serviceRole"]).optional(),
  awsAccessKeyId: text,
  awsSecretAccessKey: text,
  awsSessionToken: text,
  awsRegion: text,
  awsRoleArn: text,
  awsExternalId: text,
  customHost: text,
  // As older records have them.
  accessKeyId: text,
  accessKeySecret: text,
  region: text,
};

interface Caller {
  readonly options: AwsOptions;
  readonly base: string;
}

/** Read once per credentials: whoever signs remembers roles by the options they come with. */
const known = new WeakMap<object, Caller>();

/** Posts to the runtime of Amazon Bedrock, signed with the check's credentials (guardrails.md section 13.7). */
export async function askBedrock(tools: CheckTools, path: string, body: object): Promise<unknown> {
  const { options, base } = callerOf(tools);
  const url = `${base}${path}`;
  const sent = JSON.stringify(body);
  const headers = { ...tools.forwarded, "content-type": "application/json", accept: "application/json" };
  const call = { method: "POST", url, headers, body: Buffer.from(sent) };
  const signature = await Promise.resolve(sign(call, options)).catch((error: unknown) => {
    if (error instanceof GatewayError) throw new CheckError(error.message, { label: "CredentialsError" });
    throw error;
  });
  const { json } = await tools.ask({ url, headers: { ...headers, ...signature }, body: sent });
  return json;
}

function callerOf(tools: CheckTools): Caller {
  const found = known.get(tools.credentials);
  if (found) return found;
  const given = credentialsOf(tools, shape);
  const accessKeyId = given.awsAccessKeyId ?? given.accessKeyId;
  const secretAccessKey = given.awsSecretAccessKey ?? given.accessKeySecret;
  const authType = given.awsAuthType ?? (given.awsRoleArn === undefined ? "accessKey" : "assumedRole");
  const hasKeys = accessKeyId !== undefined && secretAccessKey !== undefined;
  if (authType === "accessKey" && !hasKeys) throw lacking("awsAccessKeyId, awsSecretAccessKey");
  if (authType === "assumedRole" && given.awsRoleArn === undefined) throw lacking("awsRoleArn");
  // The deployment assumes whatever role it is let into; its own it shows for the operator only.
  if (authType === "serviceRole" && !tools.trusted)
    throw new CheckError("The role of this machine is shown with credentials of the operator only.", {
      label: "CredentialsError",
    });
  const region = given.awsRegion ?? given.region ?? environmentVariable("AWS_REGION");
  const options = callers.safeParse({
    authType,
    ...(region !== undefined && { region }),
    ...(hasKeys && { accessKeyId, secretAccessKey }),
    ...(hasKeys && given.awsSessionToken !== undefined && { sessionToken: given.awsSessionToken }),
    ...(given.awsRoleArn !== undefined && { roleArn: given.awsRoleArn }),
    ...(given.awsExternalId !== undefined && { externalId: given.awsExternalId }),
  });
  if (!options.success) throw lacking(options.error.issues.map(({ path }) => path.join(".")).join(", "));
  const host = given.customHost ?? `bedrock-runtime.${options.data.region}.${awsDomainOf(options.data)}`;
  const caller = { options: options.data, base: baseOf(/^https?:\/\//.test(host) ? host : `https://${host}`) };
  known.set(tools.credentials, caller);
  return caller;
}

const lacking = (names: string) =>
  new CheckError(`The credentials of this check lack, or have no valid: ${names}.`, { label: "CredentialsError" });
