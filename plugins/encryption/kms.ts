import {
  type Ask,
  type AwsCredentials,
  awsSignature,
  GatewayError,
  isRecord,
  machineCredentials,
  type OutboundAnswer,
  type Secret,
} from "../../core/index.ts";
import type { DataKeyName, MasterKey } from "./master-key.ts";

/** A key in AWS KMS, and who asks for it. */
export interface KmsOptions {
  readonly keyArn: string;
  /** Keys of customers, by the id of their organisation. */
  readonly organisations: Readonly<Record<string, string>>;
  readonly endpoint?: string;
  readonly accessKeyId?: Secret;
  readonly secretAccessKey?: Secret;
  readonly sessionToken?: Secret;
}

/** Milliseconds a call may take. */
const patience = 10_000;

/** The part of an ARN that says where it is: `arn:aws:kms:eu-west-1:…`. */
export const regionOf = (arn: string): string => arn.split(":")[3] ?? "";

/** Data keys made and opened by AWS KMS, which is told whose they are (its encryption context). */
export function kmsKeys(
  options: KmsOptions,
  ask: Ask,
): {
  writer(organisation: string): MasterKey;
  reader(id: string): MasterKey | undefined;
} {
  const call = caller(options, ask);
  const keyOf = (arn: string): MasterKey => ({
    id: `kms:${arn}`,
    async generate(name) {
      const made = await call(arn, "GenerateDataKey", { KeySpec: "AES_256", EncryptionContext: contextOf(name) });
      return { plain: bytesIn(made, "Plaintext"), wrapped: bytesIn(made, "CiphertextBlob").toString("base64") };
    },
    async wrap(plain, name) {
      const Plaintext = plain.toString("base64");
      const made = await call(arn, "Encrypt", { Plaintext, EncryptionContext: contextOf(name) });
      return bytesIn(made, "CiphertextBlob").toString("base64");
    },
    async unwrap(wrapped, name) {
      try {
        const opened = await call(arn, "Decrypt", { CiphertextBlob: wrapped, EncryptionContext: contextOf(name) });
        return bytesIn(opened, "Plaintext");
      } catch (error) {
        if (error instanceof KmsRefusal && error.type === "InvalidCiphertextException") return undefined;
        throw error;
      }
    },
  });
  return {
    writer: (organisation) => keyOf(options.organisations[organisation] ?? options.keyArn),
    reader: (id) => (id.startsWith("kms:") ? keyOf(id.slice("kms:".length)) : undefined),
  };
}

const contextOf = ({ organisation, number }: DataKeyName) => ({ organisation, number });

/** KMS has answered, and said no. Its words name keys and roles, never a plain text. */
class KmsRefusal extends GatewayError {
  readonly type: string;

  constructor(action: string, status: number, type: string, message: string) {
    super("secret_unavailable", `AWS KMS refused ${action} with ${status} ${type}: ${message}`);
    this.type = type;
  }
}

type Call = (arn: string, action: string, parameters: object) => Promise<Readonly<Record<string, unknown>>>;

function caller(options: KmsOptions, ask: Ask): Call {
  const credentials = credentialSource(options);
  return async (arn, action, parameters) => {
    const region = regionOf(arn);
    const url = new URL(options.endpoint ?? `https://kms.${region}.${domainOf(arn)}/`);
    const body = JSON.stringify({ KeyId: arn, ...parameters });
    const headers = { "content-type": "application/x-amz-json-1.1", "x-amz-target": `TrentService.${action}` };
    const signature = await awsSignature(
      { method: "POST", url: url.href, headers, body: Buffer.from(body) },
      await credentials(region),
      { region, service: "kms" },
    );
    const sent = { ...headers, ...signature };
    let response: OutboundAnswer;
    try {
      response = await ask({ method: "POST", url: url.href, headers: sent, body, trusted: true, timeout: patience });
    } catch (cause) {
      throw new GatewayError("secret_unavailable", `AWS KMS does not answer at ${url.host}.`, {}, { cause });
    }
    const answer = objectIn(response.text);
    if (response.status >= 200 && response.status < 300) return answer;
    const type = String(answer.__type ?? "").replace(/^.*#/, "");
    throw new KmsRefusal(action, response.status, type, String(answer.message ?? answer.Message ?? ""));
  };
}

const domainOf = (arn: string): string => (arn.startsWith("arn:aws-cn:") ? "amazonaws.com.cn" : "amazonaws.com");

/** The keys that are given, else what the machine has. */
function credentialSource(options: KmsOptions): (region: string) => Promise<AwsCredentials> {
  const { accessKeyId, secretAccessKey, sessionToken } = options;
  if (accessKeyId && secretAccessKey) {
    const given = {
      accessKeyId: accessKeyId.reveal(),
      secretAccessKey: secretAccessKey.reveal(),
      ...(sessionToken && { sessionToken: sessionToken.reveal() }),
    };
    return async () => given;
  }
  return async (region) => {
    try {
      return await machineCredentials(region)();
    } catch (cause) {
      throw new GatewayError("secret_unavailable", "There are no AWS credentials to ask KMS with.", {}, { cause });
    }
  };
}

function objectIn(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text);
    return isRecord(value) ? value : {};
  } catch {
    return {};
  }
}

function bytesIn(answer: Readonly<Record<string, unknown>>, field: string): Buffer {
  const value = answer[field];
  if (typeof value === "string" && value !== "") return Buffer.from(value, "base64");
  throw new GatewayError("secret_unavailable", `AWS KMS answered without a ${field}.`);
}
