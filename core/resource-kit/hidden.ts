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
    const staying = alike.filter((one) => staysWith(sent, one));
    const value = meant(sent, staying, () => standingsIn(hidden));
    if (value !== undefined) return value;
    return refuse(sent.path, alike.length > 0 && staying.length === 0 ? "elsewhere" : "unknown");
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
  /** Where it stands in the member of a list that it is in, or in the document, and all of that as it is shown. */
  readonly standing: () => string;
}

/** An address says itself where it goes, and is shown with that. */
const staysWith = (sent: Found, before: Found): boolean =>
  sent.secret instanceof SecretUrl || [...sent.goingTo].every((place) => before.goingTo.has(place));

/**
 * Of several that are shown alike the one that stands among the same things as it did; else of those that nothing in what
 * was sent stands like the only one, or the one in its place.
 */
function meant(sent: Found, staying: readonly Found[], standings: () => ReadonlySet<string>): string | undefined {
  if (valuesOf(staying).length < 2) return valuesOf(staying)[0];
  const same = staying.filter((one) => one.standing() === sent.standing());
  const others = () => staying.filter((one) => !standings().has(one.standing()));
  const among = same.length > 0 ? same : others();
  const [value, another] = valuesOf(among);
  return another === undefined ? value : among.find(({ path }) => path === sent.path)?.secret.reveal();
}

function standingsIn(hidden: unknown): ReadonlySet<string> {
  const standings = new Set<string>();
  mapped(hidden, ({ standing }) => standings.add(standing()));
  return standings;
}

const valuesOf = (found: readonly Found[]): string[] => [...new Set(found.map(({ secret }) => secret.reveal()))];

type Change = (found: Found) => unknown;

function mapped(value: unknown, change: Change): unknown {
  return part(value, change, "", new Set());
}

/** What a part of a document is read with. */
interface Reading {
  readonly change: Change;
  readonly goingTo: ReadonlySet<string>;
  readonly standing: (path: string) => string;
}

/** A part of a document: all of it, or a member of a list in it, without lists that are in that. */
function part(value: unknown, change: Change, path: string, around: ReadonlySet<string>): unknown {
  const standing = (inner: string) => JSON.stringify([inner.slice(path.length), shown(value)]);
  return inside(value, path, { change, standing, goingTo: new Set([...around, ...placesIn(value)]) });
}

function inside(value: unknown, path: string, reading: Reading): unknown {
  const { change, goingTo, standing } = reading;
  if (value instanceof Secret) return change({ secret: value, path, goingTo, standing: () => standing(path) });
  if (Array.isArray(value)) return value.map((one, at) => part(one, change, `${path}[${at}]`, goingTo));
  if (typeof value !== "object" || value === null) return value;
  const before = path === "" ? "" : `${path}.`;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, inside(one, before + key, reading)]));
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
