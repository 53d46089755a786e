import { serviceToken } from "../plugin.ts";
import type { AuditAction, AuditResource } from "./management.ts";

/** The audit trail, for what happens without a call of the management API (control-plane.md section 16). */
export interface AuditTrailService {
  /** Keeps an event; returns at once. What could not be kept is counted and logged. */
  event(event: AuditEvent): void;
  /** Walks the chain of every organisation, where entries are chained. Rejects with a `RecordError`. */
  verify?(): Promise<readonly AuditChain[]>;
}

/** What a walk along the chain of an organisation has found. */
export interface AuditChain {
  readonly organisation: string;
  /** Entries that are there, and those that are not as their time is over. */
  readonly entries: number;
  readonly expired: number;
  /** The digests of the last entry of each thousand and of the last one of all: who has noted one finds it again. */
  readonly digests: readonly string[];
  /** The first entry that is not as it was written; absent in an unbroken chain. */
  readonly wrong?: { readonly sequence: number; readonly message: string };
}

export interface AuditEvent {
  readonly organisation: string;
  readonly workspace?: string | undefined;
  readonly resource: AuditResource;
  readonly action: AuditAction;
  /** Whom or what it is about: the id of a key, of a policy. */
  readonly subject?: string | undefined;
  /** What there is to know of it; never a secret. */
  readonly details?: Readonly<Record<string, unknown>>;
  /** The status a caller got, where there was one. */
  readonly status?: number | undefined;
}

export const AuditTrail = serviceToken<AuditTrailService>("audit-trail");
