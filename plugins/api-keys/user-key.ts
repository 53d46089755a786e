import { GatewayError, type IssuedKey, makeIfStill, metadataDefaults, type NewUserKey } from "../../core/index.ts";
import { checkedScopes } from "./body.ts";
import type { ChangeParts } from "./changes.ts";
import type { Keys } from "./keys.ts";
import type { Places } from "./places.ts";
import { checkedExpiry, policyFor } from "./rules.ts";

export interface UserKeyParts extends ChangeParts {
  readonly keys: Pick<Keys, "store" | "remove">;
  readonly places: Places;
}

/** A key the gateway makes for a person by itself: with the config of the workspace, and what keys of people keep to. */
export async function userKey(parts: UserKeyParts, asked: NewUserKey): Promise<IssuedKey> {
  const { keys, places, organisations, reference, now } = parts;
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
  const { id, value, record } = await makeIfStill(
    () => places.issue(organisation, key, rules),
    async () => {
      if (await reference("users", organisation, workspace, user)) return;
      const message = "They have left the workspace at the same moment.";
      throw new GatewayError("reference_unknown", message, { param: "user_id" });
    },
    (made) => keys.remove(made.record),
  );
  // It may have been deleted meanwhile: then the workspace has none, and neither has the key.
  if (config && !(await reference("configs", organisation, workspace, config.id)))
    await keys.store.update(record, (document) => ({ ...document, config_id: null, config_slug: null }));
  return { id, key: value };
}
