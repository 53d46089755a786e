import { keyPath, type Storage, type StoragePlace, storage, z } from "../../core/provider-kit/index.ts";

const bucket = /^[a-z0-9][a-z0-9._-]{1,220}[a-z0-9]$/;
const bucketName = z.string().regex(bucket, { error: "the name of a bucket" });

/** What lines of batches may ask, of what this vendor does in batches. */
export const batchEndpoints = ["/v1/chat/completions", "/v1/embeddings"] as const;

/** Where files are: in Cloud Storage. What a caller may say of a file it says in headers. */
export const storageOptions = {
  storageBucketName: bucketName.exactOptional().describe("The bucket of uploads."),
  storageBuckets: z
    .array(bucketName)
    .min(1)
    .exactOptional()
    .describe("The only buckets that callers may name. Absent: all that the credential may see."),
  storageUrl: z
    .url({ protocol: /^https?$/ })
    .default("https://storage.googleapis.com")
    .describe("Where Cloud Storage is."),
  fileName: z.string().min(1).exactOptional().describe("The name of an upload in its bucket. Absent: a new one."),
  fileModel: z.string().min(1).exactOptional().describe("The model that the lines of an upload are written for."),
  batchEndpoint: z.enum(batchEndpoints).exactOptional().describe("What all lines of a batch ask."),
};

export type StorageOptions = z.output<z.ZodObject<typeof storageOptions>>;

/** Addresses of objects, as ids of files. */
export const storageOf = ({ storageBuckets: buckets }: StorageOptions): Storage =>
  storage({ scheme: "gs", bucket, buckets });

export const objectUrl = ({ storageUrl }: StorageOptions, { bucket: name, key }: StoragePlace): string =>
  `${storageUrl.replace(/\/+$/, "")}/${name}/${keyPath(key)}`;
