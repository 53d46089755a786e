import { randomUUID } from "node:crypto";
import { GatewayError, type Managed, type ResourceParts, ResourceStore } from "../../core/index.ts";
import { type ApiKeyDocument, type SecretRef, tended } from "./document.ts";
import { afterRotation, nextRotation, refuseLongTransition, shortestTransition } from "./rotation.ts";
import type { Secrets } from "./secrets.ts";
import type { Envelope } from "./unread.ts";

export type KeyRecord = Managed<ApiKeyDocument>;

/** What a key is made of before it has a secret. */
export type NewKey = Pick<ApiKeyDocument, "type" | "workspace_id" | "name" | "scopes" | "creation_mode"> &
  Partial<Omit<ApiKeyDocument, "deleted" | "slug" | "status" | "secret" | "previous" | "unread" | "told" | "tended">>;

export interface Issued {
  readonly id: string;
  /** In the clear. */
  readonly value: string;
  readonly record: KeyRecord;
}

export interface Rotated {
  readonly value: string;
  readonly transitionEnds: string;
  /** The secret that lets in for so long only. */
  readonly old: SecretRef;
  /** Whether it was this call that made the new secret; else it had been made before, and was read by it. */
  readonly made: boolean;
}

export interface KeysParts extends ResourceParts<ApiKeyDocument> {
  readonly secrets: Secrets;
  readonly envelope: Envelope;
  readonly now: () => number;
}

/** API keys and their secrets: made, exchanged, deleted. A secret resolves before its key says so, and not after. */
export class Keys {
  readonly store: ResourceStore<ApiKeyDocument>;
  readonly #parts: KeysParts;

  constructor(parts: KeysParts) {
    this.#parts = parts;
    this.store = new ResourceStore(
      {
        collection: "api_keys",
        what: "API key",
        schemaVersion: 1,
        indexes: ["type", "user_id", "config_id", "tended"],
        unseen: 403,
      },
      parts,
    );
  }

  /** With an id of one's own, rejects with a `RecordError` (`exists`) where that is taken. */
  async issue(
    organisation: string,
    key: NewKey,
    { id = randomUUID(), value }: { readonly id?: string; readonly value?: string } = {},
  ): Promise<Issued> {
    const { secrets } = this.#parts;
    const issued = await secrets.issue({ organisation, key: id }, value);
    const document = tended({ ...blank, ...key, secret: issued.ref });
    try {
      const record = await this.store.create(organisation, { id }, document);
      return { id, value: issued.value, record };
    } catch (error) {
      // A given value may be that of the key that was there before.
      if (value === undefined) await secrets.forget([issued.ref]).catch(ignore);
      throw error;
    }
  }

