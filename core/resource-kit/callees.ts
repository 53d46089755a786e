import { isRecord } from "../codec-kit/records.ts";
import { Secret } from "../secrets/secret.ts";

/** A check of a guardrail, written out. */
export const isCheck = (value: Readonly<Record<string, unknown>>): value is { id: string } & Record<string, unknown> =>
  typeof value.id === "string" && isRecord(value.parameters);

/**
 * Who is called with what a check holds: whoever it is made for, and whom it names itself. What stands around it is called
 * with other credentials.
 */
export const calleesOfCheck = (id: string, check: unknown): ReadonlySet<string> =>
  new Set([`check ${id.includes(".") ? id : `default.${id}`}`, ...calleesIn(check)]);

/** Fields that name who is called, or where: a host may stand there without its scheme, or in part. */
const callee =
  /^(?:provider|virtualkey)$|(?:url|uri|endpoint|host|base|domain|region|resourcename|endpointname|account|workspace)$/;

/** Who is called with what a part of a document holds, as far as that says: hosts, providers, accounts. */
export function calleesIn(value: unknown): string[] {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return [];
  return Object.entries(value).flatMap(([name, one]) => {
    const text = one instanceof Secret ? one.reveal() : one;
    // What callers say of themselves may be called `region` or `account`, and is nobody's address.
    if (typeof text !== "string") return name === "metadata" ? [] : calleesIn(one);
    const origin = originOf(text);
    if (origin !== undefined) return [origin];
    if (one instanceof Secret) return [];
    const plain = name.toLowerCase().replaceAll(/[-_]/g, "");
    return callee.test(plain) ? [`${plain} ${text}`] : [];
  });
}

/**
 * Scheme and host of an address, as whoever calls it reads it: blanks around it and slashes that lean the other way are none
 * of its host. Undefined of what is no address.
 */
export function originOf(text: string): string | undefined {
  if (!URL.canParse(text)) return undefined;
  const { protocol, host } = new URL(text);
  return host === "" ? undefined : `${protocol}//${host}`;
}
