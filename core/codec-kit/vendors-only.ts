import { raise } from "../errors/gateway-error.ts";

/** The `decodeRequest` of a format that vendors are asked in and no client speaks. */
export const vendorsOnly = (format: string) => (): never =>
  raise("internal", `Clients do not speak ${format}: it is what vendors are asked in.`);
