import { callersOf, enough, keysFor, tooFew, type Who } from "./callers.ts";
import { changed, textsIn } from "./places.ts";
import { elsewhere, thingIn } from "./stage.ts";
import type { Cases, Change, Kind, Refusal, Thing, Valid } from "./table.ts";

/** One call, and what it comes to. */
export interface Row {
  readonly kind: Kind;
  readonly name: string;
  readonly who: Who;
  readonly call: Valid;
  /** Made once before, the same. */
  readonly twice?: true;
  readonly refused?: Refusal;
  /** What a 400 says besides. */
  readonly says?: object;
  /** What the valid call shows must not be in the answer. */
  readonly hides?: true;
}

type Things = Readonly<Record<string, Thing>>;

const unknownId = "99999999-9999-4999-8999-999999999999";
const invalid: Refusal = { status: 400, code: "AB01" };
const forbidden: Refusal = { status: 403, code: "AB03", param: null };
const noReference: Refusal = { status: 404, code: "AB02" };
const clash: Refusal = { status: 409, code: "AB07" };

/** All cases of an operation: those its table declares, and those that follow from it. */
export function rowsOf(method: string, cases: Cases, things: Things): Row[] {
  const [who] = callersOf(cases);
  if (!who) throw new Error(`nobody can hold ${cases.scope}`);
  const change = (kind: Kind, usual: Refusal, made: readonly Change[] = []) =>
    made.map((one) => changeRow(kind, who, cases, one, usual));
  const missing = (cases.missing ?? []).map(
    (one): Change => (typeof one === "string" ? [one, undefined] : [one[0], undefined, one[1]]),
  );
  return [
    ...successes(cases),
    ...change("missing field", invalid, missing),
    ...nothingSent(method, cases, who),
    ...change("bound", invalid, cases.bound),
    ...change("wrong type", invalid, cases.type),
    ...pages(cases, change),
    ...unknownPaths(cases, who, things),
    ...change("unknown id", noReference, cases.unknown),
    ...references(cases, who, things),
    ...foreignRecords(cases, things),
    ...wrongKeys(cases),
    ...hidden(cases),
    ...lackingScopes(cases),
    ...conflicts(cases, who),
  ];
}

/** A field that is of another type. */
export function wrongTypeRow(cases: Cases, change: Change): Row {
  const [who] = callersOf(cases);
  if (!who) throw new Error(`nobody can hold ${cases.scope}`);
  return changeRow("wrong type", who, cases, change, invalid);
}

/** All calls of an operation that are right. */
const waysOf = (cases: Cases): Valid[] => [cases, ...(cases.also ?? []).map((one) => ({ ...cases, ...one }))];

/** Those of them that take scopes of their own; one of several that will do is not. */
const byScope = (cases: Cases): Valid[] =>
  waysOf(cases).filter(
    ({ scope }, at, all) =>
      at === all.findIndex((one) => one.scope?.split(" or ").includes(scope ?? "") || one.scope === scope),
  );

const successes = (cases: Cases): Row[] =>
  waysOf(cases).flatMap((call, at) =>
    callersOf(call).map((who) => ({
      kind: "success",
      name: `${described(who)}${at > 0 ? `, way ${at + 1}` : ""}`,
      who,
      call,
    })),
  );

const described = ({ key, scopes }: Who): string =>
  key === "nobody" ? "without a key" : `with a key of the ${key} and ${scopes.join(", ")}`;

function changeRow(kind: Kind, who: Who, cases: Cases, [place, value, refused]: Change, usual: Refusal): Row {
  const call = place.startsWith("?")
    ? { ...cases, query: changed(cases.query, place.slice(1), value) as Record<string, string> }
    : { ...cases, body: changed(cases.body, place, value) };
  const param = place.replace("?", "") || "body";
  const says = cases.says && { says: cases.says };
  return { kind, name: nameOf(place, value), who, call, refused: { param, ...usual, ...refused }, ...says };
}

function nameOf(place: string, value: unknown): string {
  if (value === undefined) return `${place} is missing`;
  const shown = JSON.stringify(value);
  return `${place || "the body"} is ${shown.length > 60 ? `${shown.slice(0, 40)}… (${shown.length})` : shown}`;
}

/** PUT is partial: what is not sent stays (control-plane.md section 1.6). */
function nothingSent(method: string, cases: Cases, who: Who): Row[] {
  if (method !== "PUT" || cases.body === undefined || cases.missing) return [];
  const call = { ...cases, body: {}, answer: {} };
  const refused = cases.empty && { ...invalid, ...cases.empty };
  return [{ kind: "missing field", name: "nothing is sent", who, call, ...(refused && { refused }) }];
}

function pages({ paged }: Cases, change: (kind: Kind, usual: Refusal, made: Change[]) => Row[]): Row[] {
  if (!paged) return [];
  const [page, size] = paged === "zero" ? ["current_page", "page_size"] : paged.split(" ");
  const sizes: Change[] = [[`?${size}`, "-1"], ...(paged === "zero" ? [] : [[`?${size}`, "0"] as const])];
  const wrong: Change[] = [
    [`?${size}`, "two"],
    [`?${page}`, "1.5"],
  ];
  return [...change("bound", invalid, [...sizes, [`?${page}`, "-1"]]), ...change("wrong type", invalid, wrong)];
}

/** What a record that cannot be seen comes to; a path's own parts are 404. */
const unseenOf = (text: string, things: Things): Refusal =>
  things[thingIn(text) ?? ""]?.unseen === 403 ? forbidden : { status: 404, code: "AB08", param: null };

const recordsOf = ({ at = {} }: Valid) => Object.entries(at).filter(([, text]) => thingIn(text));

