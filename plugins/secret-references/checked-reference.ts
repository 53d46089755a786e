import { GatewayError, type z } from "../../core/index.ts";
import { type ManagerType, managers } from "./managers/index.ts";
import type { ReferenceDocument } from "./reference-store.ts";

type Named = Pick<ReferenceDocument, "manager_type" | "auth_config" | "secret_path">;

/** A mistake, with the field it is in: `auth_config.vault_token`. */
export interface Mistake {
  readonly field: string;
  readonly message: string;
}

export interface Rules {
  /** Why a URL may not be called; undefined where it may. */
  readonly refuseUrl: (url: string) => boolean;
  /** Whether it may show who this machine is. */
  readonly machineIdentity: boolean;
}

/** What a manager makes of its `auth_config` and the path; `rules` are for those that are not the operator's word. */
export function checkedReference(
  { manager_type, auth_config, secret_path }: Named,
  rules?: Rules,
): { readonly auth?: Readonly<Record<string, unknown>>; readonly mistakes: readonly Mistake[] } {
  const manager = managers[manager_type as ManagerType];
  const path = manager.refusePath(secret_path);
  const mistakes: Mistake[] = path === undefined ? [] : [{ field: "secret_path", message: path }];
  const parsed = manager.auth.safeParse(auth_config);
  if (!parsed.success) return { mistakes: [...parsed.error.issues.map(inAuth), ...mistakes] };
  const auth = parsed.data as Readonly<Record<string, unknown>>;
  if (rules) {
    for (const [field, url] of Object.entries(manager.addresses?.(auth) ?? {}))
      if (rules.refuseUrl(url))
        mistakes.push({ field: `auth_config.${field}`, message: "is not a URL that may be called" });
    if (!rules.machineIdentity && manager.showsMachine?.(auth))
      mistakes.push({
        field: "auth_config",
        message: "shows who this machine is, which only the config file may ask for",
      });
  }
  return { auth, mistakes };
}

/** The member of `auth_config` that says how a manager is shown who asks. */
const discriminators: Readonly<Record<string, string>> = {
  aws_sm: "aws_auth_type",
  azure_kv: "azure_auth_mode",
  hashicorp_vault: "vault_auth_type",
  gcp_sm: "gcp_auth_type",
};

/** What was sent for another manager than the one a reference is of. */
export function otherManagers(type: string, sent: Readonly<Record<string, unknown>> = {}): Mistake[] {
  return Object.entries(discriminators)
    .filter(([other, field]) => other !== type && field in sent)
    .map(([other, field]) => ({ field: `auth_config.${field}`, message: `is of ${other}, and this is ${type}` }));
}

const inAuth = ({ path, message }: z.core.$ZodIssue): Mistake => ({
  field: ["auth_config", ...path.map(String)].join("."),
  message,
});

/** Throws AB01, naming every mistake. */
export function refuseMistakes(mistakes: readonly Mistake[]): void {
  const [first] = mistakes;
  if (!first) return;
  const lines = mistakes.map(({ field, message }) => `${field}: ${message}`);
  throw new GatewayError("record_invalid", lines.join("; "), {
    param: first.field,
    errors: mistakes.map(({ field, message }) => `path: ${field}, message: ${message}`),
  });
}
