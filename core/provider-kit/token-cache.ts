import { createHash } from "node:crypto";
import { Secret } from "../secrets/secret.ts";
import { type TokenSource, type TokenSourceInput, tokenSource } from "./token-source.ts";

/** Sources that are kept: callers may bring any number of credentials. */
const mostSources = 1_000;

/**
 * Sources by what they are made from. A provider is put together anew for every request that brings options of its own;
 * the tokens fetched for the same credential stay. Those longest unused go first.
 */
export class TokenCache {
  readonly #sources = new Map<string, TokenSource>();

  /** The source for a credential, told by everything it consists of, secrets included: only a digest of it is kept. */
  source(credential: readonly (string | Secret | undefined)[], make: () => TokenSourceInput): TokenSource {
    const key = digestOf(credential);
    const source = this.#sources.get(key) ?? tokenSource(make());
    this.#sources.delete(key);
    this.#sources.set(key, source);
    const [oldest] = this.#sources.keys();
    if (this.#sources.size > mostSources && oldest !== undefined) this.#sources.delete(oldest);
    return source;
  }
}

const digestOf = (credential: readonly (string | Secret | undefined)[]): string =>
  createHash("sha256")
    .update(JSON.stringify(credential.map((one) => (one instanceof Secret ? one.reveal() : (one ?? null)))))
    .digest("base64");
