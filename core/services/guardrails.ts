import type { CheckTarget } from "../check-kit/check-input.ts";
import { serviceToken } from "../service-token.ts";

/** Guardrails that are kept, by the store or by the config file, for whoever runs them. */
export interface GuardrailRecordsService {
  /**
   * By id or slug: one of the workspace, of its organisation, or of the file, which everybody may use. The same object
   * stands for it until it changes. A promise only where the store has to be asked; rejects with `store_unavailable`.
   * `version`: as it was in that version, which is the newest where none is named. The file has no versions.
   */
  find(
    organisation: string | undefined,
    workspace: string | undefined,
    ref: string,
    version?: string,
  ): KeptGuardrail | undefined | Promise<KeptGuardrail | undefined>;
}

export interface KeptGuardrail {
  readonly id: string;
  readonly slug: string;
  readonly name: string;
  /** The id of this version of it; absent in the file. */
  readonly version?: string;
  readonly checks: readonly GuardrailCheck[];
  readonly actions: GuardrailActions;
}

export interface GuardrailCheck {
  /** The id it is registered under: `default.regexMatch`. */
  readonly id: string;
  readonly name?: string;
  /** As they were given, and valid; without defaults. */
  readonly parameters: Readonly<Record<string, unknown>>;
  readonly enabled: boolean;
}

/** What a guardrail does when its checks pass or fail (guardrails.md section 1.2). */
export interface GuardrailActions {
  readonly deny: boolean;
  readonly async: boolean;
  readonly sequential: boolean;
  readonly soft_deny_200: boolean;
  /** What is done about streams that have to be there whole: put together first, or reported on when they are over. */
  readonly streams?: "buffer" | "verdict" | undefined;
  readonly on_success: { readonly feedback: GuardrailFeedback };
  readonly on_fail: { readonly feedback: GuardrailFeedback };
}

export interface GuardrailFeedback {
  /** From -10 to 10. */
  readonly value: number;
  /** From 0 to 1. */
  readonly weight: number;
  readonly metadata: string | Readonly<Record<string, unknown>>;
}

/** Tries guardrails out, without a request. */
export interface GuardrailTrialService {
  /**
   * Runs a guardrail on a text: one as `POST /guardrails` takes it, or as a list of a config holds it. Rejects with what is
   * wrong with it, by place.
   */
  run(guardrail: unknown, text: string, target: CheckTarget): Promise<TriedGuardrail>;
}

export interface TriedGuardrail {
  readonly verdict: boolean;
  readonly denied: boolean;
  /** The text as it would go on. */
  readonly text: string;
  readonly checks: readonly TriedCheck[];
}

export interface TriedCheck {
  readonly id: string;
  readonly verdict: boolean;
  readonly error?: { readonly name: string; readonly message: string };
  readonly data: unknown;
  readonly milliseconds: number;
}

export const GuardrailTrial = serviceToken<GuardrailTrialService>("guardrail-trial");

export const GuardrailRecords = serviceToken<GuardrailRecordsService>("guardrail-records");
