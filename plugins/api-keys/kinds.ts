import { type CredentialKind, GatewayError } from "../../core/index.ts";

/** What an API key can be. */
export type KeyKind = Exclude<CredentialKind, "jwt">;

/** The family of scopes that is about each kind of key (control-plane.md section 5.1). */
export const families = {
  "organisation-service": "organisation_service_api_keys",
  "workspace-service": "workspace_service_api_keys",
  "workspace-user": "workspace_user_api_keys",
} as const satisfies Record<KeyKind, string>;

export const kinds = Object.keys(families) as readonly KeyKind[];

/** One of these lets in; which one it takes depends on the key. */
export const scopesFor = (verb: string): string[] => Object.values(families).map((family) => `${family}.${verb}`);

/** The kind that `/api-keys/{type}/{subType}` names. */
export function kindOf(type: string, subType: string): KeyKind {
  const named = `${type}-${subType}`;
  const found = kinds.find((kind) => kind === named);
  if (found) return found;
  throw new GatewayError(
    "record_invalid",
    `There are no keys of the kind ${type}/${subType}: it is organisation/service, workspace/service or workspace/user.`,
    { param: "type" },
  );
}
