import { timingSafeEqual } from "node:crypto";
import {
  type Credential,
  carriedBy,
  credentialOf,
  type Exchange,
  type FileKeyFinder,
  GatewayError,
  inWorkspace,
  type Kept,
  type Principal,
  refusedBy,
  type Workspace,
} from "../../core/index.ts";
import type { Installation } from "./installation.ts";
import type { KnownKey } from "./known-key.ts";
import { digestOf } from "./secret-values.ts";
import type { Secrets } from "./secrets.ts";
import { type Seen, SeenValues } from "./seen-values.ts";

export interface DoorParts {
  readonly installation: Installation;
  readonly secrets: Secrets;
  readonly keys: Pick<Kept<KnownKey>, "find">;
  readonly workspace: (organisation: string, id: string) => Soon<Workspace | undefined>;
  /** Keys of the config file, where there are some. */
  readonly declared: () => FileKeyFinder | undefined;
  /** While the first key of an installation is being made: until then nobody is unknown. */
  readonly starting: () => Promise<void> | undefined;
  readonly now: () => number;
}

/** At hand, or on its way where the store has to be asked. */
type Soon<Value> = Value | Promise<Value>;

const then = <Value, Next>(value: Soon<Value>, next: (value: Value) => Soon<Next>): Soon<Next> =>
  value instanceof Promise ? value.then(next) : next(value);

/**
 * Says whose key a request carries. Once a key is known, everything is at hand: nothing is asked, nothing is waited for.
 * A value that is nobody's is refused in the gateway's own header; elsewhere it may be meant for the provider, and the
 * next plugin is asked.
 */
export class Door {
  readonly #parts: DoorParts;
  readonly #seen = new SeenValues();
  /** Whose keys were refused: they are known, and the refusals are recorded as theirs (observability.md section 2, rule 6). */
  readonly #owners = new WeakMap<GatewayError, Principal>();

  constructor(parts: DoorParts) {
    this.#parts = parts;
  }

  admit(exchange: Exchange): Soon<Principal | undefined> {
    const credential = credentialOf(exchange);
    if (!credential) return undefined;
    const declared = this.#parts.declared()?.(credential.value);
    if (declared) return carriedBy(declared, exchange, credential);
    const refused = (error: unknown): never => {
      const owner = error instanceof GatewayError ? this.#owners.get(error) : undefined;
      if (owner) exchange.principal = carriedBy(owner, exchange, credential);
      return refusedBy(error);
    };
    try {
      const found = this.#whose(credential.value);
      const admitted = then(found, (principal) => admittedAs(principal, exchange, credential));
      return admitted instanceof Promise ? admitted.catch(refused) : admitted;
    } catch (error) {
      return refused(error);
    }
  }

  /** Who a principal of an earlier request is by now; undefined where their key lets nobody in any more. */
  async today(principal: Principal): Promise<Principal | undefined> {
    const { id, organisation } = principal;
    if (organisation === undefined || !storedId.test(id)) return principal;
    const key = await this.#parts.keys.find(organisation, id);
    try {
      return key && (await this.#holder(key, key.current));
    } catch (error) {
      if (error instanceof GatewayError) return undefined;
      throw error;
    }
  }

  #whose(value: string): Soon<Principal | undefined> {
    const seen = this.#seen.get(value);
    return seen ? this.#holderOf(seen) : this.#lookUp(value);
  }

  /** Asks the store, unless that has said lately that it knows nothing of it. */
  #lookUp(value: string): Soon<Principal | undefined> {
    const { installation, secrets } = this.#parts;
    const starting = this.#parts.starting();
    if (starting) return starting.then(() => this.#lookUp(value));
    return then(installation.digestKey(), (digestKey) => {
      // Without one, no key was ever made.
      if (!digestKey) return undefined;
      const digest = digestOf(digestKey, value);
      const owner = secrets.owner(digestKey, value, digest.toString("base64url"));
      return then(owner, (found) => {
        if (!found) return undefined;
        const seen = { digest, owner: found };
        return then(this.#holderOf(seen), (holder) => {
          if (holder) this.#seen.keep(value, seen);
          return holder;
        });
      });
    });
  }

  #holderOf({ owner, digest }: Seen): Soon<Principal | undefined> {
    const key = this.#parts.keys.find(owner.organisation, owner.key);
    return then(key, (found) => found && this.#holder(found, digest));
  }

  /** The principal of a key that has this digest now. Throws where it does not let in any more. */
  #holder(key: KnownKey, digest: Buffer): Soon<Principal | undefined> {
    const now = this.#parts.now();
    const { current, previous, expiresAt } = key;
    const isCurrent = timingSafeEqual(digest, current);
    if (!isCurrent && !(previous && previous.until > now && timingSafeEqual(digest, previous.digest))) return undefined;
    if (expiresAt !== undefined && expiresAt <= now) this.#refuse(key, "expired_api_key", "The API key has expired.");
    if (key.workspace === undefined) return key.own;
    return then(this.#parts.workspace(key.organisation, key.workspace), (workspace) => {
      if (workspace) return inWorkspace(key.own, workspace);
      return this.#refuse(key, "forbidden", "The workspace of this API key is no longer there.");
    });
  }

  #refuse({ own }: KnownKey, code: "expired_api_key" | "forbidden", message: string): never {
    const error = new GatewayError(code, message);
    this.#owners.set(error, own);
    throw error;
  }
}

/** Keys of the config file and tokens have ids of other shapes. */
const storedId = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/;

function admittedAs(
  principal: Principal | undefined,
  exchange: Exchange,
  credential: Credential,
): Principal | undefined {
  if (principal) return carriedBy(principal, exchange, credential);
  if (credential.own) throw new GatewayError("invalid_api_key", "The API key is not known.");
  return undefined;
}
