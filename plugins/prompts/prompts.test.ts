import { describe, expect, it } from "vitest";
import { openLibrary, text } from "./testing.ts";

const { admin, as, here, there, workspace, other, collection, theirs, body, without, make, read } = await openLibrary();
const { id: changing } = await make();
const photo = `[{"role":"user","content":[{"type":"text","text":"{{ask}}"}{{#photo}},{"type":"image_url"}{{/photo}}]}]`;

describe("prompts", () => {
  it("are made with a first version that is published", async () => {
    const made = await make({ version_description: "first cut", tools: [{ type: "function" }], tool_choice: "auto" });
    expect(made).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      slug: expect.stringMatching(/^pp-refund-let-[0-9a-f]{6}$/),
      version_id: expect.any(String),
      object: "prompt",
    });
    expect(await read(made.slug)).toEqual({
      id: made.id,
      slug: made.slug,
      name: "Refund letter writer",
      collection_id: collection.id,
      string: text("Hello {{name}}"),
      parameters: {},
      prompt_version: 1,
      prompt_version_id: made.version_id,
      prompt_version_status: "active",
      prompt_version_description: "first cut",
      prompt_version_label_id: null,
      prompt_version_label_ids: [],
      virtual_key: "simulator",
      model: "m",
      functions: null,
      tools: [{ type: "function" }],
      tool_choice: "auto",
      template_metadata: {},
      is_raw_template: false,
      status: "active",
      created_at: expect.stringMatching(/Z$/),
      last_updated_at: expect.stringMatching(/Z$/),
      origin: "store",
    });
  });

  it.each<[string, Record<string, unknown>, Record<string, unknown>]>([
    ["a provider with its @", { virtual_key: "@simulator" }, { virtual_key: "simulator" }],
    ["a raw template as a number", { string: photo, is_raw_template: 1 }, { is_raw_template: true }],
    ["a raw template as a boolean", { string: photo, is_raw_template: true }, { is_raw_template: true }],
    ["plain text", { string: "Hello {{name}}" }, { string: "Hello {{name}}" }],
    [
      "metadata under its other name",
      { prompt_metadata: { template_type: "completion", x: 1 } },
      { template_metadata: { template_type: "completion", x: 1 } },
    ],
    ["no model", { model: null }, { model: null }],
    ["what nobody knows", { hints: 1 }, {}],
  ])("may have %s", async (_, more, expected) => {
    const { id } = await make(more);
    const found = await read(id);
    expect(found).toMatchObject(expected);
    expect(found).not.toHaveProperty("hints");
  });

  it.each<[string, unknown, number, string, string]>([
    ["no name", without("name"), 400, "AB01", "name"],
    ["an empty name", body({ name: "" }), 400, "AB01", "name"],
    ["no collection", without("collection_id"), 400, "AB01", "collection_id"],
    ["an unknown collection", body({ collection_id: "col-x" }), 404, "AB02", "collection_id"],
    ["a foreign collection", body({ collection_id: theirs.id }), 404, "AB02", "collection_id"],
    ["no template", without("string"), 400, "AB01", "string"],
    ["no parameters", without("parameters"), 400, "AB01", "parameters"],
    ["parameters of a wrong type", body({ parameters: [] }), 400, "AB01", "parameters"],
    ["no provider", without("virtual_key"), 400, "AB01", "virtual_key"],
    ["an unknown provider", body({ virtual_key: "nobody" }), 404, "AB02", "virtual_key"],
    ["tools that are none", body({ tools: {} }), 400, "AB01", "tools"],
    ["a long description", body({ version_description: "x".repeat(1025) }), 400, "AB01", "version_description"],
    ["an unknown type", body({ template_metadata: { template_type: "speech" } }), 400, "AB01", "template_metadata"],
    ["a raw mode of its own", body({ is_raw_template: 2 }), 400, "AB01", "is_raw_template"],
    ["crossed sections", body({ string: "{{#a}}x{{/b}}" }), 400, "AB01", "string"],
    ["an open section", body({ string: "{{#a}}x" }), 400, "AB01", "string"],
    ["an open tag", body({ string: "{{a" }), 400, "AB01", "string"],
    ["other delimiters", body({ string: "{{=<% %>=}}" }), 400, "AB01", "string"],
    ["a section from text to text", body({ string: '[{"role":"{{#a}}","content":"{{/a}}"}]' }), 400, "AB01", "string"],
    ["an optional object", body({ string: photo }), 400, "AB01", "string"],
    ["an unknown partial", body({ string: "{{>pl-x}}" }), 400, "AB01", "string"],
    ["an unknown partial in a tool", body({ tools: [{ a: "{{>pl-x}}" }] }), 400, "AB01", "string"],
    [
      "deep parameters",
      `{"name":"x","collection_id":"${collection.id}","string":"x","virtual_key":"simulator","parameters":{"a":${"[".repeat(200)}${"]".repeat(200)}}}`,
      400,
      "AB01",
      "parameters",
    ],
    ["a foreign workspace", body({ workspace_id: other.slug }), 403, "AB03", "workspace_id"],
  ])("are refused with %s", async (_, given, status, code, param) => {
    expect(await here("POST", "/prompts", given)).toMatchObject({
      status,
      body: { data: { errorCode: code }, error: { code, param: expect.stringContaining(param) } },
    });
  });

  it("suggest raw mode where a structured template cannot be", async () => {
    const { body: refused } = await here("POST", "/prompts", body({ string: photo }));
    expect(refused.error.message).toContain("is_raw_template: 1");
  });

  it("may be 5 MiB large", async () => {
    expect((await here("POST", "/prompts", body({ string: "x".repeat(4_000_000) }))).status).toBe(200);
    expect((await here("POST", "/prompts", body({ string: "x".repeat(5 * 1024 * 1024) }))).status).toBe(413);
  });

  it("are listed by workspace, collection and name", async () => {
    const shelf = (await here("POST", "/collections", { name: "Shelf" })).body as { id: string; slug: string };
    const ids: string[] = [];
    for (const name of ["Anna", "Bert", "Hannah"]) ids.push((await make({ name, collection_id: shelf.id })).id);
    const names = async (query: string, caller = here) => {
      const { body } = await caller("GET", `/prompts?collection_id=${shelf.slug}${query}`);
      return [body.total, ...body.data.map(({ name }: { name: string }) => name)];
    };
    expect(await names("")).toEqual([3, "Hannah", "Bert", "Anna"]);
    expect(await names("&search=ANNA")).toEqual([2, "Hannah", "Anna"]);
    expect(await names("&page_size=1&current_page=1")).toEqual([3, "Bert"]);
    expect(await names("&page_size=2&current_page=9")).toEqual([3]);
    expect(await names(`&workspace_id=${workspace.slug}`, admin)).toEqual([3, "Hannah", "Bert", "Anna"]);
    const [row] = (await here("GET", `/prompts?collection_id=${shelf.id}&search=bert`)).body.data;
    expect(row).toEqual({
      id: ids[1],
      slug: expect.any(String),
      name: "Bert",
      collection_id: shelf.id,
      model: "m",
      status: "active",
      created_at: expect.any(String),
      last_updated_at: expect.any(String),
      object: "prompt",
      origin: "store",
    });
    expect((await there("GET", "/prompts")).body).toEqual({ total: 0, data: [] });
    expect(await there("GET", `/prompts?collection_id=${shelf.id}`)).toMatchObject({ status: 404 });
    expect((await admin("GET", "/prompts?page_size=500")).body.total).toBe((await here("GET", "/prompts")).body.total);
  });

  it("are gone when they are deleted, for every reference", async () => {
    const { id, slug } = await make();
    expect((await here("DELETE", `/prompts/${slug}`)).body).toEqual({});
    for (const path of [id, slug, `${slug}@1`, `${slug}/versions`])
      expect(await here("GET", `/prompts/${path}`)).toMatchObject({
        status: 404,
        body: { error: { code: "AB08", reason: "prompt_not_found" } },
      });
    expect((await here("DELETE", `/prompts/${id}`)).status).toBe(404);
  });

  it("keep a workspace from being deleted", async () => {
    const full = (await admin("POST", "/admin/workspaces", { name: "Full" })).body;
    const inside = as({ workspace: full.uuid });
    const shelf = (await inside("POST", "/collections", { name: "x" })).body.id as string;
    await inside("POST", "/prompts", body({ collection_id: shelf }));
    await inside("POST", "/prompts/partials", { name: "x", string: "x" });
    const { body: refused } = await admin("DELETE", `/admin/workspaces/${full.slug}`);
    expect(refused.error.message).toContain("1 prompt, 1 partial");
  });
});

