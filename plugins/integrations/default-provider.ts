import { GatewayError, type Managed, makeIfStill } from "../../core/index.ts";
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

/**
 * Makes a provider of an integration, if that is there still: who deletes an integration deletes the providers that it finds
 * afterwards, and one that was made at the same moment may come later.
 */
export const makeProvider = (
  { integrations, providers }: Parts,
  { id, tenant }: Managed<IntegrationDocument>,
  named: Parameters<Parts["providers"]["create"]>[1],
  document: Omit<ProviderDocument, "slug" | "deleted">,
): Promise<Managed<ProviderDocument>> =>
  makeIfStill(
    () => providers.create(tenant, named, document),
    async () => {
      if (await integrations.get(tenant, id)) return;
      throw new GatewayError("reference_unknown", "The integration was deleted at the same moment.", {
        param: "integration_id",
      });
    },
    (made) => providers.remove(made),
  );

/**
 * The slug of a default provider must be free in its workspace (control-plane.md section 7.2), unless it is that of the
 * one the workspace has meanwhile.
 */
export async function refuseTaken(
  { providers }: Parts,
  organisation: string,
  { workspace, slug }: { readonly workspace: string; readonly slug: string | undefined },
  integration?: string,
): Promise<void> {
  const holder = slug === undefined ? undefined : await providers.get(organisation, slug, workspace);
  if (!holder || (integration !== undefined && holder.document.default_of === integration)) return;
  const param = "default_provider_slug";
  throw new GatewayError("record_invalid", `The slug "${slug}" is taken in that workspace.`, { param });
}

/**
 * The provider a workspace gets with an integration: under the slug that was given, else the integration's where that is
 * free, else one that is made of its name. Of several who make it at the same time, in whichever process, one does.
 */
export async function makeDefaultProvider(
  parts: Parts,
  integration: Managed<IntegrationDocument>,
  workspace: string,
  slug: string | undefined,
): Promise<void> {
  const { id, document } = integration;
  const { name } = document;
  const made = { ...providerOf(integration, workspace), default_of: id };
  const slugs = slug === undefined ? [document.slug, undefined] : [slug];
  for (const [at, one] of slugs.entries()) {
    try {
      await makeProvider(parts, integration, { name, slug: one }, made);
      return;
    } catch (error) {
      if (await isMade(parts, integration, workspace)) return;
      if (!isTaken(error) || at === slugs.length - 1) throw error;
    }
  }
}

/** Whether somebody else was first. */
async function isMade({ providers }: Parts, { id, tenant }: Managed<IntegrationDocument>, workspace: string) {
  const { total } = await providers.select(tenant, {
    workspace,
    where: { integration_id: id },
    filter: ({ document }) => document.default_of === id,
  });
  return total > 0;
}

const isTaken = (error: unknown): boolean =>
  error instanceof GatewayError && error.code === "record_invalid" && error.details.param === "slug";
