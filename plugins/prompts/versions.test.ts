import { expect, it } from "vitest";
import { type Made, openLibrary } from "./testing.ts";

const { here, there, make, read } = await openLibrary();
const { id, slug, version_id: first } = await make();
const second = (await here("PUT", `/prompts/${id}`, { patch: true, model: "n" })).body.prompt_version_id as string;
const label = (await here("POST", "/labels", { name: "canary" })).body.id as string;
const labels = (await here("GET", "/labels")).body.data as { id: string; name: string }[];
const production = labels.find(({ name }) => name === "production")?.id as string;
const foreign = (await there("POST", "/labels", { name: "theirs" })).body.id as string;
const attach = (version: string, label_id: unknown) => here("PUT", `/prompts/${id}/versions/${version}`, { label_id });

it("versions carry labels, each on one version of a prompt", async () => {
  expect((await attach(first, label)).body).toEqual({});
  expect((await attach(first, production)).body).toEqual({});
  expect(await read(slug)).toMatchObject({
    prompt_version_label_id: label,
    prompt_version_label_ids: [label, production],
  });
  await attach(second, label);
  expect(await read(`${slug}@canary`)).toMatchObject({ prompt_version: 2, prompt_version_label_ids: [label] });
  expect(await read(`${slug}@production`)).toMatchObject({ prompt_version: 1 });
  await attach(first, null);
  expect(await here("GET", `/prompts/${slug}@production`)).toMatchObject({
    status: 404,
    body: { error: { reason: "prompt_label_not_found" } },
  });
  expect((await here("GET", `/prompts/${id}/versions`)).body).toMatchObject([{ label_id: label }, { label_id: null }]);
  await here("DELETE", `/labels/${label}`);
  expect((await here("GET", `/prompts/${id}/versions`)).body[0].label_id).toBeNull();
  expect((await here("GET", `/prompts/${slug}%40canary`)).status).toBe(404);
});

it("versions are published by number", async () => {
  expect((await here("PUT", `/prompts/${id}/makeDefault`, { version: 2 })).body).toEqual({});
  expect(await read(slug)).toMatchObject({ prompt_version: 2, prompt_version_status: "active", model: "n" });
  expect(await read(`${slug}@1`)).toMatchObject({ prompt_version_status: "archived" });
  expect(await read(`${slug}@default`)).toMatchObject({ prompt_version: 2 });
  expect((await here("GET", "/prompts?page_size=500")).body.data.find((row: Made) => row.id === id).model).toBe("n");
});

it.each<[string, string, string, unknown, number, string]>([
  ["an unknown version", "GET", `/prompts/${id}/versions/${label}`, undefined, 404, "AB08"],
  ["an unknown number", "GET", `/prompts/${slug}@9`, undefined, 404, "AB08"],
  ["a label nobody knows", "GET", `/prompts/${slug}@nowhere`, undefined, 404, "AB08"],
  ["no label", "PUT", `/prompts/${id}/versions/${first}`, {}, 400, "AB01"],
  ["other fields", "PUT", `/prompts/${id}/versions/${first}`, { label_id: null, string: "x" }, 400, "AB01"],
  ["a label by name", "PUT", `/prompts/${id}/versions/${first}`, { label_id: "production" }, 400, "AB01"],
  ["an unknown label", "PUT", `/prompts/${id}/versions/${first}`, { label_id: first }, 404, "AB02"],
  ["a foreign label", "PUT", `/prompts/${id}/versions/${first}`, { label_id: foreign }, 404, "AB02"],
  ["a label on an unknown version", "PUT", `/prompts/${id}/versions/${label}`, { label_id: production }, 404, "AB08"],
  ["publishing none", "PUT", `/prompts/${id}/makeDefault`, {}, 400, "AB01"],
  ["publishing version 0", "PUT", `/prompts/${id}/makeDefault`, { version: 0 }, 400, "AB01"],
  ["publishing an unknown one", "PUT", `/prompts/${id}/makeDefault`, { version: 9 }, 404, "AB08"],
  ["publishing one of an unknown prompt", "PUT", "/prompts/pp-x/makeDefault", { version: 1 }, 404, "AB08"],
])("versions refuse %s", async (_, method, path, given, status, code) => {
  expect(await here(method, path, given)).toMatchObject({ status, body: { error: { code } } });
});
