import {
  type Credential,
  carriedBy,
  credentialOf,
  type Exchange,
  GatewayError,
  inWorkspace,
  isToken,
  type OrganisationFacts,
  type OrganisationsService,
  type Principal,
  refusedBy,
} from "../../core/index.ts";
import { type Claims, saidOrganisation } from "./claims.ts";
import type { Issuer } from "./key-sources.ts";
import { type Accepted, digestOf } from "./tokens.ts";
import { type Expected, Refusal, verified } from "./verify.ts";

export interface DoorParts extends Expected {
  /** The key set of the config file, for organisations that have none of their own; absent where there is none. */
  readonly own: Issuer | undefined;
  /** The key set that an organisation has decided on. */
  readonly issuerOf: (organisation: string, jwt: OrganisationFacts["jwt"]) => Issuer | undefined;
  readonly organisations: Pick<OrganisationsService, "home" | "workspace" | "settings">;
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
  #home: string | undefined;

  constructor(parts: DoorParts) {
    this.#parts = parts;
  }

  admit(exchange: Exchange): Principal | undefined | Promise<Principal | undefined> {
    const credential = credentialOf(exchange);
    if (!credential || !isToken(credential.value)) return undefined;
    try {
      const issuer = this.#issuerOf(credential.value);
      if (!(issuer instanceof Promise)) return this.#admitBy(issuer, exchange, credential);
      return issuer
        .then((found) => this.#admitBy(found, exchange, credential))
        .catch((error: unknown) => this.#refuse(error, credential.value));
    } catch (error) {
      return this.#refuse(error, credential.value);
    }
  }

  #admitBy(issuer: Issuer | undefined, exchange: Exchange, credential: Credential) {
    if (!issuer) throw new Refusal("forbidden", "no key set is configured", false);
    const { keys, tokens } = issuer;
    keys.tend();
    tokens.signedWith(keys.generation);
    const digest = digestOf(credential.value);
    const known = tokens.known(digest);
    if (known instanceof Refusal) throw known.toGatewayError();
    if (known) return this.#enter(known, exchange, credential);
    return this.#check(credential.value, digest, issuer)
      .then((accepted) => this.#enter(accepted, exchange, credential))
      .catch((error: unknown) => this.#refuse(error, credential.value));
  }

  /** Which keys a token has to be signed with follows from the organisation it says it is for, which is checked with them. */
  #issuerOf(token: string): Issuer | undefined | Promise<Issuer | undefined> {
    const { allowedOrganisations } = this.#parts;
    if (allowedOrganisations.length > 0) return this.#issuerAmong(allowedOrganisations, token);
    if (this.#home !== undefined) return this.#issuerAmong([this.#home], token);
    return this.#parts.organisations.home().then(({ organisation }) => {
      this.#home = organisation;
      return this.#issuerAmong([organisation], token);
    });
  }

  #issuerAmong(allowed: readonly string[], token: string): Issuer | undefined | Promise<Issuer | undefined> {
    const { own, issuerOf, organisations } = this.#parts;
    const [only, another] = allowed;
    const said = another === undefined ? only : saidOrganisation(token);
    if (said === undefined || !allowed.includes(said)) return own;
    const settings = organisations.settings(said);
    const chosen = ({ jwt }: OrganisationFacts) => issuerOf(said, jwt) ?? own;
    return settings instanceof Promise ? settings.then(chosen) : chosen(settings);
  }

  #enter(accepted: Accepted, exchange: Exchange, credential: Credential) {
    const found = this.#parts.organisations.workspace(accepted.organisation, accepted.workspace);
    const entered = (workspace: Awaited<typeof found>) => {
      if (workspace) return carriedBy(inWorkspace(accepted.own, workspace), exchange, credential);
      throw new GatewayError("forbidden", "The workspace of this token is no longer there.");
    };
    return found instanceof Promise ? found.then(entered, refusedBy) : entered(found);
  }

  async #check(token: string, digest: string, { keys, tokens }: Issuer): Promise<Accepted> {
    const { now } = this.#parts;
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
    const { identity, limits, metadata, config } = claims;
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
        // A new token of somebody begins anew: it says itself what it is limited to.
        ...(limits && { limits: { level: "token", id: digest, subject: identity ?? "token", ...limits } }),
        ...(config !== undefined && { defaultConfig: { slug: config, mayReplace: true, ifThere: true } }),
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
    if (allowedOrganisations.length > 0) throw new Refusal("forbidden", "its organisation is not among those allowed");
    // Nobody has said which ones may (control-plane.md section 2.9).
    throw new Refusal("invalid_jwt", "its organisation is not known here");
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

  #refuse(error: unknown, token: string): never {
    if (!(error instanceof Refusal)) return refusedBy(error);
    this.#parts.refused(token, error);
    throw error.toGatewayError();
  }
}
