import type { RateLimit } from "../../core/index.ts";
import { startLimited, type Vendor } from "../../test/support/limited.ts";

/** Two requests a minute for each API key, but one. */
export const R1 = {
  name: "Two a minute",
  conditions: [{ key: "api_key", value: "*", excludes: ["K9"] }],
  group_by: [{ key: "api_key" }],
  type: "requests",
  unit: "rpm",
  value: 2,
};

/** A limit of a key, a workspace or a provider. */
export const rateOf = (
  value: number,
  type: RateLimit["type"] = "requests",
  unit: RateLimit["unit"] = "rpm",
): RateLimit => ({ type, unit, value });

/** Policies of the file, by id, and options of the plugin. */
export const limitedBy = (rateLimits: object = {}, options: object = {}, plugins: object = {}, vendor?: Vendor) =>
  startLimited(
    {
      "records-file": {},
      management: {},
      organisations: {},
      "policy-records": { rateLimits },
      "rate-limits": options,
      ...plugins,
    },
    vendor,
  );

/** Unix milliseconds of a time of the day that the tests are about. */
export const at = (time: string) => Date.parse(`2026-09-02T${time}Z`);
