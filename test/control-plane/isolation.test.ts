import fc from "fast-check";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type Caller, openManagement, type TestManagement, wholeControlPlane } from "../support/management.ts";

let management: TestManagement;

beforeAll(async () => {
  management = await openManagement(wholeControlPlane, { providers: { simulator: {} } });
});
afterAll(() => management.close());

/** Somebody who calls: for a whole organisation, or for a workspace of it. */
interface Who {
  readonly organisation: string;
  readonly workspace?: string;
}

interface Kind {
  readonly path: string;
  /** Where they are made, where that is elsewhere. */
  readonly made?: string;
  body(name: string, workspace: string): object;
  /** A change that anybody who may write could make. */
  readonly change: object;
}

/** Kinds of records of a workspace. */
const kinds: readonly Kind[] = [
  { path: "/collections", body: (name, workspace_id) => ({ name, workspace_id }), change: { name: "changed" } },
  { path: "/labels", body: (name, workspace_id) => ({ name, workspace_id }), change: { description: "changed" } },
  {
    path: "/configs",
    body: (name, workspace_id) => ({ name, workspace_id, config: { provider: "simulator" } }),
    change: { name: "changed" },
  },
  {
    path: "/guardrails",
    body: (name, workspace_id) => ({
      name,
      workspace_id,
      checks: [{ id: "default.endsWith", parameters: { suffix: "." } }],
      actions: { deny: true },
    }),
    change: { name: "changed" },
  },
  {
    path: "/prompts/partials",
    body: (name, workspace_id) => ({ name, workspace_id, string: "Be brief." }),
    change: { name: "changed" },
  },
  {
    path: "/integrations",
    body: (name, workspace_id) => ({ name, workspace_id, ai_provider_id: "openai", key: "sk-0123456789abcdef" }),
    change: { description: "changed" },
  },
  {
    path: "/policies/rate-limits",
    body: (name, workspace_id) => ({
      name,
      workspace_id,
      conditions: [{ key: "api_key", value: "*" }],
      group_by: [{ key: "api_key" }],
      type: "requests",
      unit: "rpm",
      value: 5,
    }),
    change: { value: 6 },
  },
  {
    path: "/api-keys",
    made: "/api-keys/workspace/service",
    body: (name, workspace_id) => ({ name, workspace_id, scopes: ["completions.write"] }),
    change: { name: "changed" },
  },
];

const organisations = ["aaaaaaaa-aaaa-4aaa-8aaa-aaaaaaaaaaaa", "bbbbbbbb-bbbb-4bbb-8bbb-bbbbbbbbbbbb"];

const callerOf = ({ organisation, workspace }: Who): Caller =>
  management.as({ organisation, ...(workspace !== undefined && { workspace }) });

it("shows nobody what belongs to somebody else, and lets nobody change it", async () => {
  const workspaces: { readonly organisation: string; readonly id: string }[] = [];
  for (const organisation of organisations)
    for (const name of ["One", "Two"]) {
      const { body } = await callerOf({ organisation })("POST", "/admin/workspaces", { name });
      workspaces.push({ organisation, id: body.uuid });
    }
  const placed: { readonly kind: Kind; readonly id: string; readonly owner: (typeof workspaces)[number] }[] = [];
  const number = (below: number) => fc.nat({ max: below - 1 });
  let count = 0;

  const scene = fc.record({
    made: fc.array(fc.record({ kind: number(kinds.length), owner: number(4) }), { minLength: 1, maxLength: 6 }),
    asked: fc.array(fc.record({ organisation: number(2), workspace: fc.option(number(4)), record: fc.nat() }), {
      minLength: 1,
      maxLength: 8,
    }),
  });
  await fc.assert(
    fc.asyncProperty(scene, async ({ made, asked }) => {
      for (const one of made) {
        const kind = kinds[one.kind] as Kind;
        const owner = workspaces[one.owner] as (typeof workspaces)[number];
        const caller = callerOf({ organisation: owner.organisation });
        const { status, body } = await caller("POST", kind.made ?? kind.path, kind.body(`thing-${count++}x`, owner.id));
        expect({ status, body }).toMatchObject({ status: 200 });
        placed.push({ kind, id: body.id ?? body.data.id, owner });
      }
      for (const one of asked) {
        const own = one.workspace === null ? undefined : workspaces[one.workspace];
        const who: Who = own
          ? { organisation: own.organisation, workspace: own.id }
          : { organisation: organisations[one.organisation] ?? "" };
        const { kind, id, owner } = placed[one.record % placed.length] as (typeof placed)[number];
        const mine = who.organisation === owner.organisation && (who.workspace ?? owner.id) === owner.id;
        const caller = callerOf(who);
        const { status } = await caller("GET", `${kind.path}/${id}`);
        expect({ kind: kind.path, who, owner, status }).toMatchObject({
          status: mine ? 200 : expect.toSatisfy(refused),
        });
        const list = await caller("GET", `${kind.path}?page_size=1000&workspace_id=${who.workspace ?? owner.id}`);
        expect(JSON.stringify(list.body).includes(id), `${kind.path} in a list`).toBe(mine);
        if (mine) continue;
        expect((await caller("PUT", `${kind.path}/${id}`, kind.change)).status).toSatisfy(refused);
        expect((await caller("DELETE", `${kind.path}/${id}`)).status).toSatisfy(refused);
        const after = await callerOf(owner)("GET", `${kind.path}/${id}`);
        expect(after.status).toBe(200);
        expect(JSON.stringify(after.body)).not.toContain("changed");
      }
    }),
    { numRuns: 25 },
  );
}, 120_000);

const refused = (status: number): boolean => status === 403 || status === 404;
