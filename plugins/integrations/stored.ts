import {
  errorMessage,
  GatewayError,
  type Kept,
  type Limited,
  type Logger,
  type Managed,
  type ModelSettings,
  RecordError,
  type SecretsService,
  type StoredCall,
  type StoredPricing,
  type StoredProvider,
  type StoredProvidersService,
  type StoredSettings,
  seldom,
  storeDown,
  unresolvedSecret,
} from "../../core/index.ts";
import {
  type IntegrationDocument,
  type IntegrationStore,
  isOpenTo,
  type ProviderDocument,
  type ProviderStore,
} from "./documents.ts";
import { isLimited, limitsOfProvider, limitsOfShare } from "./limited.ts";
import { ModelRules } from "./model-rules.ts";
import { MappedSettings } from "./secret-mappings.ts";

export interface StoredInput {
  readonly integrations: IntegrationStore;
  readonly providers: ProviderStore;
  readonly secrets: SecretsService | undefined;
  /** Whether an integration may use the credentials of this machine. */
  readonly machine: (integration: IntegrationDocument) => boolean;
  readonly log: Logger;
  readonly now: () => number;
}

/** The providers of workspaces for the data path: read once, then at hand until they or their integration change. */
export function storedProviders(input: StoredInput): StoredProvidersService & { close(): void } {
  const integrations = input.integrations.kept((record) => new KeptIntegration(record, input), {
    staleAfterChange: true,
  });
  const providers = input.providers.kept((record) => new KeptProvider(record, input.now), { staleAfterChange: true });
  const trouble = troubleTeller(input);

  /** A provider without its integration is none. */
  const joined = (provider: KeptProvider | undefined): ReturnType<StoredProvidersService["find"]> => {
    if (!provider) return undefined;
    const integration = integrations.find(provider.organisation, provider.integration);
    if (integration instanceof Promise) return integration.then((one) => one && provider.with(one), trouble);
    return integration && provider.with(integration);
  };
  return {
    find(organisation, workspace, slug) {
      if (!isSlug(slug)) return undefined;
      const provider: ReturnType<Kept<KeptProvider>["find"]> = providers.find(organisation, `${workspace}/${slug}`);
      return provider instanceof Promise ? provider.then(joined, trouble) : joined(provider);
    },
    close() {
      integrations.close();
      providers.close();
    },
  };
}

const isSlug = (text: string): boolean => /^[a-zA-Z0-9_-]{1,255}$/.test(text);

/** A caller is told that a secret is not to be had; why is for those who run the gateway, once a minute. */
function troubleTeller({ log, now }: StoredInput) {
  const due = seldom(now);
  return (error: unknown): never => {
    if (error instanceof RecordError) return storeDown(error);
    const times = due(errorMessage(error));
    if (times !== undefined) log.error("an integration could not be read", { error, times });
    throw unresolvedSecret(error);
  };
}

/** An integration on the data path. Its secrets are in closures: whoever prints it prints none. */
class KeptIntegration {
  readonly vendor: string;
  readonly rules: ModelRules;
  readonly changedAt: number;
  readonly isOpenTo: (workspace: string) => boolean;
  /** What a workspace's share of it is limited to. */
  readonly shareOf: (workspace: string) => Limited | undefined;
  readonly #settings: MappedSettings;

  constructor(record: Managed<IntegrationDocument>, { secrets, machine, log }: StoredInput) {
    const { tenant, document } = record;
    const { ai_provider_id, key, configurations, secret_mappings, workspace_id, slug } = document;
    this.vendor = ai_provider_id;
    this.rules = new ModelRules(document);
    this.changedAt = record.updatedAt;
    this.isOpenTo = (workspace) => isOpenTo(document, workspace);
    this.shareOf = (workspace) => {
      const row = document.access.find((one) => one.workspace === workspace);
      return row && limitsOfShare(record, row);
    };
    this.#settings = new MappedSettings({
      settings: { key: key ?? undefined, fields: configurations, machine: machine(document) },
      mappings: secret_mappings,
      organisation: tenant,
      workspace: workspace_id ?? undefined,
      secrets,
      failed: (error) => log.warn("a secret of an integration could not be had", { integration: slug, error }),
    });
  }

  settings(): StoredSettings | Promise<StoredSettings> {
    return this.#settings.resolve();
  }

  refused(settings: StoredSettings | undefined): void {
    this.#settings.refused(settings);
  }
}

/** A provider on the data path, which stays the same object with its integration until one of them changes. */
class KeptProvider {
  readonly organisation: string;
  readonly integration: string;
  readonly #record: Managed<ProviderDocument>;
  readonly #now: () => number;
  #joined: { readonly integration: KeptIntegration; readonly stored: StoredProvider } | undefined;

  constructor(record: Managed<ProviderDocument>, now: () => number) {
    this.organisation = record.tenant;
    this.integration = record.document.integration_id;
    this.#record = record;
    this.#now = now;
  }

  with(integration: KeptIntegration): StoredProvider {
    if (this.#joined?.integration !== integration)
      this.#joined = { integration, stored: new JoinedProvider(this.#record, integration, this.#now) };
    return this.#joined.stored;
  }
}

class JoinedProvider implements StoredProvider {
  readonly slug: string;
  readonly vendor: string;
  readonly changedAt: number;
  readonly limits: readonly Limited[];
  readonly #workspace: string;
  readonly #exhausted: boolean;
  readonly #expiresAt: number;
  readonly #integration: KeptIntegration;
  readonly #now: () => number;

  constructor(record: Managed<ProviderDocument>, integration: KeptIntegration, now: () => number) {
    const { slug, workspace_id, status, expires_at } = record.document;
    this.slug = slug;
    this.vendor = integration.vendor;
    this.changedAt = Math.max(record.updatedAt, integration.changedAt);
    this.#workspace = workspace_id ?? "";
    this.#exhausted = status === "exhausted";
    this.#expiresAt = expires_at === null ? Number.POSITIVE_INFINITY : Date.parse(expires_at);
    this.#integration = integration;
    this.#now = now;
    const share = integration.shareOf(this.#workspace);
    this.limits = [...(share ? [share] : []), limitsOfProvider(record)].filter(isLimited);
  }

  admit(call: StoredCall): ModelSettings | undefined {
    const { slug } = this;
    const refused = (...[code, why]: [ConstructorParameters<typeof GatewayError>[0], string]) =>
      new GatewayError(code, `The provider "@${slug}" ${why}.`, { provider: slug });
    if (!this.#integration.isOpenTo(this.#workspace))
      throw refused("provider_not_available", "is no longer open to this workspace");
    if (this.#now() >= this.#expiresAt) throw refused("provider_expired", "has expired");
    if (this.#exhausted) throw refused("budget_exhausted", "has used up its budget");
    return this.#integration.rules.admit(call, slug);
  }

  settings(): StoredSettings | Promise<StoredSettings> {
    return this.#integration.settings();
  }

  readonly refused = (settings?: StoredSettings): void => this.#integration.refused(settings);

  pricing(model: string): StoredPricing | undefined {
    return this.#integration.rules.pricing(model);
  }
}
