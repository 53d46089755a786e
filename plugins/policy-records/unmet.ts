import type { PolicyKind } from "../../core/index.ts";

/** The policies of the file, by id. */
interface Declared {
  readonly usageLimits: Readonly<Record<string, { readonly type: string }>>;
  readonly rateLimits: Readonly<Record<string, unknown>>;
}

interface Warning {
  readonly message: string;
  readonly fields: Readonly<Record<string, unknown>>;
}

/** What of the file would limit nothing: no request would say so. */
export function unmetPolicies(declared: Declared, met: ReadonlySet<PolicyKind>, hasPrices: boolean): Warning[] {
  const warnings: Warning[] = [];
  const unmet = (kind: PolicyKind, policies: readonly string[], plugin: string) => {
    if (policies.length > 0 && !met.has(kind))
      warnings.push({
        message: "policies of the file limit nothing: no plugin that is loaded looks at them",
        fields: { policies, plugin },
      });
  };
  unmet("rates", Object.keys(declared.rateLimits), "rate-limits");
  unmet("usage", Object.keys(declared.usageLimits), "usage-limits");
  const ofMoney = Object.entries(declared.usageLimits).filter(([, { type }]) => type === "cost");
  if (ofMoney.length > 0 && met.has("usage") && !hasPrices)
    warnings.push({
      message: "budgets of money limit nothing: no plugin that is loaded knows prices",
      fields: { policies: ofMoney.map(([id]) => id), plugin: "pricing" },
    });
  return warnings;
}
