import type { BoundProvider } from "../model/provider.ts";

/** A provider that has nothing yet: nobody is called by it as it is. */
export const bareProvider = {
  usable: false,
  baseUrl: "",
  origin: "",
  basePath: "",
  baseQuery: "",
  operations: {},
  headers: {},
  forwards: [],
  vendorHeaders: [],
  untrustedHost: false,
  secrets: [],
} as const satisfies Omit<BoundProvider, "slug" | "name">;
