import { relative } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Principal } from "../../core/index.ts";
import { type Caller, folderOfFile, openManagement, type TestManagement } from "../../test/support/management.ts";
import { takeDown } from "../../test/support/take-down.ts";
import { watched } from "../../test/support/watched-records.ts";

const folder = folderOfFile();
const module = (path: string) => relative(folder, new URL(path, import.meta.url).pathname);
const unlikely = {
  id: "default.jsonSchema",
  parameters: { schema: { anyOf: [{ type: "strnig" }, { type: "object" }] } },
};
const checks = [{ id: "default.regexMatch", parameters: { rule: "\\d{13,16}", not: true }, name: "pan" }];
const feedback = (value: number) => ({ feedback: { value, weight: 1, metadata: "" } });

let management: TestManagement;
let admin: Caller;
let own: Caller;
let workspace: TestManagement["workspace"];
let other: string;

beforeAll(async () => {
  management = await openManagement(
    {
      "records-file": { use: module("../../test/support/watched-records.ts") },
      checks: {},
      "guardrail-records": {
        guardrails: { "of-the-file": { checks: [...checks, unlikely], actions: { deny: true } } },
      },
      finder: { use: module("testing.ts") },
    },
    { folder },
  );
  ({ admin, workspace } = management);
  own = management.as({ workspace: workspace.id });
  other = (await admin("POST", "/admin/workspaces", { name: "Other" })).body.uuid;
});
afterAll(() => management.gateway.shutdown(0, 0));

const valid = { name: "No card numbers", checks, actions: {} };
const make = async (body: object = {}, caller = own) => {
  const { body: made } = await caller("POST", "/guardrails", { ...valid, ...body });
  return made as { id: string; slug: string; version_id: string };
};
const ofOrganisation = (body: object = {}) => make({ organisation_id: management.organisation, ...body }, admin);
const read = async (ref: string, caller = own) => (await caller("GET", `/guardrails/${ref}`)).body;

it("of a guardrail of the file that is hardly meant the log says it", () => {
  expect(management.gateway.log.lines).toContainEqual({
    level: "warn",
    message: "a guardrail may not be meant so",
    fields: expect.objectContaining({ guardrail: "of-the-file", check: 1, mistake: expect.stringContaining("strnig") }),
  });
});

