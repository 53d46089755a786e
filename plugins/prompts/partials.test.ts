import { expect, it } from "vitest";
import { type Made, openLibrary } from "./testing.ts";

const { admin, here, there, other, body } = await openLibrary();
const makePartial = async (more: Record<string, unknown> = {}) =>
  (await here("POST", "/prompts/partials", { name: "Tone rules", string: "Be {{how}}.", ...more })).body as Made;
const path = (ref: string) => `/prompts/partials/${ref}`;

it("partials are made, read, changed, published and deleted", async () => {
  const { id, slug, version_id } = await makePartial({ version_description: "v1" });
  expect(slug).toMatch(/^pl-tone-r-[0-9a-f]{6}$/);
  const usual = ((await here("GET", "/collections")).body.data as { id: string; is_default: boolean }[]).find(
    (one) => one.is_default,
  );
  const found = {
    id,
    slug,
    name: "Tone rules",
    collection_id: usual?.id,
    status: "active",
    origin: "store",
    created_at: expect.any(String),
    last_updated_at: expect.any(String),
  };
  expect((await here("GET", path(slug))).body).toEqual({
    ...found,
    string: "Be {{how}}.",
    version: 1,
    version_description: "v1",
    prompt_partial_version_id: version_id,
  });
  const { body: listed } = await here("GET", `/prompts/partials?collection_id=${usual?.id}`);
  expect(listed[0]).toEqual({ ...found, object: "partial" });
  expect((await here("PUT", path(id), { name: "Tone", description: "same text", string: "Be {{how}}." })).body).toEqual(
    { prompt_partial_version_id: version_id },
  );
  const { prompt_partial_version_id: second } = (
    await here("PUT", path(id), { string: "Be brief.", description: "v2" })
  ).body;
  expect((await here("GET", path(slug))).body).toMatchObject({
    name: "Tone",
    version: 1,
    version_description: "same text",
  });
  expect((await here("GET", `${path(slug)}/versions`)).body).toEqual([
    {
      prompt_partial_id: id,
      prompt_partial_version_id: second,
      slug,
      version: "2",
      string: "Be brief.",
      description: "v2",
      created_at: expect.any(String),
      prompt_version_status: "archived",
      object: "partial",
    },
    expect.objectContaining({ prompt_partial_version_id: version_id, version: "1", prompt_version_status: "active" }),
  ]);
  expect((await here("PUT", `${path(id)}/makeDefault`, { version: 2 })).body).toEqual({});
  expect((await here("GET", path(id))).body).toMatchObject({ version: 2, string: "Be brief." });
  expect((await here("DELETE", path(id))).body).toEqual({});
  expect(await here("GET", path(slug))).toMatchObject({
    status: 404,
    body: { error: { code: "AB08", reason: "partial_not_found" } },
  });
});

const { id, slug } = await makePartial();
const foreign = (await there("POST", "/prompts/partials", { name: "Theirs", string: "x" })).body as Made;
it.each<[string, string, string, unknown, number, string]>([
  ["no name", "POST", "/prompts/partials", { string: "x" }, 400, "AB01"],
  ["no text", "POST", "/prompts/partials", { name: "x" }, 400, "AB01"],
  ["a broken text", "POST", "/prompts/partials", { name: "x", string: "{{#a}}" }, 400, "AB01"],
  ["an unknown partial", "POST", "/prompts/partials", { name: "x", string: "{{>pl-x}}" }, 400, "AB01"],
  ["a foreign partial", "POST", "/prompts/partials", { name: "x", string: `{{>${foreign.slug}}}` }, 400, "AB01"],
  ["an unknown version", "POST", "/prompts/partials", { name: "x", string: `{{>${slug}@2}}` }, 400, "AB01"],
  ["a label", "POST", "/prompts/partials", { name: "x", string: `{{>${slug}@production}}` }, 400, "AB01"],
  [
    "an unknown collection",
    "POST",
    "/prompts/partials",
    { name: "x", string: "x", collection_id: "col-x" },
    404,
    "AB02",
  ],
  ["a foreign one", "GET", path(foreign.slug), undefined, 404, "AB08"],
  ["changing a foreign one", "PUT", path(foreign.id), { name: "x" }, 404, "AB08"],
  ["a broken change", "PUT", path(id), { string: "{{a" }, 400, "AB01"],
  ["an unknown state", "PUT", path(id), { status: "gone" }, 400, "AB01"],
  ["publishing an unknown version", "PUT", `${path(id)}/makeDefault`, { version: 2 }, 404, "AB08"],
  ["deleting an unknown one", "DELETE", path("pl-x"), undefined, 404, "AB08"],
])("partials refuse %s", async (_, method, url, given, status, code) => {
  expect(await here(method, url, given)).toMatchObject({ status, body: { error: { code } } });
});

it("partials are used by number, or as the latest, or as published", async () => {
  for (const reference of [slug, id, `${slug}@1`, `${slug}@latest`])
    expect((await here("POST", "/prompts", body({ string: `Use {{>${reference}}}` }))).status).toBe(200);
});

it("partials need a workspace from a credential of the organisation", async () => {
  expect(await admin("POST", "/prompts/partials", { name: "x", string: "x" })).toMatchObject({
    status: 400,
    body: { error: { param: "workspace_id" } },
  });
  expect((await admin("POST", "/prompts/partials", { name: "x", string: "x", workspace_id: other.slug })).status).toBe(
    200,
  );
});
