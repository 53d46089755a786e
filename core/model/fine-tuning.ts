/** A model in the making (inference-api.md section 16.3). Times are Unix seconds. */
export interface FineTuningJob {
  readonly id: string;
  readonly status: FineTuningStatus;
  readonly model?: string;
  readonly createdAt?: number;
  readonly finishedAt?: number;
  readonly estimatedFinish?: number;
  readonly fineTunedModel?: string;
  readonly trainingFile?: string;
  readonly validationFile?: string;
  readonly hyperparameters?: Readonly<Record<string, unknown>>;
  readonly trainedTokens?: number;
  readonly resultFiles?: readonly string[];
  readonly seed?: number;
  readonly error?: { readonly code: string | null; readonly message: string; readonly param: string | null };
  /** Fields of the vendor's that clients may know, by their names on the wire. */
  readonly more?: Readonly<Record<string, unknown>>;
}

export type FineTuningStatus = "validating_files" | "queued" | "running" | "succeeded" | "failed" | "cancelled";

/** A model to be made. */
export interface FineTuningRequest {
  readonly model: string;
  readonly trainingFile: string;
  readonly validationFile?: string;
  /** Part of the name of the model. */
  readonly suffix?: string;
  /** `supervised`, `dpo`. */
  readonly method?: string;
  /** Numbers, or `auto`. */
  readonly hyperparameters: Readonly<Record<string, unknown>>;
  readonly seed?: number;
  /** All other fields by their names on the wire: vendors have their own. */
  readonly own: Readonly<Record<string, unknown>>;
}
