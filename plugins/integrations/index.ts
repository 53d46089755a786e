import {
  Budgets,
  definePlugin,
  Management,
  type ManagementService,
  Organisations,
  Records,
  Routing,
  Sealing,
  Secrets,
  StoredProviders,
  z,
} from "../../core/index.ts";
import { manageAccess } from "./access.ts";
import { catalogueEndpoint } from "./catalogue.ts";
import { counterparts } from "./counterparts.ts";
import { declaredProviders } from "./declared.ts";
import { type IntegrationStore, integrationStore, type ProviderStore, providerStore } from "./documents.ts";
import { manageIntegrations } from "./integrations.ts";
import { manageModels } from "./models.ts";
import type { Parts } from "./parts.ts";
import { manageProviders } from "./providers.ts";
import { storedProviders } from "./stored.ts";
import { manageVirtualKeys } from "./virtual-keys.ts";

export default definePlugin({
  name: "integrations",
  summary: "Credentials of vendors, and the providers workspaces call them by, kept and managed through the API.",
  options: z.strictObject({
    machineCredentials: z
      .enum(["nobody", "organisation", "workspaces"])
      .default("organisation")
      .describe(
        "Whose integrations may use the credentials of this machine (its role, its managed identity): nobody's, those of " +
          "the organisation, or those of workspaces, too.",
      ),
  }),
  needs: [Management, Organisations, Records, Sealing],
  uses: [Budgets, Routing, Secrets],
  provides: [StoredProviders],
  setup({ service, offered, provide, endpoint, providers: registry, log, onClose }, { machineCredentials }) {
    const records = service(Records);
    const sealing = service(Sealing);
    const routing = offered(Routing);
    const parts: Parts = {
      management: service(Management),
      organisations: service(Organisations),
      integrations: integrationStore({ records, sealing }),
      providers: providerStore({
        records,
        get declared() {
          return declaredProviders(registry);
        },
      }),
      registry,
      budgets: offered(Budgets),
      machine: ({ workspace_id }) =>
        machineCredentials === "workspaces" || (machineCredentials === "organisation" && workspace_id === null),
      now: Date.now,
    };
    const stored = storedProviders({ ...parts, secrets: offered(Secrets), log });
    onClose(stored.close);
    const shared = counterparts(parts.providers);
    onClose(shared.close);
    provide(StoredProviders, { find: stored.find, counterpart: shared.find });
    for (const manage of [manageIntegrations, manageModels, manageAccess, manageProviders, manageVirtualKeys])
      manage(parts);
    keepInUse(parts.management, parts);
    routing?.field({ name: "fetch_integrated_models", schema: z.boolean(), inherit: "none" });
    endpoint(catalogueEndpoint({ ...parts, routing }));
  },
});

interface Stores {
  readonly integrations: IntegrationStore;
  readonly providers: ProviderStore;
}

/** What would be left hanging without a workspace, or without a secret reference. */
function keepInUse(management: ManagementService, { integrations, providers }: Stores): void {
  management.needs("workspaces", async (organisation, { id }) => {
    const own = { where: { workspace_id: id } };
    const [ofIntegrations, ofProviders] = [
      (await integrations.select(organisation, own)).total,
      (await providers.select(organisation, own)).total,
    ];
    return [...counted(ofProviders, "provider"), ...counted(ofIntegrations, "integration")];
  });
  management.needs("secret_references", async (organisation, { id }) => {
    const { records } = await integrations.select(organisation, {
      filter: ({ document }) => document.secret_mappings.some(({ secret_reference_id }) => secret_reference_id === id),
    });
    return records.map(({ document: { name } }) => `the integration "${name}"`);
  });
}

const counted = (total: number, what: string): string[] =>
  total === 0 ? [] : [`${total} ${what}${total === 1 ? "" : "s"}`];
