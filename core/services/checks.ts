import type { CheckTools } from "../check-kit/check-tools.ts";
import type { Check } from "../check-kit/define-check.ts";
import type { Exchange } from "../model/exchange.ts";
import { serviceToken } from "../service-token.ts";

/** The checks of a deployment, and what they are run with. Complete from `onReady` on. */
export interface ChecksService {
  readonly all: Iterable<Check>;
  /** By its id or another spelling of it. */
  named(id: string): Check | undefined;
  /** Throws where another one has the id already. */
  add(check: Check): void;
  /** What is wrong with parameters, the common ones included, by place in them; empty where nothing is. */
  mistakes(check: Check, parameters: Readonly<Record<string, unknown>>): readonly CheckMistake[];
  /** Parameters that nobody knows, and that are meant for others by how they are spelled; what nobody knows else is nobody's. */
  misspelt(check: Check, parameters: Readonly<Record<string, unknown>>): readonly CheckMistake[];
  /** What the check itself doubts of them; undefined where it doubts nothing. */
  doubt(check: Check, parameters: Readonly<Record<string, unknown>>): string | undefined;
  tools(check: Check, use: CheckUse): CheckTools;
}

export interface CheckMistake {
  readonly path: readonly PropertyKey[];
  readonly message: string;
}

/** One use of a check in a guardrail. */
export interface CheckUse {
  /** Those of the hook, which win over the deployment's. */
  readonly credentials?: Readonly<Record<string, unknown>> | undefined;
  /** Names in lower case. */
  readonly forwardHeaders?: readonly string[];
  readonly headers?: Readonly<Record<string, string | string[] | undefined>>;
  /** On whose behalf. */
  readonly exchange?: Exchange;
  /** It runs beside the request: what it asks is asked to the end, whether the client stays or not. */
  readonly beside?: boolean;
  /** Ends what it has asked, in place of that of the exchange. */
  readonly signal?: AbortSignal;
  /** Milliseconds, where the guardrail says. */
  readonly timeout?: number | undefined;
  /** Whether its addresses are the operator's word. */
  readonly trusted: boolean;
}

export const Checks = serviceToken<ChecksService>("checks");
