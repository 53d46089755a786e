import type { ProviderRegistry, StoredProvidersService } from "../../../core/index.ts";

/** Whom a version of a prompt is meant for. */
export interface Destination {
  readonly model: string | null;
  /** The slug of a provider. */
  readonly provider: string | null;
}

/** Whom another workspace asks; `elsewhere` where it may not ask the provider that is meant. */
export interface SharedDestination extends Destination {
  readonly elsewhere?: true;
}

export interface SharedParts {
  readonly providers: Pick<ProviderRegistry, "configured">;
  readonly stored: Pick<StoredProvidersService, "counterpart"> | undefined;
}

interface Between {
  readonly organisation: string;
  readonly owner: string;
  readonly workspace: string;
}

/**
 * Whom a workspace asks with a prompt of another one: its own provider with the same integration (control-plane.md section
 * 12.7). Providers of the config file are everybody's.
 */
export async function sharedDestination(
  { model, provider }: Destination,
  { organisation, owner, workspace }: Between,
  { providers, stored }: SharedParts,
): Promise<SharedDestination> {
  const counterpart = (slug: string) =>
    providers.configured(slug) || !stored?.counterpart
      ? Promise.resolve(slug)
      : stored.counterpart(organisation, { workspace: owner, slug }, workspace);
  const [, named, rest = null] = /^@([^/]+)\/(.+)$/s.exec(model ?? "") ?? [];
  const inFront = named === undefined ? undefined : await counterpart(named);
  if (inFront === null && named !== undefined) return { model: rest, provider: named, elsewhere: true };
  const prefixed = inFront === undefined ? model : `@${inFront}/${rest}`;
  const own = provider === null ? null : await counterpart(provider);
  return own === undefined || (own === null && provider !== null)
    ? { model: prefixed, provider, elsewhere: true }
    : { model: prefixed, provider: own };
}
