import type { Logger, OrganisationFacts, PluginContext } from "../../core/index.ts";
import { type Algorithm, readKeySet } from "./key-set.ts";
import { fixedKeys, type KeySource, type LastSets, RemoteKeys } from "./key-source.ts";
import { Tokens } from "./tokens.ts";

/** A set of keys, and what is known of the tokens that were checked with it. */
export interface Issuer {
  readonly keys: KeySource;
  readonly tokens: Tokens;
}

export interface KeySourcesParts {
  readonly algorithms: readonly Algorithm[];
  readonly ask: PluginContext["ask"];
  readonly log: Logger;
  readonly now: () => number;
  readonly last?: LastSets;
}

/** Sets of organisations kept at most. */
const most = 1000;

/**
 * The key sets that organisations have named for their tokens (control-plane.md section 2.8). What is known of tokens is kept
 * with the set: those of one that was replaced are checked again.
 */
export class KeySources {
  readonly #parts: KeySourcesParts;
  readonly #byDecision = new WeakMap<OrganisationFacts["jwt"], Issuer>();
  /** By what they are: an organisation that changes something else keeps its set. */
  readonly #issuers = new Map<string, Issuer>();

  constructor(parts: KeySourcesParts) {
    this.#parts = parts;
  }

  /** Undefined for an organisation that has named none. */
  of(organisation: string, jwt: OrganisationFacts["jwt"]): Issuer | undefined {
    if (jwt.url === undefined && jwt.keys === undefined) return undefined;
    const known = this.#byDecision.get(jwt);
    if (known) return known;
    const name = `${organisation}\n${jwt.keys ? JSON.stringify(jwt.keys) : jwt.url}`;
    const issuer = this.#issuers.get(name) ?? {
      keys: this.#source(organisation, jwt),
      tokens: new Tokens(this.#parts.now),
    };
    this.#issuers.set(name, issuer);
    this.#byDecision.set(jwt, issuer);
    for (const oldest of this.#issuers.keys()) {
      if (this.#issuers.size <= most) break;
      this.#issuers.delete(oldest);
    }
    return issuer;
  }

  #source(organisation: string, { keys, url = "" }: OrganisationFacts["jwt"]): KeySource {
    const { algorithms, ask, log, now, last } = this.#parts;
    // An address that came over the API is no word of the operator's.
    if (!keys) return new RemoteKeys({ url, algorithms, ask, log, now, last, trusted: false });
    try {
      return fixedKeys(readKeySet(keys, algorithms));
    } catch (error) {
      log.warn("the key set of an organisation cannot be used", { organisation, error });
      return fixedKeys(new Map());
    }
  }
}