describe("a change of a prompt", () => {
  it("to its template makes a version that is not published", async () => {
    const { id, slug, version_id } = await make();
    const { body: changed } = await here("PUT", `/prompts/${slug}`, {
      string: text("Bye {{name}}"),
      parameters: { temperature: 1 },
      model: "n",
      version_description: "second",
      name: "Renamed",
    });
    expect(changed).toEqual({ id, slug, prompt_version_id: expect.any(String) });
    expect(await read(slug)).toMatchObject({
      name: "Renamed",
      prompt_version: 1,
      prompt_version_id: version_id,
      model: "m",
    });
    expect(await read(`${slug}@latest`)).toMatchObject({
      prompt_version: 2,
      prompt_version_id: changed.prompt_version_id,
      prompt_version_status: "archived",
      prompt_version_description: "second",
      string: text("Bye {{name}}"),
      virtual_key: "simulator",
    });
    const { body: versions } = await here("GET", `/prompts/${id}/versions`);
    expect(versions).toMatchObject([
      {
        id: changed.prompt_version_id,
        prompt_id: id,
        prompt_version: 2,
        prompt_description: "second",
        label_id: null,
        status: "archived",
        object: "prompt",
        prompt_template: { string: text("Bye {{name}}"), model: "n" },
      },
      {
        id: version_id,
        prompt_version: 1,
        status: "active",
        prompt_template: { parameters: {}, is_raw_template: false },
      },
    ]);
    expect((await here("GET", `/prompts/${id}/versions/${version_id}`)).body).toEqual(versions[1]);
  });

  it.each<[string, object, number, object, object]>([
    [
      "patches one field",
      { patch: true, parameters: { top_p: 1 } },
      2,
      { model: "m", parameters: { top_p: 1 }, tools: [{ a: 1 }], is_raw_template: false },
      { prompt_version_description: "first" },
    ],
    [
      "patches the provider",
      { patch: true, virtual_key: "@other" },
      2,
      { virtual_key: "other", model: "m" },
      { virtual_key: "simulator" },
    ],
    [
      "patches the description",
      { patch: true, version_description: null },
      2,
      { prompt_version_description: null },
      { prompt_version_description: "first" },
    ],
    ["patches nothing of a version", { patch: true, name: "New" }, 1, { name: "New" }, { name: "New" }],
    [
      "replaces what is not sent",
      { string: "x", parameters: {}, model: null },
      2,
      { model: null, tools: null, prompt_version_description: null, virtual_key: "simulator" },
      { model: "m" },
    ],
    [
      "changes metadata in place",
      { name: "New", version_description: "better", virtual_key: "other" },
      1,
      { name: "New", prompt_version_description: "better", virtual_key: "other" },
      { prompt_version: 1 },
    ],
    ["changes nothing", {}, 1, { name: "Refund letter writer" }, {}],
  ])("%s", async (_, change, latest, expected, published) => {
    const { slug } = await make({ tools: [{ a: 1 }], version_description: "first" });
    expect((await here("PUT", `/prompts/${slug}`, change)).status).toBe(200);
    expect(await read(`${slug}@latest`)).toMatchObject({ prompt_version: latest, ...expected });
    expect(await read(slug)).toMatchObject({ prompt_version: 1, ...published });
  });

  it("moves it to another collection of its workspace", async () => {
    const { id } = await make();
    const shelf = (await here("POST", "/collections", { name: "Next" })).body as { id: string; slug: string };
    await here("PUT", `/prompts/${id}`, { collection_id: shelf.slug });
    expect((await read(id)).collection_id).toBe(shelf.id);
    expect(await here("PUT", `/prompts/${id}`, { collection_id: theirs.id })).toMatchObject({
      status: 404,
      body: { error: { code: "AB02" } },
    });
    expect(await admin("PUT", `/prompts/${id}`, { collection_id: theirs.id })).toMatchObject({ status: 404 });
  });

  it("is one of many at once, and none is lost", async () => {
    const { id } = await make();
    const changes = Array.from({ length: 6 }, (_, at) =>
      here("PUT", `/prompts/${id}`, { patch: true, model: `m${at}` }),
    );
    const made = new Set((await Promise.all(changes)).map(({ body }) => body.prompt_version_id));
    const { body: versions } = await here("GET", `/prompts/${id}/versions`);
    expect(made.size).toBe(6);
    expect(versions.map(({ prompt_version: number }: { prompt_version: number }) => number)).toEqual([
      7, 6, 5, 4, 3, 2, 1,
    ]);
  });

  it.each<[string, object, number, string, string]>([
    ["a template without the rest", { string: "x" }, 400, "AB01", "parameters"],
    ["a template without a model", { string: "x", parameters: {} }, 400, "AB01", "model"],
    ["tools without the rest", { tools: [] }, 400, "AB01", "string"],
    ["metadata without the rest", { prompt_metadata: {} }, 400, "AB01", "string"],
    ["a broken template", { patch: true, string: "{{a" }, 400, "AB01", "string"],
    ["a mode the template cannot have", { patch: true, string: photo }, 400, "AB01", "string"],
    ["an unknown provider", { virtual_key: "nobody" }, 404, "AB02", "virtual_key"],
    ["null for a name", { name: null }, 400, "AB01", "name"],
    ["null for a template", { patch: true, string: null }, 400, "AB01", "string"],
    ["an unknown collection", { collection_id: "col-x" }, 404, "AB02", "collection_id"],
  ])("is refused: %s", async (_, change, status, code, param) => {
    expect(await here("PUT", `/prompts/${changing}`, change)).toMatchObject({
      status,
      body: { error: { code, param } },
    });
    expect((await here("GET", `/prompts/${changing}/versions`)).body).toHaveLength(1);
  });
});

