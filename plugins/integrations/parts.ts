import type { BudgetsService, ManagementService, OrganisationsService, ProviderRegistry } from "../../core/index.ts";
import type { IntegrationDocument, IntegrationStore, ProviderStore } from "./documents.ts";

/** What the parts of this plugin share. */
export interface Parts {
  readonly management: ManagementService;
  readonly organisations: OrganisationsService;
  readonly integrations: IntegrationStore;
  readonly providers: ProviderStore;
  readonly registry: ProviderRegistry;
  readonly budgets: BudgetsService | undefined;
  /** Whether an integration may use the credentials of this machine. */
  readonly machine: (integration: Pick<IntegrationDocument, "workspace_id">) => boolean;
  readonly now: () => number;
}
