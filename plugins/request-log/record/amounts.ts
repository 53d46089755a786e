import { createHash } from "node:crypto";
import {
  type BoundProvider,
  type Cost,
  tokensIn,
  tokensOut,
  totalTokens,
  type Usage,
  usageSum,
} from "../../../core/index.ts";

/** Tokens in, out and together of all calls of a target; what nobody reported is not known. */
export function unitsOf(attempts: readonly { readonly usage?: Usage | undefined }[]) {
  let used: Usage | undefined;
  for (const { usage } of attempts) used = usageSum(used, usage);
  return {
    req_units: tokensIn(used) ?? null,
    res_units: tokensOut(used) ?? null,
    total_units: totalTokens(used) ?? null,
  };
}

/** What was used where nobody was called: what is refused, and what a cache knows, uses no tokens (policies.md sections 5.4 and 10.4). */
export const noUnits: ReturnType<typeof unitsOf> = Object.freeze({ req_units: 0, res_units: 0, total_units: 0 });

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
