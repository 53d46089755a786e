import { mkdtempSync, readFileSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Endpoint, grantableScopes, scopeCatalogue } from "../core/index.ts";
import { startFreeGateway, type TestGateway } from "./support/gateway.ts";
import { supportPlugin, testOrganisation } from "./support/management.ts";

/** What a place needs: all of some scopes, or one of some. */
interface Needs {
  readonly all: readonly string[];
  readonly any: readonly string[];
}

const needsOf = ({ errors, description, scopes = [], anyScope = [] }: Endpoint): Needs =>
  errors === "management" ? { all: [], any: description?.anyScope ?? scopes } : { all: scopes, any: anyScope };

/** Places of the data path that need something else than `completions.write`. */
const others: Readonly<Record<string, Needs>> = {
  "GET /v1/models": { all: [], any: ["completions.write", "virtual_keys.list", "models.list"] },
  "GET /v1/responses/:id": { all: [], any: ["completions.write", "completions.read"] },
  "GET /v1/responses/:id/input_items": { all: [], any: ["completions.write", "completions.read"] },
  "GET /v1/health/targets": { all: ["health.read"], any: [] },
  "GET /v1/health/logs": { all: ["health.read"], any: [] },
};

/** What members write who may write nothing: what their requests need, and keys of their own. */
const writtenByMembers = [
  "DELETE /v1/api-keys/:id",
  "POST /v1/api-keys/:id/rotate",
  "POST /v1/api-keys/:type/:subType",
  "POST /v1/feedback",
  "POST /v1/logs",
  "POST /v1/prompts/:promptId/render",
  "PUT /v1/api-keys/:id",
  "PUT /v1/feedback/:id",
];

const known = new Set(scopeCatalogue.map(({ scope }) => scope));
const folder = realpathSync(mkdtempSync(join(tmpdir(), "sluice-scopes-")));
const nameOf = ({ method, path }: Endpoint) => `${method} ${path}`;

const organised = { id: "tester", organisation: testOrganisation };

let gateway: TestGateway;
let places: readonly Endpoint[];

beforeAll(async () => {
  const config = readFileSync(new URL("../config/gateway.yaml", import.meta.url), "utf8");
  const { use } = supportPlugin(folder, "principal");
  gateway = await startFreeGateway(
    config.replace("\nplugins:\n", `\nplugins:\n  principal: { use: "${use}" }\n`),
    { BOOTSTRAP_ADMIN_KEY: "the-first-key-of-a-test" },
    folder,
  );
  places = gateway.generation.kernel.endpoints;
});
afterAll(async () => {
  await gateway.shutdown(0, 0);
  rmSync(folder, { recursive: true, force: true });
});

/** Calls a place as somebody with some scopes; parameters and the rest of a path are made up. */
async function call({ method, path }: Endpoint, principal: object) {
  const url = gateway.url + path.replace("*", "made-up").replace(/:\w+/g, "made-up");
  const said = { ...organised, ...principal };
  const response = await fetch(url, { method, headers: { "x-test-principal": JSON.stringify(said) } });
  return { status: response.status, text: await response.text() };
}

describe("every place of the gateway", () => {
  it("needs scopes of the catalogue, the ones it should", () => {
    expect(places.length).toBeGreaterThan(60);
    for (const place of places) {
      const { all, any } = needsOf(place);
      if (place.open) continue;
      expect([nameOf(place), [...all, ...any].filter((scope) => !known.has(scope))]).toEqual([nameOf(place), []]);
      if (place.errors === "management") expect([nameOf(place), any.length > 0]).toEqual([nameOf(place), true]);
      else
        expect([nameOf(place), { all, any }]).toEqual([
          nameOf(place),
          others[nameOf(place)] ?? { all: ["completions.write"], any: [] },
        ]);
    }
    for (const name of Object.keys(others)) expect(places.map(nameOf)).toContain(name);
  });

  it("refuses who lacks them, and nobody else", async () => {
    // Of places that share a path, the rest of the URL tells which one is meant.
    const reachable = places.filter(({ url, open, method }) => !url && !open && method !== "HEAD");
    expect(reachable.length).toBeGreaterThan(50);
    const workspace = { organisation: "33333333-3333-4333-8333-333333333333", workspace: undefined };
    for (const place of reachable) {
      const { all, any } = needsOf(place);
      const without = [...known].filter((scope) => ![...all, ...any].includes(scope));
      const isManaged = place.errors === "management";
      const holder = isManaged ? {} : { ...workspace, workspace: "made-up" };
      const name = nameOf(place);
      const refused = await call(place, { ...holder, scopes: without });
      expect([name, refused]).toEqual([name, { status: 403, text: expect.stringContaining("AB03") }]);
      for (const one of isManaged || any.length === 0 ? [any] : any.map((each) => [each])) {
        const { text } = await call(place, { ...holder, scopes: [...all, ...one] });
        expect([name, text]).toEqual([name, expect.not.stringContaining("lacks the scope")]);
      }
    }
  });

  it("that manages writes nothing for a plain member of a workspace, whatever they hold", async () => {
    const admin = { "content-type": "application/json", "x-test-principal": JSON.stringify(organised) };
    const made = async (path: string, body: object) => {
      const response = await fetch(`${gateway.url}/v1/admin${path}`, {
        method: "POST",
        headers: admin,
        body: JSON.stringify(body),
      });
      return (await response.json()) as Record<string, string>;
    };
    const { uuid: workspace = "", slug } = await made("/workspaces", { name: "Members" });
    const invite = { email: "kim@example.org", role: "member", workspaces: [{ id: slug, role: "member" }] };
    const { id, invite_link = "" } = await made("/users/invites", invite);
    const [, token] = invite_link.split("/invites/");
    const { user_id: user = "" } = await made(`/users/invites/${id}/accept`, { token });
    const member = { id: "kim", workspace, user, scopes: [...known] };
    const open: string[] = [];
    for (const place of places) {
      if (place.errors !== "management" || place.open || place.method === "GET" || place.method === "HEAD") continue;
      const { status, text } = await call(place, member);
      if (status !== 403 || !/member of this workspace|API key of the organisation/.test(text))
        open.push(nameOf(place));
    }
    expect(open.filter((name) => name.includes("/v1/")).sort()).toEqual(writtenByMembers);
    expect(open.length).toBe(2 * writtenByMembers.length);
  });

  it("of the data path refuses credentials of an organisation, whatever they hold", async () => {
    for (const place of places) {
      if (place.errors === "management" || place.open || place.url || place.method === "HEAD") continue;
      const name = nameOf(place);
      const { status, text } = await call(place, { scopes: [...known] });
      const its = name.startsWith("GET /v1/health/") ? 200 : 403;
      expect([name, status, text.includes("AB03")]).toEqual([name, its, its === 403]);
    }
    expect(grantableScopes("organisation-service").has("completions.write")).toBe(false);
  });
});
