import { Secret } from "../secret.ts";
import { hasMask, SecretUrl } from "../secret-url.ts";
import { masked } from "./masking.ts";

/** A value in which credentials are `Secret`s, as reads show it: those are masked. */
export const shown = (hidden: unknown): unknown => mapped(hidden, ({ secret }) => maskOf(secret));

const maskOf = (secret: Secret): string => (secret instanceof SecretUrl ? secret.shown : masked(secret.reveal()));
const isMask = (secret: Secret, text: string): boolean =>
  secret instanceof SecretUrl ? hasMask(text) : looksMasked.test(text);

const looksMasked = /^(?:..)?\*{7}(?:..)?$/s;

/** Why a credential that was sent masked is not put back: nothing was there that is shown so, or it went elsewhere. */
export type NotPutBack = "unknown" | "elsewhere";

/**
 * A value in which credentials are `Secret`s, as it is to be kept. One that was sent as it is shown is put back from what
 * was there before, where it goes nowhere that it did not go before: who may change an address is not to have the
 * credential sent there. `refuse` is told the path of one that is not put back.
 */
export function kept(hidden: unknown, before: unknown, refuse: (path: string, why: NotPutBack) => never): unknown {
  const known = new Map<string, Found[]>();
  mapped(before, (found) => {
    const mask = maskOf(found.secret);
    known.set(mask, [...(known.get(mask) ?? []), found]);
  });
  return mapped(hidden, (sent) => {
    const text = sent.secret.reveal();
    if (!isMask(sent.secret, text)) return text;
    const alike = known.get(text) ?? [];
    const values = new Set(alike.filter((one) => staysWith(sent, one)).map(({ secret }) => secret.reveal()));
    // Two that are shown alike cannot be told apart.
    const [value] = values;
    if (value !== undefined && values.size === 1) return value;
    return refuse(sent.path, alike.length > 0 && values.size === 0 ? "elsewhere" : "unknown");
  });
}

/** What a refusal says of a credential that was not put back. */
export const notPutBack = (why: NotPutBack): string =>
  `is a credential as it is shown, masked: send the credential itself${why === "elsewhere" ? ", as it goes elsewhere now" : ""}`;

interface Found {
  readonly secret: Secret;
  readonly path: string;
  /** Where it may be sent: what the same part of the document says of hosts and providers, and those around it. */
  readonly goingTo: ReadonlySet<string>;
}

/** An address says itself where it goes, and is shown with that. */
const staysWith = (sent: Found, before: Found): boolean =>
  sent.secret instanceof SecretUrl || [...sent.goingTo].every((place) => before.goingTo.has(place));

type Change = (found: Found) => unknown;

function mapped(value: unknown, change: Change): unknown {
  return part(value, change, "", new Set());
}

/** A part of a document: all of it, or a member of a list in it, without lists that are in that. */
const part = (value: unknown, change: Change, path: string, around: ReadonlySet<string>): unknown =>
  inside(value, change, path, new Set([...around, ...placesIn(value)]));

function inside(value: unknown, change: Change, path: string, goingTo: ReadonlySet<string>): unknown {
  if (value instanceof Secret) return change({ secret: value, path, goingTo });
  if (Array.isArray(value)) return value.map((one, at) => part(one, change, `${path}[${at}]`, goingTo));
  if (typeof value !== "object" || value === null) return value;
  const before = path === "" ? "" : `${path}.`;
  return Object.fromEntries(
    Object.entries(value).map(([key, one]) => [key, inside(one, change, before + key, goingTo)]),
  );
}

/** Fields that name who is called, or where: a host may stand there without its scheme, or in part. */
const callee =
  /^(?:provider|virtualkey)$|(?:url|uri|endpoint|host|base|domain|region|resourcename|endpointname|account|workspace)$/;

function placesIn(value: unknown): string[] {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return [];
  return Object.entries(value).flatMap(([name, one]) => {
    const text = one instanceof Secret ? one.reveal() : one;
    // What callers say of themselves may be called `region` or `account`, and is nobody's address.
    if (typeof text !== "string") return name === "metadata" ? [] : placesIn(one);
    const origin = originOf(text);
    if (origin !== undefined) return [origin];
    if (one instanceof Secret) return [];
    const plain = name.toLowerCase().replaceAll(/[-_]/g, "");
    return callee.test(plain) ? [`${plain} ${text}`] : [];
  });
}

/** As whoever calls it reads an address: blanks around it and slashes that lean the other way are none of its host. */
function originOf(text: string): string | undefined {
  if (!URL.canParse(text)) return undefined;
  const { protocol, host } = new URL(text);
  return host === "" ? undefined : `${protocol}//${host}`;
}
