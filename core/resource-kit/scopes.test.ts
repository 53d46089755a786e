import { expect, it } from "vitest";
import { type CredentialKind, grantableScopes, plainScope, scopeCatalogue } from "../access/scopes.ts";

const base = scopeCatalogue.filter(({ further }) => !further);

it("holds the 139 scopes of the catalogue, each once", () => {
  expect(base).toHaveLength(139);
  expect(new Set(scopeCatalogue.map(({ scope }) => scope)).size).toBe(scopeCatalogue.length);
});

it.each<[CredentialKind, number, string, string]>([
  ["organisation-service", 133, "workspaces.create", "completions.write"],
  ["workspace-service", 91, "workspace_user_api_keys.rotate", "workspaces.create"],
  ["workspace-user", 79, "prompts.render", "workspace_service_api_keys.list"],
  ["jwt", 79, "feedbacks.write", "organisation_settings.read"],
])("grants %s %i of them", (kind, count, yes, no) => {
  expect(base.filter(({ kinds }) => kinds.includes(kind))).toHaveLength(count);
  expect([grantableScopes(kind).has(yes), grantableScopes(kind).has(no)]).toEqual([true, false]);
});

it.each([
  ["completions.write", "completions.write"],
  ["completions:write", "completions.write"],
  ["gateway.completions.write", "completions.write"],
  [" gateway.virtual_keys:list ", "virtual_keys.list"],
])("reads %s as %s", (written, plain) => expect(plainScope(written)).toBe(plain));
