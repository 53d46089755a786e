import { validateHeaderName, validateHeaderValue } from "node:http";
import { credentialHeaders, refusedForwards } from "../../http/header-names.ts";
import type { Attempt } from "../../model/attempt.ts";
import type { Exchange } from "../../model/exchange.ts";
import type { BoundProvider } from "../../model/provider.ts";
import { Secret } from "../../secrets/secret.ts";

/**
 * Adds a header to what the target under way is sent, in a tap on `beforeRequest`; its retries are sent it, too. None
 * replaces what the provider sets. A Secret stays one in records and where a vendor quotes it.
 */
export function addHeader(exchange: Exchange, name: string, value: string | Secret): void {
  const { attempt } = exchange;
  const header = name.toLowerCase();
  if (!attempt) throw new Error(`the header "${name}" is added where no target is about to be called`);
  if (refusedForwards.has(header) || credentialHeaders.some((one) => one === header))
    throw new Error(`the header "${name}" cannot be added: it is the connection's or the provider's own`);
  validateHeaderName(header);
  validateHeaderValue(header, text(value));
  attempt.added = { ...attempt.added, [header]: value };
}

const text = (value: string | Secret): string => (value instanceof Secret ? value.reveal() : value);

/** Those of an attempt, as they are sent. */
export function* addedTo(attempt: Attempt | undefined): Iterable<readonly [name: string, value: string]> {
  for (const name in attempt?.added) {
    const value = attempt.added[name];
    if (value !== undefined) yield [name, text(value)];
  }
}

/** What must not be seen of a call: what it was made with, whoever quotes it. */
export function sentSecrets({ secrets }: BoundProvider, attempt: Attempt | undefined): readonly string[] {
  if (!attempt?.added) return secrets;
  const added = Object.values(attempt.added).flatMap((value) => (value instanceof Secret ? value.reveal() : []));
  return [...secrets, ...added];
}
