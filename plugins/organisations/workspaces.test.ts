import { describe, expect, it } from "vitest";
import { startManagement } from "../../test/support/management.ts";

describe("workspaces", () => {
  it("are made, listed, read, changed and deleted", async () => {
    const { admin } = await startManagement();
    const made = await admin("POST", "/admin/workspaces", { name: "Claims Team", description: "claims" });
    expect(made).toMatchObject({ status: 200, body: { name: "Claims Team", is_default: 0, object: "workspace" } });
    const { slug, uuid } = made.body;
    expect(slug).toMatch(/^ws-claims-[0-9a-f]{6}$/);
    expect(await admin("GET", `/admin/workspaces/${uuid}`)).toMatchObject({
      status: 200,
      body: { slug, origin: "store" },
    });
    expect(await admin("PUT", `/admin/workspaces/${slug}`, { name: "Claims" })).toMatchObject({
      status: 200,
      body: {},
    });
    const listed = await admin("GET", "/admin/workspaces?name=laims");
    expect(listed.body).toMatchObject({
      object: "list",
      total: 1,
      data: [{ id: slug, name: "Claims", description: "claims" }],
    });
    expect((await admin("DELETE", `/v2/admin/workspaces/${slug}`)).status).toBe(200);
    expect(await admin("GET", `/admin/workspaces/${slug}`)).toMatchObject({
      status: 404,
      body: { success: false, data: { errorCode: "AB08" }, error: { code: "AB08", type: "invalid_request_error" } },
    });
    expect((await admin("DELETE", `/admin/workspaces/${slug}`)).status).toBe(404);
  });

  it("have a name of their own, whoever asks for it at the same time; a deleted one leaves it", async () => {
    const { admin } = await startManagement();
    const make = () => admin("POST", "/admin/workspaces", { name: "Claims" });
    const made = await Promise.all(Array.from({ length: 5 }, make));
    expect(made.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409, 409]);
    expect(made.find(({ status }) => status === 409)?.body.error).toMatchObject({ code: "AB07", param: "name" });
    const slug = made.find(({ status }) => status === 200)?.body.slug;
    const [one, other] = await Promise.all(["A", "B"].map((name) => admin("POST", "/admin/workspaces", { name })));
    const renamed = await Promise.all(
      [one, other].map((each) => admin("PUT", `/admin/workspaces/${each?.body.slug}`, { name: "C" })),
    );
    expect(renamed.map(({ status }) => status).sort()).toEqual([200, 409]);
    expect((await admin("DELETE", `/admin/workspaces/${slug}`)).status).toBe(200);
    expect((await make()).status).toBe(200);
  });

  it("show their icon in front of their name, which stays what it is when it is sent back", async () => {
    const { admin } = await startManagement();
    const { slug } = (await admin("POST", "/admin/workspaces", { name: "Claims", icon: "🚀" })).body;
    const path = `/admin/workspaces/${slug}`;
    const names = async () => [
      (await admin("GET", path)).body.name,
      (await admin("GET", `${path}?name_format=plain`)).body.name,
      (await admin("GET", "/admin/workspaces?name=Claims")).body.data[0].name,
    ];
    expect(await names()).toEqual(["🚀 Claims", "Claims", "🚀 Claims"]);
    expect((await admin("PUT", path, (await admin("GET", path)).body)).status).toBe(200);
    expect(await names()).toEqual(["🚀 Claims", "Claims", "🚀 Claims"]);
    expect((await admin("POST", "/admin/workspaces", { name: "🚀 Claims", icon: "🚀" })).status).toBe(409);
    await admin("PUT", path, { icon: null, name: "👩🏽‍🚀🇫🇷 Claims" });
    expect(await names()).toEqual(["👩🏽‍🚀🇫🇷 Claims", "🇫🇷 Claims", "👩🏽‍🚀🇫🇷 Claims"]);
    for (const icon of ["1️⃣", "❤️", "👨‍👩‍👧", "🏴󠁧󠁢󠁥󠁮󠁧󠁿"]) {
      expect((await admin("PUT", path, { icon, name: "Claims" })).status).toBe(200);
      await admin("PUT", path, { icon: null, name: `${icon} Claims` });
      expect((await names())[1]).toBe("Claims");
    }
    await admin("PUT", path, { name: "🇫🇷" });
    expect((await admin("GET", `${path}?name_format=plain`)).body.name).toBe("🇫🇷");
  });

  it("keep each member of their defaults that two change at the same time", async () => {
    const { admin, workspace } = await startManagement({ checks: {}, "guardrail-records": {} });
    const checks = [{ id: "default.endsWith", parameters: { suffix: "." } }];
    const { id } = (
      await admin("POST", "/guardrails", { name: "g", workspace_id: workspace.id, checks, actions: { deny: true } })
    ).body;
    const path = `/admin/workspaces/${workspace.slug}`;
    const put = async (defaults: object | null) => expect((await admin("PUT", path, { defaults })).status).toBe(200);
    for (let round = 0; round < 5; round++) {
      await put(null);
      await Promise.all([put({ metadata: { team: "a" } }), put({ input_guardrails: [id] })]);
      expect((await admin("GET", path)).body.defaults).toMatchObject({
        metadata: { team: "a" },
        input_guardrails: [id],
      });
    }
  });

  it("begin with defaults that are theirs or the organisation's, and with nobody else's", async () => {
    const { admin, workspace, organisation } = await startManagement({
      routing: {},
      configs: {},
      checks: {},
      "guardrail-records": {},
    });
    const checks = [{ id: "default.contains", parameters: { words: ["x"], operator: "any" } }];
    const guardrail = async (owner: object) =>
      (await admin("POST", "/guardrails", { name: "G", checks, actions: {}, ...owner })).body.slug;
    const config = { name: "C", workspace_id: workspace.id, config: { provider: "simulator" } };
    const theirs = await guardrail({ workspace_id: workspace.id });
    const make = (defaults: object) => admin("POST", "/admin/workspaces", { name: crypto.randomUUID(), defaults });
    for (const [defaults, param] of [
      [{ input_guardrails: [theirs] }, "defaults.input_guardrails[0]"],
      [{ output_guardrails: [theirs] }, "defaults.output_guardrails[0]"],
      [
        { user_api_key_config: (await admin("POST", "/configs", config)).body.data.slug },
        "defaults.user_api_key_config",
      ],
    ] as const)
      expect(await make(defaults)).toMatchObject({ status: 404, body: { error: { code: "AB02", param } } });
    const everybodys = await guardrail({ organisation_id: organisation });
    expect((await make({ input_guardrails: [everybodys] })).status).toBe(200);
  });

  it("are seen by a key of their own", async () => {
    const { admin, as, workspace } = await startManagement();
    const other = (await admin("POST", "/admin/workspaces", { name: "Other" })).body;
    const caller = as({ workspace: workspace.id });
    expect((await caller("GET", "/admin/workspaces")).body).toMatchObject({
      total: 1,
      data: [{ slug: workspace.slug }],
    });
    expect((await caller("GET", `/admin/workspaces/${other.slug}`)).status).toBe(404);
    for (const { slug } of [workspace, other])
      expect((await caller("DELETE", `/admin/workspaces/${slug}`)).status).toBe(403);
    expect((await caller("POST", "/admin/workspaces", { name: "Third" })).status).toBe(403);
    expect(
      (await as({ organisation: "22222222-2222-4222-8222-222222222222" })("GET", "/admin/workspaces")).body.total,
    ).toBe(0);
  });

  it.each<[string, unknown, number, string, string | null]>([
    ["no name", {}, 400, "AB01", "name"],
    ["a wrong type", { name: 5 }, 400, "AB01", "name"],
    ["a name that is too long", { name: "x".repeat(256) }, 400, "AB01", "name"],
    ["a name twice", { name: "First" }, 409, "AB07", "name"],
    [
      "two kinds of reset",
      { name: "a", usage_limits: { credit_limit: 5, periodic_reset: "weekly", periodic_reset_days: 3 } },
      400,
      "AB01",
      "usage_limits",
    ],
    [
      "a reset that was",
      { name: "a", usage_limits: [{ credit_limit: 5, next_usage_reset_at: "2020-01-01" }] },
      400,
      "AB01",
      "usage_limits[0].next_usage_reset_at",
    ],
    [
      "an alert above the limit",
      { name: "a", usage_limits: [{ credit_limit: 5, alert_threshold: 6 }] },
      400,
      "AB01",
      "usage_limits",
    ],
    [
      "a guardrail that is not there",
      { name: "a", defaults: { input_guardrails: ["pg-nobody-000000"] } },
      404,
      "AB02",
      "defaults.input_guardrails[0]",
    ],
    ["broken JSON", '{"name": "secret-thing', 400, "AB01", null],
  ])("refuses %s", async (_, body, status, code, param) => {
    const { admin } = await startManagement();
    const refused = await admin("POST", "/admin/workspaces", body);
    expect(refused).toMatchObject({ status, body: { data: { errorCode: code }, error: { code } } });
    if (param !== null) expect(refused.body.error.param).toContain(param);
    expect(JSON.stringify(refused.body)).not.toContain("secret-thing");
  });

  it("asks for the scope of each verb", async () => {
    const { as } = await startManagement();
    const reader = as({ scopes: ["workspaces.list"] });
    expect((await reader("GET", "/admin/workspaces")).status).toBe(200);
    expect(await reader("POST", "/admin/workspaces", { name: "x" })).toMatchObject({
      status: 403,
      body: { data: { errorCode: "AB03" } },
    });
    const nobody = as({ organisation: undefined as never });
    expect(await nobody("GET", "/admin/workspaces")).toMatchObject({ status: 401, body: { error: { code: "AB05" } } });
  });

  it("are as many as the instance lets an organisation have, and so are its people", async () => {
    const { admin } = await startManagement({ organisations: { maxWorkspaces: 2, maxUsers: 1 } });
    const refused = { status: 402, body: { error: { code: "AB09", type: "quota_error" } } };
    const second = await admin("POST", "/admin/workspaces", { name: "Second" });
    expect(second.status).toBe(200);
    expect(await admin("POST", "/admin/workspaces", { name: "Third" })).toMatchObject(refused);
    await admin("DELETE", `/admin/workspaces/${second.body.slug}`);
    expect((await admin("POST", "/admin/workspaces", { name: "Third" })).status).toBe(200);
    const invite = (email: string) => admin("POST", "/admin/users/invites", { email, role: "member", workspaces: [] });
    const accept = ({ body: { id, invite_link } }: Awaited<ReturnType<typeof invite>>) =>
      admin("POST", `/admin/users/invites/${id}/accept`, { token: invite_link.split("/invites/")[1] });
    const [first, other] = [await invite("iris@example.org"), await invite("max@example.org")];
    expect((await accept(first)).status).toBe(200);
    expect(await accept(other)).toMatchObject(refused);
    expect(await invite("kim@example.org")).toMatchObject(refused);
  });

  it("come in pages", async () => {
    const { admin } = await startManagement();
    for (const name of ["b", "c", "d"]) await admin("POST", "/admin/workspaces", { name });
    const names = async (query: string) => {
      const { body } = await admin("GET", `/admin/workspaces${query}`);
      return [body.total, ...body.data.map(({ name }: { name: string }) => name)];
    };
    expect(await names("?page_size=3")).toEqual([4, "d", "c", "b"]);
    expect(await names("?pageSize=3&currentPage=1")).toEqual([4, "First"]);
    expect(await names("?current_page=9")).toEqual([4]);
    expect((await admin("GET", "/admin/workspaces?page_size=0")).status).toBe(400);
    expect((await admin("GET", "/admin/workspaces?current_page=-1")).status).toBe(400);
    expect((await names("?page_size=9999")).length).toBe(5);
  });
});
