import type { Format } from "../../core/index.ts";
import { vendorFormats } from "./format.ts";

/** The format of a vendor, by what stands in front of `-images`. */
export function named(vendor: string): Format<"image"> {
  const format = vendorFormats.find(({ name }) => name === `${vendor}-images`);
  if (!format) throw new Error(`there is no ${vendor}`);
  return format;
}
