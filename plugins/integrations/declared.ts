import type { ProviderRegistry, ResourceParts } from "../../core/index.ts";
import type { ProviderDocument } from "./documents.ts";

/** The providers of the config file, as the API shows them: who they are, and nothing of how they are called. */
export const declaredProviders = (
  registry: Pick<ProviderRegistry, "all">,
): NonNullable<ResourceParts<ProviderDocument>["declared"]> =>
  registry.all().map(({ slug, name }) => ({
    id: slug,
    document: {
      slug,
      name: slug,
      workspace_id: null,
      deleted: false,
      integration_id: "",
      integration_slug: null,
      ai_provider_id: name,
      note: null,
      status: "active",
      expires_at: null,
      last_reset_at: null,
      usage_limits: null,
      rate_limits: null,
      tags: null,
      virtual_key: false,
    },
  }));
