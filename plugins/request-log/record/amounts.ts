import { createHash } from "node:crypto";
import type { BoundProvider, Cost, Usage } from "../../../core/index.ts";

type Bucket = Exclude<keyof Usage, "estimated">;

const into: readonly Bucket[] = ["inputTokens", "cacheReadTokens", "cacheWriteTokens", "inputAudioTokens"];
const outOf: readonly Bucket[] = ["outputTokens", "reasoningTokens", "outputAudioTokens"];

function sum(usage: Usage, buckets: readonly Bucket[]): number | null {
  let total: number | null = null;
  for (const bucket of buckets) {
    const count = usage[bucket];
    if (count !== undefined) total = (total ?? 0) + count;
  }
  return total;
}

/** Sums of several usages; what none of them has is not known. */
function together(usages: readonly Usage[], buckets: readonly Bucket[]): number | null {
  let total: number | null = null;
  for (const usage of usages) {
    const count = sum(usage, buckets);
    if (count !== null) total = (total ?? 0) + count;
  }
  return total;
}

/** Tokens in, out and together of all calls of a target; what nobody reported is not known. */
export function unitsOf(attempts: readonly { readonly usage?: Usage | undefined }[]) {
  const usages = attempts.flatMap(({ usage }) => usage ?? []);
  const [asked, answered] = [together(usages, into), together(usages, outOf)];
  const total = asked === null && answered === null ? null : (asked ?? 0) + (answered ?? 0);
  return { req_units: asked, res_units: answered, total_units: total };
}

/** US cents of an exact amount of dollars: the point is moved, nothing is multiplied. */
export function centsOf(cost: Cost | undefined): number | null {
  const [, sign = "", whole = "", fraction = ""] = /^(-?)(\d+)(?:\.(\d*))?$/.exec(cost?.amount ?? "") ?? [];
  if (whole === "") return null;
  const padded = fraction.padEnd(2, "0");
  return Number(`${sign}${whole}${padded.slice(0, 2)}.${padded.slice(2)}0`);
}

/** Digests of providers' credentials, made once for each. */
export function credentialDigests(): (provider: BoundProvider) => string | null {
  const known = new WeakMap<BoundProvider, { readonly secret: string; readonly digest: string }>();
  return (provider) => {
    const [secret] = provider.secrets;
    if (secret === undefined) return null;
    const found = known.get(provider);
    if (found?.secret === secret) return found.digest;
    const digest = createHash("sha256").update(secret).digest("hex");
    known.set(provider, { secret, digest });
    return digest;
  };
}
