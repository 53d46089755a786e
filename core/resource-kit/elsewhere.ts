import { GatewayError } from "../errors/gateway-error.ts";

/** A credential of a record, with the member it stands in. */
export type CredentialMember = readonly [member: string, value: string];

/** A change of a record, as far as it says what is shown to whom. */
export interface Move {
  /** Origins that are called. */
  readonly before: Iterable<string>;
  readonly after: Iterable<string>;
  /** What they are shown. */
  readonly credentials: readonly CredentialMember[];
  /** What was sent of it with the change: nothing of it is put back from what is kept. */
  readonly sent: readonly CredentialMember[];
}

/**
 * Refuses a change that would have a credential sent to a host it did not go to before, unless the credential is sent with
 * it: who may change a record may not read its credentials. `named` says what a member is called by whoever sent it.
 */
export function refuseElsewhere({ before, after, credentials, sent }: Move, named: (member: string) => string): void {
  const known = new Set(before);
  if ([...after].every((host) => known.has(host))) return;
  const brought = new Set(sent.map(([, value]) => value));
  const kept = credentials.find(([, value]) => !brought.has(value));
  if (!kept) return;
  const param = named(kept[0]);
  throw new GatewayError(
    "record_invalid",
    `${param}: goes to another host now: send the credential itself with this change.`,
    { param },
  );
}
