import { readFileSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Principal } from "../../core/index.ts";
import {
  type Caller,
  folderOfFile,
  openManagement,
  startManagement,
  type TestManagement,
} from "../../test/support/management.ts";
import { takeDown } from "../../test/support/take-down.ts";
import { json, startUpstream } from "../../test/support/upstream.ts";
import { watched } from "../../test/support/watched-records.ts";

const folder = folderOfFile();
const module = (path: string) => relative(folder, new URL(path, import.meta.url).pathname);
const vault = { vault_auth_type: "token", vault_addr: "https://vault.example.net", vault_token: "hvs.token-1" };
const sealing = { use: module("../configs/testing.ts") };

let management: TestManagement;
let admin: Caller;
let workspace: TestManagement["workspace"];
let other: string;

beforeAll(async () => {
  writeFileSync(join(folder, "key"), '{"api_key":"sk-of-the-file"}\n');
  management = await openManagement(
    {
      "records-file": { use: module("../../test/support/watched-records.ts") },
      routing: {},
      sealing,
      "secret-references": {
        references: {
          "of-the-file": { manager_type: "file", secret_path: "key", secret_key: "api_key", tags: { env: "test" } },
          mapped: { manager_type: "env", secret_path: "NO_SUCH_VARIABLE" },
        },
      },
      resolver: { use: module("testing.ts") },
    },
    { folder },
  );
  ({ admin, workspace } = management);
  other = (await admin("POST", "/admin/workspaces", { name: "Other" })).body.uuid;
});
afterAll(() => management.gateway.shutdown(0, 0));

const valid = {
  name: "prod openai key",
  manager_type: "hashicorp_vault",
  auth_config: vault,
  secret_path: "kv/data/openai",
};
const make = async (body: object = {}) => {
  const { body: made } = await admin("POST", "/secret-references", { ...valid, ...body });
  return made as { id: string; slug: string };
};
const read = async (ref: string) => (await admin("GET", `/secret-references/${ref}`)).body;

