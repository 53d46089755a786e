import { type Fields, isRecord } from "../../../core/index.ts";

/**
 * What is said of a candidate besides its content, without what repeats the content: the segments that are grounded, which are
 * quoted and counted in bytes, and the places of what is recited. The sources stay.
 * https://ai.google.dev/api/generate-content#GroundingMetadata
 */
export function withoutQuotes(all: Readonly<Fields>): Readonly<Fields> {
  const { citationMetadata, groundingMetadata, ...fields } = all;
  if (citationMetadata === undefined && groundingMetadata === undefined) return all;
  if (!isRecord(groundingMetadata)) return fields;
  const { groundingSupports: _, ...sources } = groundingMetadata;
  return { ...fields, groundingMetadata: sources };
}
