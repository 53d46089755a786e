import type { z } from "zod";
import type { FinishReason } from "../model/chat.ts";
import type { OperationName, RequestOf } from "../model/operations.ts";
import type { CheckSubject, CheckTarget } from "./check-input.ts";

/** What becomes of texts under a check. */
export interface CheckTable<Parameters extends z.ZodObject = z.ZodObject> {
  readonly passes: readonly CheckRow<Parameters>[];
  readonly fails: readonly CheckRow<Parameters>[];
}

export interface CheckRow<Parameters extends z.ZodObject = z.ZodObject> {
  readonly parameters?: z.input<Parameters>;
  /** One text, or several parts. */
  readonly text?: string;
  readonly texts?: readonly string[];
  /** Which side of an exchange it is on; absent is the first one the check is for. */
  readonly target?: CheckTarget;
  /** What it belongs to, where that matters. */
  readonly subject?: TriedSubject;
  /** What whoever is asked answers, one after the other, and what it has to have been asked. */
  readonly asks?: readonly TriedCall[];
  /** The same of models of the deployment's providers. */
  readonly calls?: readonly TriedModel[];
  readonly credentials?: Readonly<Record<string, unknown>>;
  /** What `data` has to contain. */
  readonly data?: unknown;
  /** What the texts become. */
  readonly becomes?: string | readonly (string | null)[];
  /** What the body becomes, in the client's format or in canonical form. */
  readonly json?: unknown;
  readonly body?: unknown;
  /** Headers it adds. */
  readonly headers?: Readonly<Record<string, string>>;
  /** There is no verdict of its own: what the error says, or a part of it. */
  readonly error?: string;
}

/** The parts of a subject that matter to a row: JSON of the client's format, and the rest by name. */
export interface TriedSubject
  extends Partial<Pick<CheckSubject, "requestType" | "provider" | "model" | "metadata" | "headers">> {
  readonly request?: unknown;
  /** The request in canonical form. */
  readonly body?: RequestOf<OperationName>;
  readonly response?: unknown;
  readonly status?: number;
  /** It asks for a stream. */
  readonly streams?: boolean;
}

export interface TriedCall {
  /** Where to: the whole URL, or the part of it that matters. */
  readonly url?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** What the body has to contain; of a text, a part. */
  readonly body?: unknown;
  readonly status?: number;
  /** Where a 3xx sends. */
  readonly location?: string;
  readonly answer?: unknown;
  /** The same, as base64. */
  readonly bytes?: string;
  /** It does not answer in time. */
  readonly silent?: boolean;
}

export interface TriedModel {
  /** What the call has to contain: provider, operation, body. */
  readonly asked?: object;
  /** The text of the answer. */
  readonly says?: string;
  /** Why it ended; `stop` unless said. */
  readonly finishReason?: FinishReason;
  /** The provider fails with this message instead. */
  readonly error?: string;
}