function unknownPaths(cases: Cases, who: Who, things: Things): Row[] {
  return recordsOf(cases).map(([parameter, text]) => ({
    kind: "unknown id",
    name: `{${parameter}} is unknown`,
    who,
    call: { ...cases, at: { ...cases.at, [parameter]: unknownId } },
    refused: cases.scope === undefined ? { status: 401, code: "AB05", param: null } : unseenOf(text, things),
  }));
}

/** Records the valid call names in its body or query: unknown ones, and those of the other workspace. */
function references(cases: Cases, who: Who, things: Things): Row[] {
  const named = [
    ...textsIn(cases.body),
    ...Object.entries(cases.query ?? {}).map(([name, text]) => [`?${name}`, text] as const),
  ];
  const inside = callersOf(cases).find(({ key }) => key === "workspace");
  return named.flatMap(([place, text]): Row[] => {
    const thing = thingIn(text);
    const exception = cases.references?.[place];
    if (thing === undefined || exception === "any" || text.includes(".")) return [];
    const others = cases.otherWorkspaces?.includes(place) || things[thing]?.everywhere;
    const change = (kind: Kind, whose: Who, value: string, usual: Refusal) =>
      changeRow(kind, whose, cases, [place, value], usual);
    const unseen = { ...noReference, ...exception };
    const ofOthers = thing === "workspace" || thing === "organisation";
    const foreign = { ...(ofOthers ? { status: 403, code: "AB03" } : noReference), ...exception };
    if (thing === "organisation") return [change("foreign workspace", who, unknownId, foreign)];
    return [
      // A key of a workspace knows no other: to it an unknown one is a foreign one.
      ...(thing === "workspace" && who.key !== "organisation" ? [] : [change("unknown id", who, unknownId, unseen)]),
      ...(inside && !others ? [change("foreign workspace", inside, elsewhere(text), foreign)] : []),
    ];
  });
}

/** A record of the other workspace, and a record of this one asked for by another organisation. */
const foreignRecords = (cases: Cases, things: Things): Row[] =>
  byScope(cases).flatMap((call): Row[] => {
    const [first] = recordsOf(call);
    if (!first || call.scope === undefined) return [];
    const [, text] = first;
    const inside = callersOf(call).find(({ key }) => key === "workspace");
    const outside = callersOf(call).find(({ key }) => key === "organisation");
    const at = Object.fromEntries(Object.entries(call.at ?? {}).map(([name, one]) => [name, elsewhere(one)]));
    const refused = unseenOf(text, things);
    const row = (name: string, who: Who, given: Valid): Row => ({
      kind: "foreign workspace",
      name: `${thingIn(text)} ${name}, with ${call.scope}`,
      who,
      call: given,
      refused,
    });
    return [
      ...(inside ? [row("of another workspace", inside, { ...call, at })] : []),
      ...(outside
        ? [row("asked for by another organisation", { ...outside, key: "another organisation" }, anywhere(call))]
        : []),
    ];
  });

/** A call that names no workspace. */
function anywhere(call: Valid): Valid {
  const { workspace_id: _, ...query } = call.query ?? {};
  return { ...call, query, body: call.body && changed(call.body, "workspace_id", undefined) };
}

/** Keys of the sort that may not, though their scopes would do. */
function wrongKeys(cases: Cases): Row[] {
  const callers = callersOf(cases);
  if (cases.scope === undefined) return [];
  const row = (key: Who["key"], name: string): Row => ({
    kind: "foreign workspace",
    name,
    who: { key, scopes: callers[0]?.scopes ?? [] },
    call: cases,
    refused: { ...forbidden, ...cases.wrongKey },
  });
  const can = new Set(enough(cases.scope).flatMap(keysFor));
  return [
    ...(can.has("organisation") ? [] : [row("organisation", "a key of the organisation has no workspace")]),
    ...(can.has("workspace") ? [] : [row("workspace", "a key of a workspace is not enough")]),
  ];
}

/** A list asked for by the other workspace. */
function hidden(cases: Cases): Row[] {
  if (cases.at) return [];
  return waysOf(cases).flatMap((call): Row[] => {
    const inside = callersOf(call).find(({ key }) => key === "workspace");
    if (!call.shows || !inside) return [];
    const who: Who = { ...inside, key: "other workspace" };
    const name = `a list of another workspace, ${described(who)}`;
    return [{ kind: "foreign workspace", name, who, call: { ...anywhere(call), answer: undefined }, hides: true }];
  });
}

const lackingScopes = (cases: Cases): Row[] =>
  byScope(cases).flatMap((call) => {
    const { scope } = call;
    if (scope === undefined) return [];
    const keys = [...new Set(callersOf(call).map(({ key }) => key))];
    return tooFew(scope).flatMap((scopes, at) =>
      keys.map((key): Row => {
        const lacking = enough(scope).length > 1 ? scope : enough(scope)[0]?.[at];
        const name = `every scope but ${lacking}, with a key of the ${key}`;
        return { kind: "missing scope", name, who: { key, scopes }, call, refused: forbidden };
      }),
    );
  });

function conflicts(cases: Cases, who: Who): Row[] {
  const rows = (cases.conflict ?? []).map((one) => changeRow("conflict", who, cases, one, clash));
  if (!cases.twice) return rows;
  const refused = { ...clash, ...cases.twice };
  const again = waysOf(cases).flatMap((call, at): Row[] => {
    const [caller] = callersOf(call);
    const name = at === 0 ? "the same again" : `the same again, in way ${at + 1}`;
    return caller ? [{ kind: "conflict", name, who: caller, call, twice: true, refused }] : [];
  });
  return [...rows, ...again];
}
