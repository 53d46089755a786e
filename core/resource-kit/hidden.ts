import { isRecord } from "../codec-kit/records.ts";
import { masked } from "../secrets/masking.ts";
import { Secret } from "../secrets/secret.ts";
import { hasMask, SecretUrl } from "../secrets/secret-url.ts";
import { calleesIn, calleesOfCheck, isCheck } from "./callees.ts";

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
  return part(value, change, "", nowhere);
}

/** What a part of a document is read with. */
interface Reading {
  readonly change: Change;
  readonly goingTo: ReadonlySet<string>;
  readonly standing: (path: string) => string;
}

/** A part of a document: all of it, or a member of a list in it, without lists that are in that. */
const part = (value: unknown, change: Change, path: string, around: ReadonlySet<string>): unknown =>
  inside(value, path, partReading(value, change, path, new Set([...around, ...calleesIn(value)])));

const partReading = (value: unknown, change: Change, path: string, goingTo: ReadonlySet<string>): Reading => ({
  change,
  goingTo,
  standing: (inner) => JSON.stringify([inner.slice(path.length), shown(value)]),
});

function inside(value: unknown, path: string, reading: Reading): unknown {
  const { change, goingTo, standing } = reading;
  if (value instanceof Secret) return change({ secret: value, path, goingTo, standing: () => standing(path) });
  if (Array.isArray(value)) return value.map((one, at) => part(one, change, `${path}[${at}]`, goingTo));
  if (!isRecord(value)) return value;
  const here = isCheck(value) ? { ...reading, goingTo: calleesOfCheck(value.id, value) } : reading;
  return members(value, path, (name, one, at) =>
    guardrailLists.test(name) && Array.isArray(one)
      ? one.map((hook, index) => guardrail(hook, change, `${at}[${index}]`))
      : inside(one, at, here),
  );
}

/** Lists of a config whose members are guardrails, in either spelling. */
const guardrailLists = /(?:guardrails|mutators|hooks)$/i;

/** A guardrail goes nowhere itself: its checks do, written out in a list or by name, and so do credentials of a family. */
function guardrail(hook: unknown, change: Change, path: string): unknown {
  const reading = partReading(hook, change, path, nowhere);
  if (!isRecord(hook)) return inside(hook, path, reading);
  const calling = (id: string, value: unknown, at: string) =>
    inside(value, at, { ...reading, goingTo: calleesOfCheck(id, value) });
  return members(hook, path, (name, one, at) => {
    if (name === "checks" || !isRecord(one)) return inside(one, at, reading);
    if (name === "credentials") return members(one, at, (family, own, where) => calling(`${family}.`, own, where));
    return calling(typeof one.id === "string" ? one.id : name, one, at);
  });
}

const members = (
  value: Readonly<Record<string, unknown>>,
  path: string,
  change: (name: string, one: unknown, at: string) => unknown,
): unknown =>
  Object.fromEntries(
    Object.entries(value).map(([name, one]) => [name, change(name, one, path === "" ? name : `${path}.${name}`)]),
  );

const nowhere: ReadonlySet<string> = new Set();
