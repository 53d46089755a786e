import { GatewayError, type KeyIssuer, type Logger } from "../../core/index.ts";

type IssuedTo = Awaited<ReturnType<KeyIssuer["issue"]>>;

const refusals: ReadonlySet<string> = new Set(["record_invalid", "reference_unknown"]);

/** The keys of people, kept by whichever plugin keeps keys; where none does, there are none. */
export class MemberKeys {
  readonly #log: Logger;
  #issuer: KeyIssuer | undefined;

  constructor(log: Logger) {
    this.#log = log;
  }

  set issuer(issuer: KeyIssuer) {
    this.#issuer = issuer;
  }

  /**
   * A key for somebody in a workspace; undefined where no plugin issues any, where a rule for keys is against it, and where
   * the workspace or whoever it is for has just been deleted: somebody who has joined is not turned away for that.
   */
  async issue(request: Parameters<KeyIssuer["issue"]>[0]): Promise<IssuedTo | undefined> {
    try {
      return await this.#issuer?.issue(request);
    } catch (error) {
      if (!(error instanceof GatewayError) || !refusals.has(error.code)) throw error;
      const { organisation, workspace, user } = request;
      this.#log.warn("a new member got no key", { organisation, workspace, user, reason: error.message });
      return undefined;
    }
  }

  /** Puts away the keys of somebody, in one workspace or in all. */
  async archive(organisation: string, user: string, workspace?: string): Promise<void> {
    await this.#issuer?.archive(organisation, user, workspace);
  }
}