describe("secret references", () => {
  it("are made, read with their credentials masked, listed, and deleted", async () => {
    const made = await admin("POST", "/secret-references", { ...valid, tags: { env: "prod" } });
    expect(made).toMatchObject({ status: 200, body: { object: "secret-reference" } });
    const { id, slug } = made.body;
    expect(slug).toMatch(/^prod-openai-key-[0-9a-f]{6}$/);
    const row = {
      id,
      slug,
      name: valid.name,
      manager_type: "hashicorp_vault",
      status: "ACTIVE",
      object: "secret-reference",
    };
    for (const ref of [id, slug]) {
      const detail = await read(ref);
      expect(detail).toMatchObject({
        ...row,
        origin: "store",
        organisation_id: management.organisation,
        description: null,
        secret_path: "kv/data/openai",
        secret_key: null,
        allow_all_workspaces: true,
        allowed_workspaces: [],
        tags: { env: "prod" },
        created_by: "tester",
      });
      const { vault_token, ...shown } = vault;
      expect(detail.auth_config).toEqual({ ...shown, masked_vault_token: "hv*******-1" });
    }
    const { body } = await admin("GET", `/secret-references?search=OPENAI&manager_type=hashicorp_vault`);
    expect(body).toMatchObject({ object: "list", data: [row] });
    expect(JSON.stringify(body)).not.toContain("vault_addr");
    expect(await admin("DELETE", `/secret-references/${slug}`)).toMatchObject({ status: 200, body: {} });
    expect((await admin("GET", `/secret-references/${id}`)).status).toBe(404);
    expect((await admin("POST", "/secret-references", { ...valid, slug })).status).toBe(400);
  });

  it("are found by tags, kind and name, twenty at a time", async () => {
    for (let at = 0; at < 21; at++) await make({ name: `many ${at}`, tags: { team: "many" } });
    const listed = async (query: string) => {
      const { body } = await admin("GET", `/secret-references?${query}`);
      return [body.total, body.data.length];
    };
    const tags = (pairs: object) => `tags=${encodeURIComponent(JSON.stringify(pairs))}`;
    expect(await listed(tags({ team: "many" }))).toEqual([21, 20]);
    expect(await listed(`${tags({ team: "many" })}&current_page=1`)).toEqual([21, 1]);
    expect(await listed(tags({ team: "many", env: "prod" }))).toEqual([0, 0]);
    expect(await listed("search=MANY%2019")).toEqual([1, 1]);
    expect(await listed("manager_type=file")).toEqual([1, 1]);
    expect(await listed(`manager_type=gcp_sm`)).toEqual([0, 0]);
    for (const query of ["tags=x", "search=", "manager_type=x", "page_size=0"])
      expect((await admin("GET", `/secret-references?${query}`)).status).toBe(400);
  });

  it("are changed in part: credentials are merged and checked, workspaces are replaced", async () => {
    const { slug } = await make();
    const put = (body: object) => admin("PUT", `/secret-references/${slug}`, body);
    expect(
      await put({ name: "Renamed", auth_config: { vault_namespace: "team" }, manager_type: "aws_sm" }),
    ).toMatchObject({
      status: 200,
      body: {},
    });
    expect(await read(slug)).toMatchObject({
      name: "Renamed",
      manager_type: "hashicorp_vault",
      auth_config: { vault_addr: vault.vault_addr, vault_namespace: "team", masked_vault_token: "hv*******-1" },
    });
    await put({ auth_config: { vault_auth_type: "approle", vault_role_id: "r", vault_secret_id: "s-123456" } });
    expect((await read(slug)).auth_config).toEqual({
      vault_auth_type: "approle",
      vault_addr: vault.vault_addr,
      vault_namespace: "team",
      vault_role_id: "r",
      masked_vault_secret_id: "s-*******56",
    });
    const allowed = async () =>
      (({ allow_all_workspaces, allowed_workspaces }) => [allow_all_workspaces, ...allowed_workspaces])(
        await read(slug),
      );
    await put({ allowed_workspaces: [workspace.slug, other] });
    expect(await allowed()).toEqual([false, workspace.id, other]);
    await put({ allowed_workspaces: [other] });
    expect(await allowed()).toEqual([false, other]);
    const nobody = await admin("PUT", `/secret-references/${slug}`, { allowed_workspaces: [] });
    expect(nobody).toMatchObject({ status: 400, body: { error: { param: "allowed_workspaces" } } });
    await put({ allow_all_workspaces: true, description: "d" });
    expect(await allowed()).toEqual([true]);
    await put({ allow_all_workspaces: true, allowed_workspaces: [] });
    expect(await allowed()).toEqual([true]);
    await put({ secret_key: "api_key", tags: null, description: null });
    expect(await read(slug)).toMatchObject({ secret_key: "api_key", tags: null, description: null });
  });

  it("of the file are listed, read and named, and are changed there", async () => {
    expect(await read("of-the-file")).toMatchObject({ origin: "file", manager_type: "file", tags: { env: "test" } });
    expect((await admin("PUT", "/secret-references/of-the-file", { name: "x" })).status).toBe(400);
  });

  it("stay while something maps them, and are encrypted in the store", async () => {
    const refused = await admin("DELETE", "/secret-references/mapped");
    expect(refused).toMatchObject({
      status: 400,
      body: { error: { message: expect.stringContaining('virtual key "main"') } },
    });
    await make({ auth_config: { ...vault, vault_token: "hvs.very-secret" } });
    for (const file of ["records.db", "records.db-wal"])
      expect(readFileSync(join(folder, file)).includes("very-secret")).toBe(false);
  });

  const aws = { manager_type: "aws_sm", auth_config: { aws_auth_type: "serviceRole" } };
  it.each<[string, object, string, string]>([
    ["no name", { name: undefined }, "AB01", "name"],
    ["a wrong type", { secret_path: 5 }, "AB01", "secret_path"],
    ["no path", { secret_path: undefined }, "AB01", "secret_path"],
    ["a path that is too long", { secret_path: "x".repeat(1025) }, "AB01", "secret_path"],
    ["a path up and out", { secret_path: "kv/../sys/raw" }, "AB01", "secret_path"],
    ["a slug with spaces", { slug: "a b" }, "AB01", "slug"],
    ["a slug of the file", { slug: "mapped" }, "AB01", "slug"],
    ["an unknown manager", { manager_type: "keychain" }, "AB01", "manager_type"],
    ["a manager of the file", { manager_type: "env", secret_path: "HOME" }, "AB01", "manager_type"],
    ["no credentials", { auth_config: undefined }, "AB01", "auth_config"],
    ["credentials of another manager", { ...aws, auth_config: vault }, "AB01", "auth_config.aws_auth_type"],
    [
      "credentials of two",
      { auth_config: { ...vault, aws_auth_type: "serviceRole" } },
      "AB01",
      "auth_config.aws_auth_type",
    ],
    ["a missing credential", { auth_config: { ...vault, vault_token: undefined } }, "AB01", "auth_config.vault_token"],
    ["an empty credential", { auth_config: { ...vault, vault_token: "" } }, "AB01", "auth_config.vault_token"],
    ["no address", { auth_config: { ...vault, vault_addr: "vault" } }, "AB01", "auth_config.vault_addr"],
    [
      "an address inside",
      { auth_config: { ...vault, vault_addr: "http://10.0.0.1" } },
      "AB01",
      "auth_config.vault_addr",
    ],
    [
      "a host as a region",
      { ...aws, auth_config: { aws_auth_type: "serviceRole", aws_region: "a.evil.example/" } },
      "AB01",
      "auth_config.aws_region",
    ],
    ["workspaces besides all", { allow_all_workspaces: true, allowed_workspaces: ["x"] }, "AB01", "allowed_workspaces"],
    ["some workspaces, but none", { allow_all_workspaces: false }, "AB01", "allowed_workspaces"],
    ["no workspaces", { allowed_workspaces: [] }, "AB01", "allowed_workspaces"],
    ["an unknown workspace", { allowed_workspaces: ["ws-none-000000"] }, "AB02", "allowed_workspaces[0]"],
    ["tags that are none", { tags: { a: 1 } }, "AB01", "tags.a"],
  ])("refuses %s", async (_, change, code, param) => {
    const refused = await admin("POST", "/secret-references", { ...valid, ...change });
    expect(refused.body.error).toMatchObject({ code, param });
    expect(refused.status).toBe(code === "AB02" ? 404 : 400);
    expect(JSON.stringify(refused.body)).not.toContain("hvs.");
  });

  it("refuses changes that say nothing, or leave credentials incomplete", async () => {
    const { slug } = await make();
    for (const body of [
      {},
      { slug: "x" },
      { auth_config: { vault_auth_type: "approle" } },
      { auth_config: { aws_auth_type: "serviceRole" } },
      { allow_all_workspaces: false },
    ])
      expect((await admin("PUT", `/secret-references/${slug}`, body)).status).toBe(400);
  });

  it("are the organisation's, and ask for the scope of each verb", async () => {
    const { slug } = await make();
    const calls: [string, string, string, object?][] = [
      ["list", "GET", "/secret-references"],
      ["read", "GET", `/secret-references/${slug}`],
      ["create", "POST", "/secret-references", valid],
      ["update", "PUT", `/secret-references/${slug}`, { name: "x" }],
      ["delete", "DELETE", `/secret-references/${slug}`],
    ];
    const scopes = calls.map(([verb]) => `secret_references.${verb}`);
    for (const [verb, method, path, body] of calls) {
      const mine = `secret_references.${verb}`;
      const without = management.as({ scopes: scopes.filter((one) => one !== mine) });
      expect((await without(method, path, body)).status).toBe(403);
      expect((await management.as({ workspace: workspace.id })(method, path, body)).status).toBe(403);
      if (path.includes(slug))
        expect((await management.as({ organisation: crypto.randomUUID() })(method, path, body)).status).toBe(404);
      expect((await management.as({ scopes: [mine] })(method, path, body)).status).toBe(200);
    }
  });
});

