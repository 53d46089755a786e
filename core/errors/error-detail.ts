import { valueWithoutQuoted } from "../secrets/quoted-secrets.ts";

/** What a vendor said went wrong, read out of its own shape once. */
export interface ErrorDetail {
  readonly message: string;
  readonly type?: string;
  readonly param?: string;
  readonly code?: string | number;
  /** What the vendor's clients act on without reading the message: a record, or Google's list of them. */
  readonly details?: Readonly<Record<string, unknown>> | readonly unknown[];
  /** What Azure says beside its code: which of its filters held the prompt back (providers.md section 10.4). */
  readonly innererror?: Readonly<Record<string, unknown>>;
  /** How long the vendor asks to be left alone, in milliseconds, where that stands in the body. */
  readonly retryAfter?: number;
  /** The status it would have had before a stream began; only where it is told in another format than the vendor's. */
  readonly status?: number;
}

/** It without any of the `secrets` that the vendor was called with, wherever it quotes them. */
export function unquoted(detail: ErrorDetail, secrets: readonly string[]): ErrorDetail {
  const clean = Object.entries(detail).map(([name, value]) => [name, valueWithoutQuoted(value, secrets)]);
  return { ...detail, ...Object.fromEntries(clean) };
}
