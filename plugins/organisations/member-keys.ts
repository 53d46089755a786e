import type { KeyIssuer } from "../../core/index.ts";

/** The keys of people, kept by whichever plugin keeps keys; where none does, there are none. */
export class MemberKeys {
  #issuer: KeyIssuer | undefined;

  set issuer(issuer: KeyIssuer) {
    this.#issuer = issuer;
  }

  /** A key for somebody in a workspace; undefined where no plugin issues any. */
  async issue(request: Parameters<KeyIssuer["issue"]>[0]) {
    return this.#issuer?.issue(request);
  }

  /** Puts away the keys of somebody, in one workspace or in all. */
  async archive(organisation: string, user: string, workspace?: string): Promise<void> {
    await this.#issuer?.archive(organisation, user, workspace);
  }
}
