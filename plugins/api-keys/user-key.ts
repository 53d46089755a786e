import { type IssuedKey, type ManagementService, metadataDefaults, type NewUserKey } from "../../core/index.ts";
import { checkedScopes } from "./body.ts";
import type { ChangeParts } from "./changes.ts";
import type { Places } from "./places.ts";
import { checkedExpiry, policyFor } from "./rules.ts";

export interface UserKeyParts extends ChangeParts {
  readonly places: Places;
  readonly reference: ManagementService["reference"];
}

/** A key the gateway makes for a person by itself: with the config of the workspace, and what keys of people keep to. */
export async function userKey(parts: UserKeyParts, asked: NewUserKey): Promise<IssuedKey> {
  const { places, organisations, reference, now } = parts;
  const { organisation, workspace, user, name, identity } = asked;
  const type = "workspace-user";
  const rules = await parts.rules(type, organisation, workspace);
  const { userKeyConfig } = (await organisations.workspace(organisation, workspace)) ?? {};
  // Nobody is asked for metadata here, so that none is missing: what has a default gets it.
  const { keyMetadata } = await organisations.settings(organisation);
  const person = await reference("users", organisation, workspace, user);
  const config = userKeyConfig && (await reference("configs", organisation, workspace, userKeyConfig));
  const key = {
    type,
    workspace_id: workspace,
    name,
    user_id: user,
    identity: identity ?? person?.email ?? null,
    scopes: checkedScopes(asked.scopes, type),
    ...(config && { config_id: config.id, config_slug: config.slug ?? null }),
    ...(keyMetadata && { metadata: metadataDefaults(keyMetadata) }),
    expires_at: checkedExpiry(undefined, rules, now()),
    rotation_policy: policyFor(undefined, rules, now()),
    creation_mode: "auto",
  } as const;
  const { id, value } = await places.issue(organisation, key, rules);
  return { id, key: value };
}
