import type { IssuedKey, ManagementService, NewUserKey } from "../../core/index.ts";
import { checkedScopes } from "./body.ts";
import type { ChangeParts } from "./changes.ts";
import type { Keys } from "./keys.ts";
import { checkedExpiry, policyFor, refuseTooMany, rulesFor } from "./rules.ts";

export interface UserKeyParts extends ChangeParts {
  readonly keys: Keys;
  readonly reference: ManagementService["reference"];
}

/** A key the gateway makes for a person by itself: with the config of the workspace, and what keys of people keep to. */
export async function userKey(parts: UserKeyParts, asked: NewUserKey): Promise<IssuedKey> {
  const { keys, organisations, reference, now } = parts;
  const { organisation, workspace, user, name, identity } = asked;
  const type = "workspace-user";
  const rules = rulesFor(type, parts.rules);
  await refuseTooMany(keys, organisation, { id: workspace }, type, rules);
  const { userKeyConfig } = (await organisations.workspace(organisation, workspace)) ?? {};
  const config = userKeyConfig && (await reference("configs", organisation, workspace, userKeyConfig));
  const { id, value } = await keys.issue(organisation, {
    type,
    workspace_id: workspace,
    name,
    user_id: user,
    identity: identity ?? null,
    scopes: checkedScopes(asked.scopes, type),
    ...(config && { config_id: config.id, config_slug: config.slug ?? null }),
    expires_at: checkedExpiry(undefined, rules, now()),
    rotation_policy: policyFor(undefined, rules, now()),
    creation_mode: "auto",
  });
  return { id, key: value };
}
