import { createHash } from "node:crypto";
import {
  awsCaller,
  GatewayError,
  type Headers,
  type StoragePlace,
  type Vendor,
  type VendorCall,
  type VendorReply,
  xmlError,
} from "../../core/provider-kit/index.ts";
import type { BedrockOptions } from "./options.ts";
import { objectUrl } from "./storage.ts";

const storage = awsCaller({ name: "s3" });

export interface S3Call extends Pick<VendorCall, "method" | "afterwards"> {
  readonly place: StoragePlace;
  /** Without `?`. */
  readonly query?: string;
  readonly headers?: Headers;
  readonly body?: Buffer;
}

/** A call to S3, signed for it with its whole body. */
export async function s3(options: BedrockOptions, vendor: Vendor, call: S3Call): Promise<VendorReply> {
  const { method, place, query, body, afterwards } = call;
  const url = objectUrl(options, place) + (query === undefined ? "" : `?${query}`);
  const digest = createHash("sha256")
    .update(body ?? "")
    .digest("hex");
  const headers = { ...call.headers, "x-amz-content-sha256": digest };
  const signature = await storage.sign(
    { method, url, headers, body, ...(vendor.metadata && { metadata: vendor.metadata }) },
    signing(options),
  );
  return vendor.call({
    method,
    path: url,
    headers: { ...headers, ...signature },
    ...(body && { body }),
    ...(afterwards && { afterwards }),
    as: "signed",
    readError: xmlError,
  });
}

/** What is there besides an API key, which S3 knows nothing of. */
function signing({ apiKey: _, authType, ...rest }: BedrockOptions): BedrockOptions {
  const given: BedrockOptions = { ...rest, ...(authType !== undefined && authType !== "apiKey" && { authType }) };
  if (storage.authenticate(given) !== undefined) return given;
  throw new GatewayError(
    "credential_missing",
    "bedrock: files are kept in S3, which takes no API key of Bedrock: give accessKeyId and secretAccessKey, roleArn, or " +
      "authType serviceRole.",
    { provider: "bedrock" },
  );
}
