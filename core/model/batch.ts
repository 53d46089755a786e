/** A job of many requests, which a vendor does in its own time (inference-api.md section 16.2). Times are Unix seconds. */
export interface Batch {
  readonly id: string;
  readonly status: BatchStatus;
  /** What its lines ask: `/v1/chat/completions`. */
  readonly endpoint?: string;
  readonly inputFileId?: string;
  readonly outputFileId?: string;
  readonly errorFileId?: string;
  readonly completionWindow?: string;
  readonly createdAt?: number;
  readonly inProgressAt?: number;
  readonly expiresAt?: number;
  readonly finalizingAt?: number;
  readonly completedAt?: number;
  readonly failedAt?: number;
  readonly expiredAt?: number;
  readonly cancellingAt?: number;
  readonly cancelledAt?: number;
  /** Absent where the vendor does not say. */
  readonly counts?: { readonly total: number; readonly completed: number; readonly failed: number };
  readonly errors?: readonly BatchError[];
  readonly metadata?: Readonly<Record<string, string>>;
  readonly model?: string;
  /** Fields of the vendor's that clients may know, by their names on the wire. */
  readonly more?: Readonly<Record<string, unknown>>;
}

export type BatchStatus =
  | "validating"
  | "failed"
  | "file_upload_failed"
  | "batch_start_failed"
  | "in_progress"
  | "finalizing"
  | "processing_post_request_guardrails"
  | "completed"
  | "expired"
  | "cancelling"
  | "cancelled";

export interface BatchError {
  readonly message: string;
  readonly code?: string;
  readonly line?: number;
  readonly param?: string;
}

/** A batch to be begun. */
export interface BatchRequest {
  readonly inputFileId?: string;
  readonly endpoint?: string;
  readonly completionWindow?: string;
  readonly model?: string;
  readonly metadata?: Readonly<Record<string, string>>;
  /** Requests in the batch itself instead of in a file, in the words of the vendor. */
  readonly requests?: readonly Readonly<Record<string, unknown>>[];
  /** All other fields by their names on the wire: vendors have their own. */
  readonly own: Readonly<Record<string, unknown>>;
}

/** A line of the file of a batch. */
export interface BatchLine {
  /** The first is 1. */
  readonly number: number;
  readonly customId: string;
  readonly endpoint: string;
  readonly body: Readonly<Record<string, unknown>>;
}

/** What became of a line: the answer's body in the words of the client, or why there is none. */
export interface BatchOutcome {
  readonly customId: string | null;
  readonly response?: { readonly status: number; readonly body: Readonly<Record<string, unknown>> };
  readonly error?: { readonly code: string; readonly message: string };
  /** The vendor's name for the request. */
  readonly requestId?: string;
}