it.each([
  ["GET", "/prompts", "list"],
  ["POST", "/prompts", "create"],
  ["GET", "/prompts/x", "read"],
  ["PUT", "/prompts/x", "update"],
  ["DELETE", "/prompts/x", "delete"],
  ["GET", "/prompts/x/versions", "read"],
  ["GET", "/prompts/x/versions/y", "read"],
  ["PUT", "/prompts/x/versions/y", "update"],
  ["PUT", "/prompts/x/makeDefault", "publish"],
  ["GET", "/prompts/partials", "list"],
  ["POST", "/prompts/partials", "create"],
  ["GET", "/prompts/partials/x", "read"],
  ["PUT", "/prompts/partials/x", "update"],
  ["DELETE", "/prompts/partials/x", "delete"],
  ["GET", "/prompts/partials/x/versions", "read"],
  ["PUT", "/prompts/partials/x/makeDefault", "publish"],
  ["POST", "/prompts/x/share", "update"],
  ["PUT", "/prompts/x/share", "update"],
  ["DELETE", "/prompts/x/share", "update"],
  ["POST", "/prompts/x/fork", "create"],
  ["POST", "/prompts/partials/x/share", "update"],
  ["PUT", "/prompts/partials/x/share", "update"],
  ["DELETE", "/prompts/partials/x/share", "update"],
  ["POST", "/prompts/partials/x/fork", "create"],
])("%s %s needs the scope prompts.%s", async (method, path, verb) => {
  const verbs = ["list", "create", "read", "update", "delete", "publish", "render"];
  const others = verbs.filter((one) => one !== verb).map((one) => `prompts.${one}`);
  const given = method === "GET" || method === "DELETE" ? undefined : {};
  expect(await as({ workspace: workspace.id, scopes: others })(method, path, given)).toMatchObject({
    status: 403,
    body: { error: { code: "AB03", message: expect.stringContaining(`prompts.${verb}`) } },
  });
  const { status } = await as({ workspace: workspace.id, scopes: [`prompts.${verb}`] })(method, path, given);
  expect([200, 400, 404]).toContain(status);
});
