import { z } from "zod";
import { GatewayError } from "../../errors/gateway-error.ts";

/** A tag of the session in which a role is assumed, in AWS's words (STS API reference, AssumeRole, `Tags`). */
export interface SessionTag {
  readonly Key: string;
  readonly Value: string;
}

/** What STS takes of tags: at most so many, and in names and values letters, numbers, spaces and a few signs. */
const mostTags = 50;
const name = /^(?!aws:)[\p{L}\p{Z}\p{N}_.:/=+\-@]{1,128}$/iu;
const value = /^[\p{L}\p{Z}\p{N}_.:/=+\-@]{0,256}$/u;

export const sessionTagNames = z
  .array(z.string().regex(name, "a name that AWS takes for a tag: letters, digits, spaces and _.:/=+-@, not aws:"))
  .max(mostTags)
  .refine((names) => new Set(names.map((one) => one.toLowerCase())).size === names.length, {
    error: "names that differ, for AWS in more than upper and lower case",
  });

/**
 * What a request's metadata says under the names that are to be tags, in their order; undefined where that is nothing. Throws
 * `invalid_request` where a value is none that AWS takes: a session without it could do what it should not.
 */
export function sessionTagsOf(
  { sessionTags }: { readonly sessionTags?: readonly string[] },
  metadata: Readonly<Record<string, string>> | undefined,
): readonly SessionTag[] | undefined {
  if (!sessionTags || !metadata) return undefined;
  const said = sessionTags.filter((Key) => Object.hasOwn(metadata, Key));
  if (said.length === 0) return undefined;
  return said.map((Key) => {
    const Value = metadata[Key] ?? "";
    if (value.test(Value)) return { Key, Value };
    throw new GatewayError(
      "invalid_request",
      `The metadata "${Key}" is to be a session tag of AWS: at most 256 letters, digits, spaces and _.:/=+-@.`,
      { param: "metadata" },
    );
  });
}
