import { describe, expect, it } from "vitest";
import { openPrompts, promptBody } from "./testing.ts";

const { admin, as, workspace } = await openPrompts();
const other = (await admin("POST", "/admin/workspaces", { name: "Other" })).body;
const here = as({ workspace: workspace.id });
const there = as({ workspace: other.uuid });
const usual = (await here("GET", "/collections")).body.data[0] as { id: string };
const foreign = (await there("POST", "/collections", { name: "Foreign" })).body as { id: string; slug: string };
const [universal] = (await here("GET", "/labels?search=production")).body.data as { id: string }[];
const theirs = (await there("POST", "/labels", { name: "theirs" })).body as { id: string };
const mine = (await here("POST", "/labels", { name: "mine" })).body as { id: string };
const make = async (body: object) => (await here("POST", "/collections", body)).body as { id: string; slug: string };

describe("collections", () => {
  it("are made, listed, read, changed and deleted", async () => {
    const letters = await make({ name: "Letters" });
    expect(letters.slug).toMatch(/^col-letters-[0-9a-f]{6}$/);
    const support = await make({ name: "Support", parent_collection_id: letters.slug });
    const prompt = (await here("POST", "/prompts", promptBody({ collection_id: support.slug }))).body;
    expect((await here("GET", `/collections/${letters.slug}`)).body).toMatchObject({
      id: letters.id,
      name: "Letters",
      workspace_id: workspace.id,
      parent_collection_id: null,
      is_default: false,
      status: "active",
      child_collections: [{ id: support.id, name: "Support", collection_details: { prompts_count: 1 } }],
    });
    expect((await here("PUT", `/collections/${support.id}`, { name: "Help" })).body).toEqual({});
    const { body } = await here("GET", "/collections?search=HEL");
    expect(body).toMatchObject({
      total: 1,
      data: [{ name: "Help", parent_collection_id: letters.id, collection_details: { prompts_count: 1 } }],
    });
    expect(body.data[0].collection_details).toMatchObject({
      child_collections_count: 0,
      child_collections_last_updated_at: null,
      prompts_last_updated_at: expect.stringMatching(/Z$/),
    });
    expect((await here("DELETE", `/collections/${support.id}`)).body).toEqual({});
    expect((await here("GET", `/collections/${support.id}`)).status).toBe(404);
    const all = (await here("GET", "/collections")).body.data as { id: string; is_default: boolean }[];
    const usual = all.find(({ is_default }) => is_default);
    expect((await here("GET", `/prompts/${prompt.id}`)).body.collection_id).toBe(usual?.id);
  });

  it("have a default one in each workspace, however many ask at once", async () => {
    const fresh = (await admin("POST", "/admin/workspaces", { name: "Fresh" })).body;
    const lists = await Promise.all(
      Array.from({ length: 8 }, () => as({ workspace: fresh.uuid })("GET", "/collections")),
    );
    for (const { body } of lists)
      expect(body).toMatchObject({ total: 1, data: [{ name: "Default", is_default: true }] });
    expect(new Set(lists.map(({ body }) => body.data[0].id)).size).toBe(1);
  });

  it("are named by id in an organisation, and listed by workspace", async () => {
    const { id } = await make({ name: "Named" });
    expect((await admin("GET", `/collections/${id}`)).status).toBe(200);
    expect((await admin("GET", `/collections?workspace_id=${workspace.slug}&page_size=1`)).body.data).toHaveLength(1);
    expect((await admin("GET", "/collections")).body.error).toMatchObject({ code: "AB01", param: "workspace_id" });
  });

  it("nest 10 deep", async () => {
    let parent_collection_id: string | undefined;
    for (let depth = 1; depth <= 10; depth++)
      parent_collection_id = (await make({ name: "Deep", ...(parent_collection_id && { parent_collection_id }) })).id;
    expect(await here("POST", "/collections", { name: "Deeper", parent_collection_id })).toMatchObject({
      status: 400,
      body: { error: { param: "parent_collection_id" } },
    });
  });

  it.each<[string, string, string, unknown, number, string]>([
    ["no name", "POST", "/collections", {}, 400, "AB01"],
    ["a long name", "POST", "/collections", { name: "x".repeat(256) }, 400, "AB01"],
    ["a wrong type", "POST", "/collections", { name: 1 }, 400, "AB01"],
    ["a foreign workspace", "POST", "/collections", { name: "x", workspace_id: other.slug }, 403, "AB03"],
    ["an unknown parent", "POST", "/collections", { name: "x", parent_collection_id: "col-x" }, 404, "AB02"],
    ["a foreign parent", "POST", "/collections", { name: "x", parent_collection_id: foreign.id }, 404, "AB02"],
    ["an unknown one", "GET", "/collections/col-x", undefined, 404, "AB08"],
    ["a foreign one", "GET", `/collections/${foreign.id}`, undefined, 404, "AB08"],
    ["changing a foreign one", "PUT", `/collections/${foreign.slug}`, { name: "x" }, 404, "AB08"],
    ["a change without a name", "PUT", `/collections/${usual.id}`, {}, 400, "AB01"],
    ["deleting the default one", "DELETE", `/collections/${usual.id}`, undefined, 404, "AB08"],
    ["deleting a foreign one", "DELETE", `/collections/${foreign.id}`, undefined, 404, "AB08"],
    ["a page size of none", "GET", "/collections?page_size=0", undefined, 400, "AB01"],
  ])("refuse %s", async (_, method, path, body, status, code) => {
    expect(await here(method, path, body)).toMatchObject({ status, body: { data: { errorCode: code } } });
  });
});