describe("guardrails", () => {
  it("are made, read, listed, changed into another version, and deleted", async () => {
    const made = await own("POST", "/guardrails", valid);
    expect(made.status).toBe(200);
    const { id, slug, version_id } = made.body;
    expect(slug).toMatch(/^pg-no-car-[0-9a-f]{6}$/);
    const summary = {
      id,
      slug,
      name: valid.name,
      organisation_id: management.organisation,
      workspace_id: workspace.id,
      status: "active",
      owner_id: "tester",
      origin: "store",
    };
    const detail = await read(slug);
    expect(detail).toMatchObject({
      ...summary,
      updated_by: null,
      version_id,
      checks: [{ ...checks[0], is_enabled: true }],
    });
    const { body } = await own("GET", `/guardrails?ids=${id},x`);
    expect(body).toMatchObject({ total: 1, data: [summary] });
    expect(body.data[0].checks).toBeUndefined();
    const put = await own("PUT", `/guardrails/${id}`, {
      actions: { deny: true },
      checks: [{ id: "default.notNull", is_enabled: false }],
    });
    expect(put).toMatchObject({ status: 200, body: { id, slug } });
    expect(put.body.version_id).not.toBe(version_id);
    expect(await read(id)).toMatchObject({
      name: valid.name,
      updated_by: "tester",
      version_id: put.body.version_id,
      checks: [{ id: "default.notNull", is_enabled: false, parameters: {} }],
      actions: { deny: true },
    });
    expect(await own("DELETE", `/guardrails/${slug}`)).toMatchObject({ status: 200, body: {} });
    expect((await own("GET", `/guardrails/${id}`)).status).toBe(403);
  });

  it.each<[string, object, object]>([
    ["nothing", {}, {}],
    [
      "deny",
      { deny: true, async: true, sequential: true, soft_deny_200: true },
      { deny: true, async: true, sequential: true, soft_deny_200: true },
    ],
    ["feedback", { on_fail: { feedback: { value: -2 } } }, { on_fail: feedback(-2) }],
    [
      "feedback with a map",
      { on_success: { feedback: { value: 1, weight: 0.5, metadata: { a: 1 } } } },
      { on_success: { feedback: { value: 1, weight: 0.5, metadata: { a: 1 } } } },
    ],
    [
      "a map as text",
      { onSuccess: { feedback: { value: 1, metadata: '{"a":1}' } } },
      { on_success: { feedback: { value: 1, weight: 1, metadata: { a: 1 } } } },
    ],
    ["the older block", { onFail: "block", message: "no" }, { deny: true }],
    ["the older log", { onFail: "log" }, { deny: false }],
    ["the older deny", { on_fail: "deny", on_success: "continue" }, { deny: true }],
    ["a word and a switch", { on_fail: "deny", deny: false }, { deny: false }],
  ])("have actions: %s", async (_, actions, kept) => {
    const { slug } = await make({ actions });
    expect((await read(slug)).actions).toEqual({
      deny: false,
      async: false,
      sequential: false,
      soft_deny_200: false,
      on_success: feedback(5),
      on_fail: feedback(-5),
      ...kept,
    });
  });

  it("hide the credentials they show others, and keep them when they are sent back hidden", async () => {
    const headers = { authorization: "Bearer very-secret", "x-team": "claims" };
    const webhook = { id: "default.webhook", parameters: { webhookURL: "https://hooks.example.com", headers } };
    const { slug } = await make({ checks: [webhook] });
    const shown = (await read(slug)).checks;
    expect(shown[0].parameters.headers).toEqual({ authorization: "Be*******et", "x-team": "claims" });
    await own("PUT", `/guardrails/${slug}`, { checks: shown });
    const { body } = await own("GET", `/test/guardrails/${slug}`);
    expect(body.found.checks[0].parameters.headers).toEqual(headers);
    const moved = structuredClone(shown);
    moved[0].parameters.webhookURL = "https://other.example.com";
    expect(await own("PUT", `/guardrails/${slug}`, { checks: moved })).toMatchObject({
      status: 400,
      body: { error: { param: "checks[0].parameters.headers.authorization" } },
    });
    const unknown = [{ ...webhook, parameters: { ...webhook.parameters, headers: { cookie: "ab*******yz" } } }];
    expect(await own("POST", "/guardrails", { ...valid, checks: unknown })).toMatchObject({
      status: 400,
      body: { error: { param: "checks[0].parameters.headers.cookie" } },
    });
  });

  it.each<[string, string, object, object]>([
    [
      "an address with a blank before it",
      "default.webhook",
      { webhookURL: "https://one.example", headers: { authorization: "very-secret" } },
      { webhookURL: " https://other.example" },
    ],
    [
      "a host without its scheme",
      "javelin.guardrails",
      { credentials: { apiKey: "very-secret", domain: "one.example", application: "a" } },
      { credentials: { apiKey: "ve*******et", domain: "other.example", application: "a" } },
    ],
  ])("do not have hidden credentials sent to %s", async (_, id, parameters, change) => {
    const { slug } = await make({ checks: [{ id, parameters }] });
    const [shown] = (await read(slug)).checks;
    const moved = [{ ...shown, parameters: { ...shown.parameters, ...change } }];
    const refused = await own("PUT", `/guardrails/${slug}`, { checks: moved });
    expect(refused).toMatchObject({ status: 400, body: { error: { message: expect.stringContaining("elsewhere") } } });
    expect((await own("GET", `/test/guardrails/${slug}`)).body.found.checks[0].parameters).toEqual(parameters);
  });

  it("do not have hidden credentials sent to whoever another check asks", async () => {
    const parameters = { credentials: { apiKey: "very-secret" } };
    const { slug } = await make({ checks: [{ id: "lakera.guard", parameters }] });
    const [shown] = (await read(slug)).checks;
    const put = (id: string) => own("PUT", `/guardrails/${slug}`, { checks: [{ ...shown, id }] });
    expect(await put("acuvity.scan")).toMatchObject({
      status: 400,
      body: { error: { message: expect.stringContaining("elsewhere") } },
    });
    expect((await put("lakera.guard")).status).toBe(200);
  });

  const webhookAt = (webhookURL: string) => ({ id: "default.webhook", parameters: { webhookURL } });
  const slack = (key: string) => `https://hooks.slack.com/services/T012/B034/${key}`;

  it.each([
    [
      "in a query",
      "https://hooks.example.com/in?a=b&sig=very-secret",
      "https://hooks.example.com/in?a=b&sig=ve*******et",
    ],
    ["in the path of a known host", slack("very-secret"), "https://hooks.slack.com/services/T0*******et"],
    ["behind a blank", ` ${slack("very-secret")}`, " https://hooks.slack.com/services/T0*******et"],
  ])(
    "hide the credentials %s of the addresses they call, and keep them when they are sent back",
    async (_, url, mask) => {
      const { slug } = await make({ checks: [webhookAt(url)] });
      const { checks: shown } = await read(slug);
      expect(shown[0].parameters).toEqual({ webhookURL: mask });
      expect(
        (await own("PUT", `/guardrails/${slug}`, { checks: [webhookAt("https://new.example"), ...shown] })).status,
      ).toBe(200);
      const keptUrls = async () =>
        (await own("GET", `/test/guardrails/${slug}`)).body.found.checks.map(
          ({ parameters }: { parameters: { webhookURL: string } }) => parameters.webhookURL,
        );
      expect(await keptUrls()).toEqual(["https://new.example", url]);
      const elsewhere = mask.replace(/hooks\.\w+\.com/, "elsewhere.example.com");
      for (const [method, path] of [
        ["PUT", `/guardrails/${slug}`],
        ["POST", "/guardrails"],
      ] as const)
        expect(await own(method, path, { ...valid, checks: [webhookAt(elsewhere)] })).toMatchObject({
          status: 400,
          body: { error: { param: "checks[0].parameters.webhookURL" } },
        });
      expect(await keptUrls()).toEqual(["https://new.example", url]);
      expect((await own("PUT", `/guardrails/${slug}`, { checks: [webhookAt(slack("another-key"))] })).status).toBe(200);
      expect(await keptUrls()).toEqual([slack("another-key")]);
    },
  );

  it("hide the credentials in addresses that stand among credentials", async () => {
    const check = (apiBase: string) => ({ id: "lakera.guard", parameters: { credentials: { apiBase } } });
    const { slug } = await make({ checks: [check("https://me:very-secret@lakera.example")] });
    expect((await read(slug)).checks).toMatchObject([check("https://*******:ve*******et@lakera.example")]);
  });

  it("hide credentials in whichever form they were sent", async () => {
    const webhook = (parameters: object) => ({
      id: "default.webhook",
      parameters: { webhookURL: "https://hooks.example.com", ...parameters },
    });
    const { slug } = await make({
      checks: [
        webhook({ headers: JSON.stringify({ authorization: "Bearer very-secret", "x-team": "claims" }) }),
        webhook({ headers: { "x-custom-auth": "very-secret", "x-signature": "very-secret" } }),
        webhook({
          credentials: { apiKey: "very-secret" },
          apiKey: "very-secret",
          nested: { client_secret: "very-secret" },
        }),
      ],
    });
    const shown = (await read(slug)).checks;
    expect(JSON.stringify(shown)).not.toContain("very-secret");
    expect(shown[0].parameters.headers).toEqual({ authorization: "Be*******et", "x-team": "claims" });
    expect((await own("PUT", `/guardrails/${slug}`, { checks: shown })).status).toBe(200);
    const { body } = await own("GET", `/test/guardrails/${slug}`);
    expect(body.found.checks.map((check: { parameters: object }) => check.parameters)).toMatchObject([
      { headers: { authorization: "Bearer very-secret", "x-team": "claims" } },
      { headers: { "x-custom-auth": "very-secret", "x-signature": "very-secret" } },
      { credentials: { apiKey: "very-secret" }, apiKey: "very-secret", nested: { client_secret: "very-secret" } },
    ]);
  });

  it.each<[string, object, string, string]>([
    ["no name", { name: undefined }, "AB01", "name"],
    ["a name that is too long", { name: "x".repeat(256) }, "AB01", "name"],
    ["no checks", { checks: [] }, "AB01", "checks"],
    ["no actions", { actions: undefined }, "AB01", "actions"],
    ["an unknown check", { checks: [{ id: "default.none" }] }, "AB01", "checks[0].id"],
    [
      "a parameter that is none",
      { checks: [checks[0], { id: "default.contains", parameters: { words: 1 } }] },
      "AB01",
      "checks[1].parameters.words",
    ],
    [
      "a private address",
      { checks: [{ id: "default.log", parameters: { logURL: "http://10.0.0.1/" } }] },
      "AB01",
      "checks[0].parameters.logURL",
    ],
    ["a type that there is not", { checks: [unlikely] }, "AB01", "checks[0].parameters"],
    ["feedback out of bounds", { actions: { on_fail: { feedback: { value: 11 } } } }, "AB01", "actions.on_fail"],
    ["a word that is none", { actions: { onFail: "explode" } }, "AB01", "actions.onFail"],
    ["nobody's", { workspace_id: undefined }, "AB01", "workspace_id"],
    ["two owners'", { organisation_id: "11111111-1111-4111-8111-111111111111" }, "AB01", "workspace_id"],
    ["an unknown workspace", { workspace_id: "ws-none-000000" }, "AB02", "workspace_id"],
  ])("refuses %s", async (_, change, code, param) => {
    const refused = await admin("POST", "/guardrails", { ...valid, workspace_id: workspace.slug, ...change });
    expect(refused.body.error).toMatchObject({ code });
    expect(refused.body.error.param).toContain(param);
    expect(refused.status).toBe(code === "AB02" ? 404 : 400);
  });

  it("of the organisation are seen by its workspaces, and changed by its own key", async () => {
    const { slug, id } = await ofOrganisation();
    expect(await read(slug)).toMatchObject({ workspace_id: null, slug });
    expect((await own("GET", `/guardrails?ids=${id}`)).body.total).toBe(1);
    expect((await own("PUT", `/guardrails/${slug}`, { name: "x" })).status).toBe(403);
    expect((await own("DELETE", `/guardrails/${slug}`)).status).toBe(403);
    expect((await admin("PUT", `/guardrails/${slug}`, { name: "x" })).status).toBe(200);
    const mine = await make();
    const total = async (query: string) => (await admin("GET", `/guardrails?ids=${id},${mine.id}${query}`)).body.total;
    expect(await total("")).toBe(2);
    expect(await total(`&workspace_id=${workspace.slug}`)).toBe(2);
    expect(await total(`&workspace_id=${other}`)).toBe(1);
    expect(await total(`&organisation_id=${management.organisation}`)).toBe(1);
  });

  it("are hidden from other workspaces and organisations", async () => {
    const { slug } = await make();
    for (const who of [{ workspace: other }, { organisation: crypto.randomUUID() }] satisfies Partial<Principal>[])
      for (const [method, body] of [["GET"], ["PUT", { name: "x" }], ["DELETE"]] as const)
        expect((await management.as(who)(method, `/guardrails/${slug}`, body)).status).toBe(403);
    expect((await own("POST", "/guardrails", { ...valid, workspace_id: other })).status).toBe(403);
  });

  it("ask for the scope of each verb, on either level", async () => {
    const calls = async (make: () => Promise<{ slug: string }>): Promise<[string, string, string, object?][]> => {
      const { slug } = await make();
      return [
        ["read", "GET", `/guardrails/${slug}`],
        ["update", "PUT", `/guardrails/${slug}`, { name: "x" }],
        ["delete", "DELETE", `/guardrails/${slug}`],
      ];
    };
    const levels = { guardrails: () => make(), organisation_guardrails: () => ofOrganisation() };
    for (const [family, made] of Object.entries(levels))
      for (const [verb, method, path, body] of await calls(made)) {
        const another = family === "guardrails" ? "organisation_guardrails" : "guardrails";
        for (const scopes of [[], [`${another}.${verb}`], [`${family}.list`]])
          expect((await management.as({ scopes })(method, path, body)).status).toBe(403);
        expect((await management.as({ scopes: [`${family}.${verb}`] })(method, path, body)).status).toBe(200);
      }
    const creator = (scope: string, body: object) =>
      management.as({ scopes: [scope] })("POST", "/guardrails", { ...valid, ...body });
    const [mine, all] = [{ workspace_id: workspace.id }, { organisation_id: management.organisation }];
    expect((await creator("guardrails.create", mine)).status).toBe(200);
    expect((await creator("guardrails.create", all)).status).toBe(403);
    expect((await creator("organisation_guardrails.create", all)).status).toBe(200);
    expect((await creator("organisation_guardrails.create", mine)).status).toBe(403);
    const lister = async (scope: string) =>
      (await management.as({ scopes: [scope] })("GET", "/guardrails?page_size=1000")).body.data;
    const owners = (rows: { workspace_id: string | null; origin: string }[]) =>
      new Set(rows.filter(({ origin }) => origin === "store").map(({ workspace_id }) => workspace_id === null));
    expect(owners(await lister("guardrails.list"))).toEqual(new Set([false]));
    expect(owners(await lister("organisation_guardrails.list"))).toEqual(new Set([true]));
  });

  it("stay while their workspace gives them to its requests", async () => {
    const { id, slug } = await make();
    const defaults = (output_guardrails: string[]) =>
      admin("PUT", `/admin/workspaces/${workspace.id}`, { defaults: { output_guardrails } });
    for (const ref of [id, slug]) {
      await defaults([ref]);
      expect((await own("DELETE", `/guardrails/${slug}`)).status).toBe(400);
    }
    await defaults([]);
    expect((await own("DELETE", `/guardrails/${slug}`)).status).toBe(200);
  });

  it("come in pages, and those of the file with them", async () => {
    const caller = management.as({
      workspace: (await admin("POST", "/admin/workspaces", { name: "Paged" })).body.uuid,
    });
    for (const name of ["a", "b"]) await make({ name }, caller);
    const { body } = await caller("GET", "/guardrails?page_size=2&current_page=0");
    expect(
      body.data.map(({ slug, name, origin }: Record<string, string>) => (origin === "file" ? slug : name)),
    ).toEqual(["of-the-file", "b"]);
    expect((await caller("GET", "/guardrails?page_size=0")).status).toBe(400);
    expect(await caller("PUT", "/guardrails/of-the-file", { name: "x" })).toMatchObject({ status: 403 });
  });
});