  /** Exchanges the secret for a new one; or gives the one that was made without anybody asking. 409 AB07 meanwhile. */
  async rotate(record: KeyRecord, asked?: number): Promise<Rotated> {
    const now = this.#parts.now();
    let rotated: Rotated | undefined;
    await this.#exchange(record, async (document, fresh) => {
      const { unread, previous, rotation_policy: policy } = document;
      if (unread) {
        rotated = await this.#unread(record, document, unread);
        return { ...document, unread: null };
      }
      if (previous && Date.parse(previous.until) > now) throw inTransition(previous.until);
      const transition = asked ?? policy?.key_transition_period_ms ?? shortestTransition;
      refuseLongTransition(policy, transition, "key_transition_period_ms");
      const next = policy && { ...policy, next_rotation_at: nextRotation(policy, now) ?? policy.next_rotation_at };
      const changed = exchanged(document, fresh.ref, now, transition);
      rotated = { value: fresh.value, transitionEnds: changed.previous.until, old: document.secret, made: true };
      return { ...changed, rotation_policy: next };
    });
    if (rotated) return rotated;
    throw new GatewayError("internal", "The key was not rotated.");
  }

  /** Exchanges the secret of a key whose date has come; undefined where it has not, or the last one is still good. */
  async rotateDue(record: KeyRecord): Promise<Rotated | undefined> {
    const now = this.#parts.now();
    if (!isDue(record.document, now)) return undefined;
    let rotated: Rotated | undefined;
    await this.#exchange(record, async (document, fresh) => {
      const { rotation_policy: policy } = document;
      rotated = undefined;
      if (!policy || !isDue(document, now)) return undefined;
      const changed = exchanged(document, fresh.ref, now, policy.key_transition_period_ms);
      const transition_ends = changed.previous.until;
      const sealed = await this.#parts.envelope.seal(record.tenant, record.id, fresh.value);
      rotated = { value: fresh.value, transitionEnds: transition_ends, old: document.secret, made: true };
      return { ...changed, rotation_policy: afterRotation(policy, now), unread: { sealed, transition_ends } };
    });
    return rotated;
  }

  /** Changes a key unless there turns out to be nothing to change; whether it was changed. */
  async change(record: KeyRecord, change: (document: ApiKeyDocument) => Soon<Changed | undefined>): Promise<boolean> {
    try {
      await this.store.update(record, async (document) => {
        const next = await change(document);
        if (next) return tended(next);
        throw unchanged;
      });
      return true;
    } catch (error) {
      if (error === unchanged) return false;
      throw error;
    }
  }

  /** Refused from then on, by every process. */
  async remove(record: KeyRecord): Promise<void> {
    await this.store.remove(record);
    const { secret, previous } = record.document;
    await this.forgetSecrets([secret, previous]);
  }

  /** Of secrets that let nobody in any more. */
  forgetSecrets(refs: readonly (SecretRef | null)[]): Promise<void> {
    return this.#parts.secrets.forget(refs);
  }

  async #unread(
    { tenant, id }: KeyRecord,
    { previous, secret }: ApiKeyDocument,
    { sealed, transition_ends: transitionEnds }: NonNullable<ApiKeyDocument["unread"]>,
  ): Promise<Rotated> {
    const value = await this.#parts.envelope.open(tenant, id, sealed);
    return { value, transitionEnds, old: previous ?? secret, made: false };
  }

  /** A change that may take a new secret. Of the secrets of before and the new one, those nobody has any more are forgotten. */
  async #exchange(record: KeyRecord, change: (document: ApiKeyDocument, fresh: Fresh) => Promise<Changed | undefined>) {
    const { secrets } = this.#parts;
    const fresh = await secrets.issue({ organisation: record.tenant, key: record.id });
    let before = record.document;
    let after: Changed | undefined;
    try {
      await this.change(record, async (document) => {
        before = document;
        after = undefined;
        after = await change(document, fresh);
        return after;
      });
    } finally {
      const { secret, previous } = after ?? before;
      const left = [fresh.ref, before.previous].filter(
        (ref) => ref && ref.digest !== secret.digest && ref.digest !== previous?.digest,
      );
      // One that is left lets nobody in: its key does not name it.
      await secrets.forget(left).catch(ignore);
    }
  }
}

type Changed = Omit<ApiKeyDocument, "tended">;

interface Fresh {
  readonly value: string;
  readonly ref: SecretRef;
}

function ignore(): void {}

const isDue = ({ rotation_policy, previous }: ApiKeyDocument, now: number): boolean =>
  rotation_policy?.next_rotation_at != null &&
  Date.parse(rotation_policy.next_rotation_at) <= now &&
  !(previous && Date.parse(previous.until) > now);

const exchanged = (document: ApiKeyDocument, secret: SecretRef, now: number, transition: number) => ({
  ...document,
  secret,
  previous: { ...document.secret, until: new Date(now + transition).toISOString() },
  last_rotated_at: new Date(now).toISOString(),
});

type Soon<Value> = Value | Promise<Value>;

/** Ends an update that has nothing to change. */
const unchanged = new Error("nothing to change");

const inTransition = (until: string) =>
  new GatewayError(
    "already_exists",
    `The secret before is good until ${until}: a key has two secrets at most, so that it can be rotated again after that.`,
    { param: "id" },
  );

/** What is not said of a key when it is made. */
export const blank = {
  description: null,
  user_id: null,
  identity: null,
  rate_limits: null,
  usage_limits: null,
  config_id: null,
  config_slug: null,
  allow_config_override: true,
  metadata: null,
  alert_emails: [],
  expires_at: null,
  status: "active",
  last_reset_at: null,
  last_rotated_at: null,
  rotation_policy: null,
  previous: null,
  unread: null,
  told: {},
  deleted: false,
} as const satisfies Partial<ApiKeyDocument>;
