import {
  awsDomainOf,
  type Fields,
  isRecord,
  percentDecoded,
  refuse,
  type Storage,
  type Vendor,
  type VendorCall,
} from "../../core/provider-kit/index.ts";
import type { BedrockOptions } from "./options.ts";

/** Jobs belong to another host than the models: `https://bedrock.REGION.DOMAIN`. A base URL of one's own is for both. */
export const control = (options: BedrockOptions & { readonly baseUrl?: string }, path: string): string =>
  options.baseUrl === undefined ? `https://bedrock.${options.region}.${awsDomainOf(options)}${path}` : path;

export const asked = async (vendor: Vendor, call: VendorCall): Promise<Fields> => (await vendor.call(call)).json();

/** The ARN of a job in an id, which is the ARN, escaped: it becomes part of a path. */
export function arnIn(id: string, kind: string, param: string): string {
  const arn = id.startsWith("arn:") ? id : percentDecoded(id);
  const shape = new RegExp(`^arn:aws[a-z-]*:bedrock:[a-z0-9-]+:\\d{12}:${kind}/[A-Za-z0-9.:/-]+$`);
  return shape.test(arn) && !arn.includes("..") ? arn : refuse(param, `the ARN of a ${kind}, escaped`, id);
}

/** The role that the job acts in. */
export const roleIn = ({ role_arn: role }: Readonly<Fields>): string =>
  typeof role === "string" && role.startsWith("arn:") ? role : refuse("role_arn", "the ARN of a role", role);

/** A folder as a client names it: an address, with or without a slash at its end. */
export function folderIn(value: unknown, storage: Storage, param: string): string {
  if (typeof value !== "string") return refuse(param, "the address of a folder, as s3://BUCKET/", value);
  const plain = value.includes("://") ? value : percentDecoded(value);
  const place = storage.read(`${plain.replace(/\/*$/, "")}/-`, param);
  return storage.uri({ ...place, key: place.key.slice(0, -1) });
}

/** `{s3Uri}` of a part of a job. */
export const uriIn = (config: unknown): string | undefined =>
  isRecord(config) && typeof config.s3Uri === "string" ? config.s3Uri : undefined;

/** Where the lines of a job are. */
export const inputUri = ({ inputDataConfig }: Readonly<Fields>): string | undefined =>
  isRecord(inputDataConfig) ? uriIn(inputDataConfig.s3InputDataConfig) : undefined;
