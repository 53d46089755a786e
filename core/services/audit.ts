import { serviceToken } from "../service-token.ts";
import type { AuditAction, AuditResource } from "./management.ts";

/** The audit trail, for what happens without a call of the management API (control-plane.md section 16). */
export interface AuditTrailService {
  /** Keeps an event; returns at once. What could not be kept is counted and logged. */
  event(event: AuditEvent): void;
  /**
   * Walks the chain of every organisation, where entries are chained, and looks for digests that were noted before. Rejects
   * with a `RecordError`.
   */
  verify?(known: ReadonlySet<string>): Promise<readonly AuditChain[]>;
}

/** What a walk along the chain of an organisation has found. */
export interface AuditChain {
  readonly organisation: string;
  /** Entries that are there, and those that are not as their time is over. */
  readonly entries: number;
  readonly expired: number;
  /** Of the last entry; to be noted outside the store. */
  readonly digest?: string;
  /** Which of the known digests it has. */
  readonly known: readonly string[];
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
