import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Records, Sealing } from "../../core/index.ts";
import { configStore } from "../../plugins/configs/config-store.ts";
import { beforeWriteTo } from "../support/gated-records.ts";
import { type Caller, newUser, openGated, type TestManagement } from "../support/management.ts";

let management: TestManagement;
let admin: Caller;

beforeAll(async () => {
  management = await openGated();
  ({ admin } = management);
});
afterAll(() => management.close());

const guardrail = async (owner: object): Promise<string> => {
  const checks = [{ id: "default.endsWith", parameters: { suffix: "." } }];
  return (await admin("POST", "/guardrails", { name: "ends", checks, actions: { deny: true }, ...owner })).body.id;
};

/** Something that may be named as a default, and somebody who names it. */
interface Place {
  readonly what: string;
  /** Where what names it is kept, and what is named. */
  readonly naming: string;
  readonly named: string;
  open(): Promise<{
    /** The path of what is named. */
    readonly path: string;
    name(): ReturnType<Caller>;
    /** Whether it is named. */
    isNamed(): Promise<boolean>;
  }>;
}

const places: readonly Place[] = [
  {
    what: "a guardrail of the organisation",
    naming: "organisations",
    named: "guardrails",
    async open() {
      const id = await guardrail({ organisation_id: management.organisation });
      return {
        path: `/guardrails/${id}`,
        name: () => admin("PUT", "/admin/organisation/defaults", { output_guardrails: [id] }),
        isNamed: async () => JSON.stringify((await admin("GET", "/admin/organisation/defaults")).body).includes(id),
      };
    },
  },
  {
    what: "a guardrail of a workspace",
    naming: "workspaces",
    named: "guardrails",
    async open() {
      const { slug } = (await admin("POST", "/admin/workspaces", { name: crypto.randomUUID() })).body;
      const id = await guardrail({ workspace_id: slug });
      const path = `/admin/workspaces/${slug}`;
      return {
        path: `/guardrails/${id}`,
        name: () => admin("PUT", path, { description: "changed", defaults: { input_guardrails: [id] } }),
        async isNamed() {
          const { defaults, description } = (await admin("GET", path)).body;
          expect(description).toBe(defaults.input_guardrails.includes(id) ? "changed" : null);
          return defaults.input_guardrails.includes(id);
        },
      };
    },
  },
  {
    what: "a guardrail of the organisation that a new workspace begins with",
    naming: "workspaces",
    named: "guardrails",
    async open() {
      const id = await guardrail({ organisation_id: management.organisation });
      const name = crypto.randomUUID();
      const defaults = { output_guardrails: [id] };
      return {
        path: `/guardrails/${id}`,
        name: () => admin("POST", "/admin/workspaces", { name, defaults }),
        isNamed: async () => (await admin("GET", `/admin/workspaces?name=${name}`)).body.total > 0,
      };
    },
  },
  {
    what: "the config of people's keys in a workspace",
    naming: "workspaces",
    named: "configs",
    async open() {
      const { workspace_id, slug } = await configOfWorkspace();
      const path = `/admin/workspaces/${workspace_id}`;
      return {
        path: `/configs/${slug}`,
        name: () => admin("PUT", path, { defaults: { user_api_key_config: slug } }),
        isNamed: async () => (await admin("GET", path)).body.defaults.user_api_key_config === slug,
      };
    },
  },
  {
    what: "the config of a new key",
    naming: "api_keys",
    named: "configs",
    async open() {
      const { workspace_id, slug } = await configOfWorkspace();
      const key = { name: "k", workspace_id, scopes: ["completions.write"], defaults: { config_id: slug } };
      return {
        path: `/configs/${slug}`,
        name: () => admin("POST", "/api-keys/workspace/service", key),
        isNamed: async () => (await admin("GET", `/api-keys?workspace_id=${workspace_id}`)).body.total > 0,
      };
    },
  },
  {
    what: "the config of a key that changes",
    naming: "api_keys",
    named: "configs",
    async open() {
      const { workspace_id, slug } = await configOfWorkspace();
      const key = { name: "k", workspace_id, scopes: ["completions.write"] };
      const { id } = (await admin("POST", "/api-keys/workspace/service", key)).body;
      return {
        path: `/configs/${slug}`,
        name: () => admin("PUT", `/api-keys/${id}`, { name: "changed", defaults: { config_id: slug } }),
        async isNamed() {
          const { name, defaults } = (await admin("GET", `/api-keys/${id}`)).body;
          expect(name).toBe(defaults.config_id === slug ? "changed" : "k");
          return defaults.config_id === slug;
        },
      };
    },
  },
  ...(["/integrations", "/virtual-keys"] as const).flatMap((path): Place[] => [
    {
      what: `the secret of something new below ${path}`,
      naming: "integrations",
      named: "secret_references",
      async open() {
        const { workspace_id, id, given } = await secretOf(path);
        return {
          path: `/secret-references/${id}`,
          name: () => admin("POST", path, { ...given, secret_mappings: mapping(id) }),
          isNamed: async () => (await admin("GET", `${path}?workspace_id=${workspace_id}`)).body.total > 0,
        };
      },
    },
    {
      what: `the secret of something that changes below ${path}`,
      naming: "integrations",
      named: "secret_references",
      async open() {
        const { workspace_id, id, given } = await secretOf(path);
        const { body } = await admin("POST", path, { ...given, key: "sk-0123456789" });
        const { slug } = body.data ?? body;
        const of = `${path}/${slug}?workspace_id=${workspace_id}`;
        return {
          path: `/secret-references/${id}`,
          name: () => admin("PUT", of, { name: "changed", secret_mappings: mapping(id) }),
          async isNamed() {
            const { name, secret_mappings } = (await admin("GET", of)).body;
            expect(name).toBe(secret_mappings.length > 0 ? "changed" : "i");
            return secret_mappings.length > 0;
          },
        };
      },
    },
  ]),
];

