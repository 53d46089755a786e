import { awsDomainOf, keyPath, type Storage, type StoragePlace, storage, z } from "../../core/provider-kit/index.ts";

/** Names become hosts: lower case, no empty label, and no address. */
const bucket = /^(?!\d+\.\d+\.\d+\.\d+$)(?=.{3,63}$)[a-z0-9](?:[a-z0-9-]|\.(?=[a-z0-9]))*[a-z0-9]$/;
const bucketName = z.string().regex(bucket, { error: "the name of a bucket" });
const text = z.string().min(1).exactOptional();

/** Where files are: in S3. What a caller may say of a file it says in headers. */
export const storageOptions = {
  s3Bucket: bucketName.exactOptional().describe("The bucket of uploads."),
  storageBuckets: z
    .array(bucketName)
    .min(1)
    .exactOptional()
    .describe("The only buckets that callers may name. Absent: all that the credentials may see."),
  storageUrl: z
    .url({ protocol: /^https?$/ })
    .exactOptional()
    .describe("Where S3 is, if not at the public endpoint of the region; the bucket follows in the path."),
  s3ObjectKey: text.describe("The name of an upload in its bucket. Absent: a new one."),
  fileName: text.describe("The same by another name."),
  fileModel: text.describe("The model that the lines of an upload are written for."),
  lineModel: text.describe("The same by another name."),
  modelType: z.enum(["chat", "text"]).default("chat").describe("How the model takes examples to learn from."),
  serverSideEncryption: text.describe("How S3 encrypts uploads: aws:kms, AES256."),
  kmsKeyId: text.describe("The key it encrypts with, and Bedrock the output of batches."),
};

export const storageHeaders = {
  s3Bucket: "aws-s3-bucket",
  s3ObjectKey: "aws-s3-object-key",
  fileName: "provider-file-name",
  fileModel: "aws-bedrock-model",
  lineModel: "provider-model",
  modelType: "model-type",
  serverSideEncryption: "amz-server-side-encryption",
  kmsKeyId: "amz-server-side-encryption-aws-kms-key-id",
} as const;

/** What routing configs call two of them besides (routing-config.md section 2.2). */
export const storageFields = {
  serverSideEncryption: ["aws_server_side_encryption"],
  kmsKeyId: ["aws_server_side_encryption_kms_key_id"],
} as const;

export type StorageOptions = z.output<z.ZodObject<typeof storageOptions>>;

/** Addresses of objects, as ids of files. */
export const storageOf = ({ storageBuckets: buckets }: StorageOptions): Storage =>
  storage({ scheme: "s3", bucket, buckets });

export interface Region {
  readonly region: string;
  readonly domain?: string;
}

/** An object's address. The certificate of a host with the bucket in it has no place for further dots. */
export function objectUrl(options: StorageOptions & Region, { bucket: name, key }: StoragePlace): string {
  const { storageUrl, region } = options;
  if (storageUrl !== undefined) return `${storageUrl.replace(/\/+$/, "")}/${name}/${keyPath(key)}`;
  const host = `s3.${region}.${awsDomainOf(options)}`;
  return name.includes(".") ? `https://${host}/${name}/${keyPath(key)}` : `https://${name}.${host}/${keyPath(key)}`;
}
