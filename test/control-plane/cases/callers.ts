import { grantableScopes, scopeCatalogue } from "../../../core/index.ts";
import type { Valid } from "./table.ts";

/** Whose key calls: one of the organisation, of the workspace whose records they are, of the other, of another organisation. */
export interface Who {
  readonly key: "organisation" | "workspace" | "other workspace" | "another organisation" | "nobody";
  readonly scopes: readonly string[];
}

/** Sets of scopes each of which is enough: `a or b` has two, `a and b` one. */
export const enough = (scope: string): string[][] => scope.split(" or ").map((all) => all.split(" and "));

const everything = scopeCatalogue.map(({ scope }) => scope);

/** All other scopes there are: for `a and b` once without the one, once without the other. */
export function tooFew(scope: string): string[][] {
  const ways = enough(scope);
  const without = (left: readonly string[]) => everything.filter((one) => !left.includes(one));
  return ways.length > 1 ? [without(ways.flat())] : (ways[0] ?? []).map((one) => without([one]));
}

const ofOrganisation = grantableScopes("organisation-service");
const ofWorkspace = new Set([...grantableScopes("workspace-service"), ...grantableScopes("jwt")]);

/** Which keys can hold all of some scopes (control-plane.md section 2.5). */
export function keysFor(scopes: readonly string[]): ("organisation" | "workspace")[] {
  const may = (held: ReadonlySet<string>) => scopes.every((one) => held.has(one));
  return [
    ...(may(ofOrganisation) ? (["organisation"] as const) : []),
    ...(may(ofWorkspace) ? (["workspace"] as const) : []),
  ];
}

/** Everybody who can make a call, with no more scopes than it takes. */
export function callersOf({ scope, holding = [], by }: Partial<Valid>): Who[] {
  if (scope === undefined) return [{ key: "nobody", scopes: [] }];
  return enough(scope).flatMap((scopes) =>
    keysFor(scopes)
      .filter((key) => by === undefined || key === by)
      .map((key) => ({ key, scopes: [...scopes, ...holding] })),
  );
}