describe("guardrails on the data path", () => {
  const find = async (ref: string, who: Partial<Principal> = { workspace: workspace.id }) =>
    (await management.as(who)("GET", `/test/guardrails/${ref}`)).body;

  it("are found by those who may use them, by the id their checks are registered under", async () => {
    const lower = [{ id: "default.isAllLowerCase", name: "lower" }];
    const mine = await make({ checks: lower, actions: { deny: true } });
    const { found } = await find(mine.slug);
    expect(found).toEqual({
      id: mine.id,
      slug: mine.slug,
      name: valid.name,
      version: mine.version_id,
      checks: [{ id: "default.alllowercase", name: "lower", parameters: {}, enabled: true }],
      actions: (await read(mine.slug)).actions,
    });
    const shared = await ofOrganisation();
    const strangers: Partial<Principal>[] = [{ workspace: other }, { organisation: crypto.randomUUID() }];
    expect((await find(shared.id)).found.slug).toBe(shared.slug);
    expect((await find(shared.id, strangers[0])).found.slug).toBe(shared.slug);
    expect((await find(shared.id, strangers[1])).found).toBeNull();
    for (const who of strangers) expect((await find(mine.slug, who)).found).toBeNull();
    const nobody = { organisation: undefined as never };
    expect(await find("of-the-file", nobody)).toMatchObject({
      waited: false,
      found: { slug: "of-the-file", actions: { deny: true } },
    });
    expect((await find(mine.slug, nobody)).found).toBeNull();
  });

  it("are at hand until they change, and while the store is down", async () => {
    const { slug } = await make();
    expect((await find(slug)).waited).toBe(true);
    const before = watched.reads;
    expect((await find(slug)).waited).toBe(false);
    expect(watched.reads).toBe(before);
    await own("PUT", `/guardrails/${slug}`, { name: "Renamed" });
    expect((await find(slug)).found.name).toBe("Renamed");
    takeDown();
    expect((await find(slug)).found.name).toBe("Renamed");
    expect((await own("GET", "/test/guardrails/pg-none-000000")).status).toBe(503);
  });
});
