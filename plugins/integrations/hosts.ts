import { type CredentialMember, isRecord, originOf, refuseElsewhere } from "../../core/index.ts";
import type { IntegrationDocument } from "./documents.ts";
import { credentialsIn } from "./masking.ts";

type Settings = Pick<IntegrationDocument, "key" | "configurations" | "secret_members">;

/** What was sent of a change: nothing of it is put back from what is kept. */
export interface SentSettings {
  readonly key?: string | null | undefined;
  readonly configurations: Readonly<Record<string, unknown>>;
}

/**
 * Refuses a change that would have a credential of an integration sent to a host it did not go to before. `named` says what
 * a member is called by whoever sent it.
 */
export function refuseOtherHost(
  before: Settings,
  after: Settings,
  sent: SentSettings,
  named: (member: string) => string,
): void {
  const move = {
    before: hostsIn(before.configurations),
    after: hostsIn(after.configurations),
    credentials: credentialsOf(after),
    sent: credentialsOf({ ...after, key: sent.key ?? null, configurations: sent.configurations }),
  };
  refuseElsewhere(move, named);
}

/** Credentials of an integration, each with the member it stands in. */
const credentialsOf = ({ key, configurations, secret_members }: Settings): CredentialMember[] => [
  ...(key === null ? [] : [["key", key] as const]),
  ...credentialsIn(configurations, secret_members),
];

/** Members in which a host may stand without its scheme. */
const hostMember = /(?:host|url|uri|endpoint|domain|workspace|base)$/;

/** Who is called by what settings say: addresses, and hosts without their scheme. */
function hostsIn(value: unknown, member = ""): ReadonlySet<string> {
  if (typeof value === "string") return new Set(hostOf(value, member));
  const inner = Array.isArray(value)
    ? value.map((one) => hostsIn(one, member))
    : isRecord(value)
      ? Object.entries(value).map(([name, one]) => hostsIn(one, name))
      : [];
  return new Set(inner.flatMap((hosts) => [...hosts]));
}

function hostOf(text: string, member: string): string[] {
  const origin = originOf(text);
  if (origin !== undefined) return [origin];
  return hostMember.test(member) ? [text] : [];
}
