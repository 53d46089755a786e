import { createHash } from "node:crypto";
import type { CacheEntry } from "../../core/index.ts";

/** All keys of a tenant lie in one hash slot: `sluice:cache:{<digest of the tenant>}:answer:<sha256>`. */
export const keyOf = (prefix: string, kind: "cache" | "vectors", { tenant, key }: CacheEntry): string =>
  `${prefix}${kind}:{${createHash("sha256").update(tenant).digest("hex")}}:${key}`;
