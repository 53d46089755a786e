import {
  type Credential,
  carriedBy,
  credentialOf,
  type Exchange,
  GatewayError,
  inWorkspace,
  isToken,
  type ManagementService,
  type OrganisationsService,
  type Principal,
  refusedBy,
} from "../../core/index.ts";
import type { Claims } from "./claims.ts";
import type { KeySource } from "./key-source.ts";
import { type Accepted, digestOf, type Tokens } from "./tokens.ts";
import { type Expected, Refusal, verified } from "./verify.ts";

export interface DoorParts extends Expected {
  /** Absent where no key set is configured: then no token lets in. */
  readonly keys: KeySource | undefined;
  readonly tokens: Tokens;
  readonly organisations: Pick<OrganisationsService, "home" | "workspace">;
  /** Where configs are looked up by what tokens call them. */
  readonly reference: ManagementService["reference"] | undefined;
  /** Ids of the organisations tokens may be for; empty is the one of this installation. */
  readonly allowedOrganisations: readonly string[];
  /** Ids or slugs of the workspaces tokens may be for; empty is any. */
  readonly allowedWorkspaces: readonly string[];
  /** Values of `sub`; empty is any. */
  readonly allowedUsers: readonly string[];
  readonly defaultScopes: readonly string[];
  /** Told of every token that is refused. */
  readonly refused: (token: string, refusal: Refusal) => void;
  readonly now: () => number;
}

/** Says whose token a request carries; what is no token is for others to know. */
export class Door {
  readonly #parts: DoorParts;

  constructor(parts: DoorParts) {
    this.#parts = parts;
  }

  admit(exchange: Exchange): Principal | undefined | Promise<Principal | undefined> {
    const credential = credentialOf(exchange);
    if (!credential || !isToken(credential.value)) return undefined;
    const { tokens, keys } = this.#parts;
    try {
      if (!keys) throw new Refusal("forbidden", "no key set is configured", false);
      keys.tend();
      tokens.signedWith(keys.generation);
      const digest = digestOf(credential.value);
      const known = tokens.known(digest);
      if (known instanceof Refusal) throw known.toGatewayError();
      if (known) return this.#enter(known, exchange, credential);
      return this.#check(credential.value, digest, keys)
        .then((accepted) => this.#enter(accepted, exchange, credential))
        .catch((error: unknown) => this.#refuse(error, credential.value));
    } catch (error) {
      return this.#refuse(error, credential.value);
    }
  }

  #enter(accepted: Accepted, exchange: Exchange, credential: Credential) {
    const found = this.#parts.organisations.workspace(accepted.organisation, accepted.workspace);
    const entered = (workspace: Awaited<typeof found>) => {
      if (workspace) return carriedBy(inWorkspace(accepted.own, workspace), exchange, credential);
      throw new GatewayError("forbidden", "The workspace of this token is no longer there.");
    };
    return found instanceof Promise ? found.then(entered, refusedBy) : entered(found);
  }

  async #check(token: string, digest: string, keys: KeySource): Promise<Accepted> {
    const { tokens, now } = this.#parts;
    try {
      const { claims, generation } = await verified(token, keys, this.#parts, now());
      const accepted = await this.#accepted(claims, digest);
      tokens.signedWith(keys.generation);
      // Its key may be gone by now: then it is checked again when it comes next.
      if (generation === keys.generation) tokens.accept(digest, accepted);
      return accepted;
    } catch (error) {
      if (error instanceof Refusal) tokens.refuse(digest, error);
      throw error;
    }
  }

  async #accepted(claims: Claims, digest: string): Promise<Accepted> {
    const { allowedUsers, clockTolerance, defaultScopes } = this.#parts;
    const organisation = await this.#organisationOf(claims);
    const workspace = await this.#workspaceOf(claims, organisation);
    if (allowedUsers.length > 0 && !(claims.subject !== undefined && allowedUsers.includes(claims.subject)))
      throw new Refusal("forbidden", "its user (sub) is not among those allowed");
    const scopes = claims.scopes ?? defaultScopes;
    if (scopes.length === 0) throw new Refusal("forbidden", "it carries no scope that a token can have");
    const { identity, limits, metadata } = claims;
    const config = await this.#configOf(claims, organisation, workspace);
    return {
      expiresAt: (claims.expires + clockTolerance) * 1000,
      organisation,
      workspace,
      own: {
        id: `jwt:${digest}`,
        name: identity ?? "token",
        organisation,
        workspace,
        scopes,
        metadata,
        ...(identity !== undefined && { user: identity, identity }),
        ...(limits && { limits }),
        ...(config !== undefined && { defaultConfig: { slug: config, mayReplace: true } }),
      },
    };
  }

  async #organisationOf({ organisation }: Claims): Promise<string> {
    const { allowedOrganisations, organisations } = this.#parts;
    const allowed =
      allowedOrganisations.length > 0 ? allowedOrganisations : [(await organisations.home()).organisation];
    if (organisation === undefined) {
      const [only, another] = allowed;
      if (only !== undefined && another === undefined) return only;
      throw new Refusal("invalid_jwt", "it names no organisation, and there are several");
    }
    if (allowed.includes(organisation)) return organisation;
    throw new Refusal("forbidden", "its organisation is not among those allowed");
  }

  /** The id of the workspace: the one it names, or the first one allowed, or the one everybody shares. */
  async #workspaceOf({ workspace: named }: Claims, organisation: string): Promise<string> {
    const { allowedWorkspaces, organisations } = this.#parts;
    const ref = named ?? allowedWorkspaces[0] ?? (await this.#sharedOf(organisation));
    const found = await organisations.workspace(organisation, ref);
    const allowed =
      allowedWorkspaces.length === 0 ||
      (found && [found.id, found.slug].some((one) => allowedWorkspaces.includes(one)));
    if (found && allowed) return found.id;
    // It may be made later.
    throw new Refusal("forbidden", "its workspace is not there, or not among those allowed", false);
  }

  async #sharedOf(organisation: string): Promise<string> {
    const home = await this.#parts.organisations.home();
    if (home.organisation === organisation) return home.workspace;
    throw new Refusal("invalid_jwt", "it names no workspace, and its organisation has none that everybody shares");
  }

  /** One that its workspace does not have is as good as none. */
  async #configOf({ config }: Claims, organisation: string, workspace: string): Promise<string | undefined> {
    if (config === undefined) return undefined;
    return (await this.#parts.reference?.("configs", organisation, workspace, config))?.slug;
  }

  #refuse(error: unknown, token: string): never {
    if (!(error instanceof Refusal)) return refusedBy(error);
    this.#parts.refused(token, error);
    throw error.toGatewayError();
  }
}
