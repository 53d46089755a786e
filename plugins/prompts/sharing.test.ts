import { expect, it } from "vitest";
import { type Made, openLibrary } from "./testing.ts";

const { admin, here, there, workspace, other, theirs, make } = await openLibrary();
const share = (ref: string, given: object, method = "POST") => here(method, `/prompts/${ref}/share`, given);
const partial = async (string = "Be brief.") =>
  (await here("POST", "/prompts/partials", { name: "p", string })).body as Made;

it("sharing lets other workspaces read a prompt, and never write it", async () => {
  const { slug } = await make({ name: "Shared one" });
  expect((await there("GET", `/prompts/${slug}`)).status).toBe(404);
  expect((await share(slug, { visibility: "workspaces", workspace_ids: [other.slug] })).body).toEqual({});
  expect((await there("GET", `/prompts/${slug}`)).body.slug).toBe(slug);
  expect((await there("GET", "/prompts?type=shared&show_prompt_share=true")).body).toMatchObject({
    total: 1,
    data: [{ slug, prompt_share: { visibility: "workspaces", workspace_ids: [other.uuid] } }],
  });
  expect((await here("GET", "/prompts?type=shared")).body.total).toBe(0);
  expect((await there("GET", "/prompts?type=owned")).body.total).toBe(0);
  for (const [method, path, given] of [
    ["PUT", "", { name: "mine" }],
    ["DELETE", "", undefined],
    ["PUT", "/makeDefault", { version: 1 }],
    ["POST", "/share", { visibility: "organisation" }],
  ] as const)
    expect(await there(method, `/prompts/${slug}${path}`, given)).toMatchObject({
      status: 403,
      body: { error: { code: "AB03" } },
    });
  await share(slug, { visibility: "workspaces", workspace_ids: [workspace.id] }, "PUT");
  expect((await there("GET", `/prompts/${slug}`)).status).toBe(404);
  await share(slug, { visibility: "organisation" }, "PUT");
  expect((await there("GET", `/prompts/${slug}`)).status).toBe(200);
  expect((await here("DELETE", `/prompts/${slug}/share`)).body).toEqual({});
  expect((await there("GET", `/prompts/${slug}`)).status).toBe(404);
});

it("sharing needs the partials to be shared as widely, those of partials, too", async () => {
  const inner = await partial();
  const outer = await partial(`{{>${inner.slug}}}`);
  const { slug } = await make({ string: `Hi {{>${outer.slug}}}` });
  const wide = { visibility: "workspaces", workspace_ids: [other.uuid] };
  const refused = await share(slug, wide);
  expect(refused).toMatchObject({ status: 400, body: { error: { code: "AB01", param: "include_partials" } } });
  for (const one of [inner, outer]) expect(refused.body.error.message).toContain(one.slug);
  expect((await here("POST", `/prompts/partials/${inner.slug}/share`, { visibility: "organisation" })).body).toEqual(
    {},
  );
  expect((await share(slug, wide)).body.error.message).not.toContain(inner.slug);
  expect((await share(slug, { ...wide, include_partials: true })).status).toBe(200);
  expect((await there("GET", `/prompts/partials/${outer.slug}`)).status).toBe(200);
  expect((await there("PUT", `/prompts/partials/${outer.slug}`, { name: "x" })).status).toBe(403);
  expect((await share(slug, { visibility: "organisation" })).status).toBe(400);
  expect((await here("DELETE", `/prompts/partials/${outer.slug}/share`)).body).toEqual({});
  expect((await there("GET", `/prompts/partials/${outer.slug}`)).status).toBe(404);
});

it("forking copies what is published, and the copy goes its own way", async () => {
  const { slug } = await make({ name: "Original", version_description: "d", string: "x {{a}}" });
  await here("PUT", `/prompts/${slug}`, { patch: true, model: "unpublished" });
  await share(slug, { visibility: "organisation" });
  const { body: copy } = await there("POST", `/prompts/${slug}/fork`, {
    workspace_id: other.slug,
    collection_id: theirs.slug,
  });
  expect(copy).toEqual({
    id: expect.any(String),
    slug: expect.stringMatching(/^pp-original-/),
    version_id: expect.any(String),
  });
  expect(copy.slug).not.toBe(slug);
  await here("DELETE", `/prompts/${slug}`);
  expect((await there("GET", `/prompts/${copy.slug}`)).body).toMatchObject({
    name: "Original",
    string: "x {{a}}",
    model: "m",
    prompt_version: 1,
    collection_id: theirs.id,
    prompt_version_description: "d",
  });
  expect((await there("PUT", `/prompts/${copy.slug}`, { name: "Mine" })).status).toBe(200);
  expect((await here("GET", `/prompts/${copy.slug}`)).status).toBe(404);
});

it("forking copies partials", async () => {
  const { slug } = await partial("Be {{how}}.");
  await here("POST", `/prompts/partials/${slug}/share`, { visibility: "organisation" });
  const { body: copy } = await there("POST", `/prompts/partials/${slug}/fork`, {});
  expect((await there("GET", `/prompts/partials/${copy.slug}`)).body).toMatchObject({
    string: "Be {{how}}.",
    version: 1,
  });
});

const { slug } = await make();
const hidden = await partial();
const away = (await make({ virtual_key: "@kept-away" })).slug;
const user = (await make({ string: `Hi {{>${hidden.slug}}}` })).slug;
it.each<[string, typeof here, string, object, number, string, string]>([
  ["a share with nobody said", here, `${slug}/share`, {}, 400, "AB01", "visibility"],
  ["a share with no workspaces", here, `${slug}/share`, { visibility: "workspaces" }, 400, "AB01", "workspace_ids"],
  [
    "a share with an unknown workspace",
    here,
    `${slug}/share`,
    { visibility: "workspaces", workspace_ids: ["ws-x"] },
    404,
    "AB02",
    "workspace_ids[0]",
  ],
  ["a share of a foreign prompt", there, `${slug}/share`, { visibility: "organisation" }, 404, "AB08", ""],
  ["a fork of a foreign prompt", there, `${slug}/fork`, {}, 404, "AB08", ""],
  ["a fork into a foreign workspace", here, `${slug}/fork`, { workspace_id: other.slug }, 403, "AB03", "workspace_id"],
  ["a fork to nowhere", admin, `${slug}/fork`, {}, 400, "AB01", "workspace_id"],
  [
    "a fork into a foreign collection",
    here,
    `${slug}/fork`,
    { collection_id: theirs.id },
    404,
    "AB02",
    "collection_id",
  ],
  ["a fork away from its provider", admin, `${away}/fork`, { workspace_id: other.slug }, 400, "AB01", "virtual_key"],
  ["a fork away from its partials", admin, `${user}/fork`, { workspace_id: other.slug }, 400, "AB01", "string"],
])("refuses %s", async (_, caller, path, given, status, code, param) => {
  const refused = await caller("POST", `/prompts/${path}`, given);
  expect(refused).toMatchObject({ status, body: { error: { code } } });
  if (param !== "") expect(refused.body.error.param).toBe(param);
});