const mapping = (id: string) => [{ target_field: "key", secret_reference_id: id }];

/** A config in a workspace of its own. */
async function configOfWorkspace(): Promise<{ workspace_id: string; slug: string }> {
  const { slug: workspace_id } = (await admin("POST", "/admin/workspaces", { name: crypto.randomUUID() })).body;
  const config = { provider: "simulator" };
  const { slug } = (await admin("POST", "/configs", { name: "c", workspace_id, config })).body.data;
  return { workspace_id, slug };
}

/** A secret that what is made below a path may take its key from, and what that is without. */
async function secretOf(path: string) {
  const { slug: workspace_id } = (await admin("POST", "/admin/workspaces", { name: crypto.randomUUID() })).body;
  const auth_config = { vault_auth_type: "token", vault_addr: "https://vault.example.net", vault_token: "hvs.token-1" };
  const secret = { name: "s", manager_type: "hashicorp_vault", auth_config, secret_path: "kv/data/openai" };
  const { id } = (await admin("POST", "/secret-references", secret)).body;
  expect(id).toEqual(expect.any(String));
  const vendor = path === "/integrations" ? { ai_provider_id: "openai" } : { provider: "openai" };
  return { workspace_id, id, given: { name: "i", workspace_id, ...vendor } };
}

describe.each(places)("$what", ({ naming, named, open }) => {
  it("is not deleted when it is named at that very moment", async () => {
    const { path, name, isNamed } = await open();
    const naming = beforeWriteTo(named, name);
    const removed = await admin("DELETE", path);
    expect((await naming).status).toBe(200);
    expect(removed).toMatchObject({ status: 400, body: { error: { code: "AB01" } } });
    expect((await admin("GET", path)).status).toBe(200);
    expect(await isNamed()).toBe(true);
  });

  it("is not named when it is deleted at that very moment", async () => {
    const { path, name, isNamed } = await open();
    const removing = beforeWriteTo(naming, () => admin("DELETE", path));
    const refused = await name();
    expect((await removing).status).toBe(200);
    expect(refused.status).toBeGreaterThanOrEqual(400);
    expect(refused.status).toBeLessThan(500);
    expect((await admin("GET", path)).status).toBeGreaterThanOrEqual(400);
    expect(await isNamed()).toBe(false);
  });
});

it("a workspace is not deleted when something is made in it at that very moment", async () => {
  const { slug } = (await admin("POST", "/admin/workspaces", { name: "Busy" })).body;
  const making = beforeWriteTo("workspaces", () => guardrail({ workspace_id: slug }));
  const removed = await admin("DELETE", `/admin/workspaces/${slug}`);
  const id = await making;
  expect(removed).toMatchObject({ status: 400, body: { error: { message: expect.stringContaining("1 guardrail") } } });
  expect((await admin("GET", `/guardrails/${id}`)).status).toBe(200);
  expect((await admin("POST", "/admin/workspaces", { name: "Busy" })).status).toBe(409);
});

it("keys of people are made without the config of their workspace where that is gone", async () => {
  const records = management.gateway.generation.kernel.offered(Records) ?? expect.fail();
  const sealing = management.gateway.generation.kernel.offered(Sealing);
  const configs = configStore({ records, sealing });
  const { slug: workspace_id } = (await admin("POST", "/admin/workspaces", { name: "People" })).body;
  const config = { name: "c", workspace_id, config: { provider: "simulator" } };
  const { id, slug } = (await admin("POST", "/configs", config)).body.data;
  await admin("PUT", `/admin/workspaces/${workspace_id}`, { defaults: { user_api_key_config: slug } });
  // As it is left where a process ends between the two.
  await configs.remove((await configs.get(management.organisation, id)) ?? expect.fail());
  const user_id = await newUser(admin, [{ id: workspace_id, role: "member" }]);
  const key = { name: "k", workspace_id, user_id, scopes: ["completions.write"] };
  const made = await admin("POST", "/api-keys/workspace/user", key);
  expect(made.status).toBe(200);
  expect((await admin("GET", `/api-keys/${made.body.id}`)).body.defaults.config_id).toBeNull();
});

it("a prompt that is made in a collection at the moment that is deleted goes to the default one", async () => {
  const { workspace } = management;
  const usual = (await admin("GET", `/collections?workspace_id=${workspace.slug}`)).body.data[0].id;
  const { id } = (await admin("POST", "/collections", { name: "Letters", workspace_id: workspace.slug })).body;
  const prompt = { name: "P", collection_id: id, string: "[]", parameters: {}, workspace_id: workspace.slug };
  const making = beforeWriteTo("collections", () =>
    management.as({ workspace: workspace.id })("POST", "/prompts", { ...prompt, model: "m", virtual_key: "simulator" }),
  );
  expect((await admin("DELETE", `/collections/${id}`)).status).toBe(200);
  const made = await making;
  expect(made.status).toBe(200);
  expect((await admin("GET", `/prompts/${made.body.id}`)).body.collection_id).toBe(usual);
});