describe("labels", () => {
  const makeLabel = (body: object) => here("POST", "/labels", body);

  it("are made, listed, read, changed and deleted, and their names used again", async () => {
    const { id } = (await makeLabel({ name: "canary-eu", description: "5 percent", color_code: "#2f7d4f" })).body;
    expect((await here("GET", `/labels/${id}`)).body).toMatchObject({
      id,
      name: "canary-eu",
      description: "5 percent",
      color_code: "#2f7d4f",
      workspace_id: workspace.id,
      is_universal: false,
      status: "active",
    });
    expect((await here("GET", "/labels")).body).toMatchObject({
      total: 5,
      data: [
        { name: "production", is_universal: true, workspace_id: null },
        {},
        {},
        { name: "canary-eu" },
        { name: "mine" },
      ],
    });
    expect((await here("GET", "/labels?search=STAG")).body).toMatchObject({ total: 1, data: [{ name: "staging" }] });
    expect((await there("GET", "/labels")).body.total).toBe(4);
    expect((await here("PUT", `/labels/${id}`, { name: "canary", description: null })).body).toEqual({});
    expect((await here("GET", `/labels/${id}`)).body).toMatchObject({
      name: "canary",
      description: null,
      color_code: "#2f7d4f",
    });
    expect((await here("DELETE", `/labels/${id}`)).body).toEqual({});
    expect((await here("DELETE", `/labels/${id}`)).status).toBe(404);
    expect((await makeLabel({ name: "canary" })).status).toBe(200);
    expect((await there("POST", "/labels", { name: "canary" })).status).toBe(200);
  });

  it.each<[string, string, string, unknown, number, string]>([
    ["no name", "POST", "/labels", {}, 400, "AB01"],
    ["latest", "POST", "/labels", { name: "latest" }, 400, "AB01"],
    ["default", "POST", "/labels", { name: "default" }, 400, "AB01"],
    ["a number", "POST", "/labels", { name: "12" }, 400, "AB01"],
    ["an @", "POST", "/labels", { name: "a@b" }, 400, "AB01"],
    ["a blank", "POST", "/labels", { name: "a b" }, 400, "AB01"],
    ["two unusual characters", "POST", "/labels", { name: "a!b!" }, 400, "AB01"],
    ["a long name", "POST", "/labels", { name: "x".repeat(65) }, 400, "AB01"],
    ["a very long name", "POST", "/labels", { name: "x".repeat(500_000) }, 400, "AB01"],
    ["a long colour", "POST", "/labels", { name: "x", color_code: "x".repeat(33) }, 400, "AB01"],
    ["a universal name", "POST", "/labels", { name: "staging" }, 409, "AB07"],
    ["a name twice", "POST", "/labels", { name: "mine" }, 409, "AB07"],
    ["a universal name for another", "PUT", `/labels/${mine.id}`, { name: "staging" }, 409, "AB07"],
    ["changing a universal one", "PUT", `/labels/${universal?.id}`, { name: "x" }, 400, "AB01"],
    ["deleting a universal one", "DELETE", `/labels/${universal?.id}`, undefined, 400, "AB01"],
    ["a foreign one", "GET", `/labels/${theirs.id}`, undefined, 404, "AB08"],
    ["changing a foreign one", "PUT", `/labels/${theirs.id}`, { name: "x" }, 404, "AB08"],
    ["an unknown one", "DELETE", "/labels/00000000-0000-4000-8000-000000000000", undefined, 404, "AB08"],
    [
      "a foreign organisation",
      "GET",
      "/labels?organisation_id=22222222-2222-4222-8222-222222222222",
      undefined,
      403,
      "AB03",
    ],
  ])("refuse %s", async (_, method, path, body, status, code) => {
    expect(await here(method, path, body)).toMatchObject({ status, body: { data: { errorCode: code } } });
  });

  it("may have one unusual character", async () => {
    expect((await makeLabel({ name: "été-x" })).status).toBe(400);
    expect((await makeLabel({ name: "v1.5" })).status).toBe(200);
  });
});

it.each([
  ["GET", "/collections", "list"],
  ["POST", "/collections", "create"],
  ["GET", "/collections/x", "read"],
  ["PUT", "/collections/x", "update"],
  ["DELETE", "/collections/x", "delete"],
  ["GET", "/labels", "list"],
  ["POST", "/labels", "create"],
  ["GET", "/labels/x", "read"],
  ["PUT", "/labels/x", "update"],
  ["DELETE", "/labels/x", "delete"],
])("%s %s needs the scope prompts.%s", async (method, path, verb) => {
  const verbs = ["list", "create", "read", "update", "delete", "publish", "render"];
  const others = verbs.filter((one) => one !== verb).map((one) => `prompts.${one}`);
  const body = method === "GET" || method === "DELETE" ? undefined : {};
  expect(await as({ workspace: workspace.id, scopes: others })(method, path, body)).toMatchObject({
    status: 403,
    body: { error: { code: "AB03", message: expect.stringContaining(`prompts.${verb}`) } },
  });
  const { status } = await as({ workspace: workspace.id, scopes: [`prompts.${verb}`] })(method, path, body);
  expect(status).not.toBe(403);
});