describe("what a reference stands for", () => {
  const resolve = async (ref: string, who: Partial<Principal> = { workspace: workspace.id }, key?: string) => {
    const { body } = await management.as(who)("GET", `/test/secrets/${ref}${key === undefined ? "" : `?key=${key}`}`);
    return body.value === undefined ? [body.code, body.message] : [body.value, body.waited];
  };
  const unable = ["secret_unresolved", "Unable to resolve secret"];
  /** A vault whose answer is another one each time. */
  const startVault = async () => {
    const state = { status: 200 };
    let times = 0;
    const { url, received } = await startUpstream((_, response) =>
      json(response, state.status, { data: { data: { a: `sk-${++times}`, b: "other" }, metadata: {} } }),
    );
    const { slug, id } = await make({ auth_config: { ...vault, vault_addr: url }, secret_key: "a" });
    return { state, slug, id, received };
  };

  it("is fetched when it is first asked for, and at hand for all its members from then on", async () => {
    const { slug, id, received } = await startVault();
    expect(await resolve(slug)).toEqual(["sk-1", true]);
    const before = watched.reads;
    expect(await resolve(slug)).toEqual(["sk-1", false]);
    expect(await resolve(slug, undefined, "b")).toEqual(["other", false]);
    expect(watched.reads).toBe(before);
    expect(await resolve(id, {})).toEqual(["sk-1", true]);
    expect(await resolve(id, {})).toEqual(["sk-1", false]);
    expect(await resolve(slug, undefined, "none")).toEqual(unable);
    expect(received).toHaveLength(1);
  });

  it("is fetched anew when it was refused, or when the reference says something else", async () => {
    const { slug, received } = await startVault();
    await resolve(slug);
    await admin("DELETE", `/test/secrets/${slug}`);
    expect(await resolve(slug)).toEqual(["sk-2", true]);
    await admin("PUT", `/secret-references/${slug}`, { name: "Renamed" });
    expect((await resolve(slug))[0]).toBe("sk-2");
    await admin("PUT", `/secret-references/${slug}`, { secret_path: "kv/data/other" });
    expect((await resolve(slug))[0]).toBe("sk-3");
    expect(received.at(-1)?.url).toBe("/v1/kv/data/other");
  });

  it("stays at hand while the store is down", async () => {
    const { slug } = await startVault();
    const cold = await make();
    await resolve(slug);
    takeDown();
    expect(await resolve(slug)).toEqual(["sk-1", false]);
    expect((await resolve(cold.slug))[0]).toBe("store_unavailable");
  });

  it("is nobody's whom the reference does not allow, nor once it is deleted", async () => {
    const { slug } = await startVault();
    await admin("PUT", `/secret-references/${slug}`, { allowed_workspaces: [other] });
    const named = async (who: Partial<Principal>) =>
      (await management.as(who)("GET", `/test/references/${slug}`)).status;
    expect(await resolve(slug)).toEqual(unable);
    expect(await named({ workspace: workspace.id })).toBe(404);
    expect((await resolve(slug, { workspace: other }))[0]).toBe("sk-1");
    expect((await resolve(slug, {}))[0]).toBe("sk-1");
    expect([await named({ workspace: other }), await named({})]).toEqual([200, 200]);
    expect(await resolve(slug, { organisation: crypto.randomUUID() })).toEqual(unable);
    await admin("DELETE", `/secret-references/${slug}`);
    expect(await resolve(slug, {})).toEqual(unable);
    expect(await resolve("none")).toEqual(unable);
  });

  it("tells the log why it cannot be had, and never what it is", async () => {
    const { state, slug } = await startVault();
    state.status = 403;
    // Once, however many want it.
    for (let count = 0; count < 3; count++) expect(await resolve(slug)).toEqual(unable);
    const lines = management.gateway.log.lines.filter(({ fields }) => JSON.stringify(fields).includes(slug));
    expect(lines.map(({ message }) => message)).toEqual(["a secret manager failed", "a secret was not resolved"]);
    expect(JSON.stringify(lines)).toContain("403");
    expect(JSON.stringify(management.gateway.log.lines)).not.toMatch(/hvs\.|sk-\d/);
  });

  it("of the file's references is the machine's own", async () => {
    expect((await resolve("of-the-file"))[0]).toBe("sk-of-the-file");
    expect(await resolve("of-the-file", { organisation: crypto.randomUUID() })).toEqual(["sk-of-the-file", false]);
    expect(await resolve("mapped")).toEqual(unable);
  });
});

