import { GatewayError, type Managed } from "../../core/index.ts";
import type { IntegrationDocument, ProviderDocument } from "./documents.ts";
import type { Parts } from "./parts.ts";

/** A provider of an integration in a workspace, before it is anybody's. */
export const providerOf = (
  { id, document }: Managed<IntegrationDocument>,
  workspace: string,
): Omit<ProviderDocument, "slug" | "deleted"> => ({
  workspace_id: workspace,
  name: document.name,
  integration_id: id,
  integration_slug: document.slug ?? null,
  ai_provider_id: document.ai_provider_id,
  note: null,
  status: "active",
  expires_at: null,
  last_reset_at: null,
  usage_limits: null,
  rate_limits: null,
  tags: null,
  virtual_key: false,
});

/** The slug of a default provider must be free in its workspace (control-plane.md section 7.2). */
export async function refuseTaken(
  { providers }: Parts,
  organisation: string,
  workspace: string,
  slug: string | undefined,
  param = "default_provider_slug",
): Promise<void> {
  if (slug === undefined || !(await providers.get(organisation, slug, workspace))) return;
  throw new GatewayError("record_invalid", `The slug "${slug}" is taken in that workspace.`, { param });
}

/**
 * The provider a workspace gets with an integration: under the slug that was given, else the integration's where that is
 * free, else one that is made of its name.
 */
export async function makeDefaultProvider(
  { providers }: Parts,
  integration: Managed<IntegrationDocument>,
  workspace: string,
  slug: string | undefined,
): Promise<void> {
  const { tenant, document } = integration;
  const { name } = document;
  const made = providerOf(integration, workspace);
  if (slug !== undefined) await providers.create(tenant, { name, slug }, made);
  else
    await providers
      .create(tenant, { name, slug: document.slug }, made)
      .catch((error: unknown) => (isTaken(error) ? providers.create(tenant, { name }, made) : Promise.reject(error)));
}

const isTaken = (error: unknown): boolean =>
  error instanceof GatewayError && error.code === "record_invalid" && error.details.param === "slug";