describe("references of the config file", () => {
  const start = (options: object) => startManagement({ routing: {}, "secret-references": options });

  it("may name workspaces by their slug, and the machine where the API may not", async () => {
    const use = module("testing.ts");
    const opened = await startManagement(
      {
        "secret-references": {
          machineIdentity: false,
          references: { key: { manager_type: "env", secret_path: "PATH", allowed_workspaces: ["ws-none-000000"] } },
        },
        resolver: { use },
      },
      { folder: folderOfFile() },
    );
    const { as, workspace: own } = opened;
    const asked = (path: string) => as({ workspace: own.id })("GET", path);
    expect([(await asked("/test/secrets/key")).status, (await asked("/test/references/key")).status]).toEqual([
      500, 404,
    ]);
    const auth_config = { azure_auth_mode: "managed", azure_vault_url: "https://a.vault.azure.net" };
    const machine = { name: "a", manager_type: "azure_kv", auth_config, secret_path: "key" };
    expect(await opened.admin("POST", "/secret-references", machine)).toMatchObject({
      status: 400,
      body: { error: { param: "auth_config" } },
    });
  });

  it("are checked at the start, and their credentials are not told", async () => {
    const auth_config = { ...vault, vault_token: "hvs.of-the-file", vault_addr: 5 };
    const declared = { manager_type: "hashicorp_vault", auth_config, secret_path: "kv//a" };
    const error = await start({ references: { broken: declared } }).catch((caught: Error) => caught);
    expect(String(error)).toContain("references.broken.auth_config.vault_addr");
    expect(String(error)).toContain("references.broken.secret_path");
    expect(String(error)).not.toContain("hvs.");
  });
});
