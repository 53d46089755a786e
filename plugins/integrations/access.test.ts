import { afterAll, beforeAll, expect, it } from "vitest";
import { folderOfFile, openManagement, type TestManagement } from "../../test/support/management.ts";

/** Two gateways over the same records. */
let gateways: TestManagement[];

beforeAll(async () => {
  const folder = folderOfFile();
  const plugins = { encryption: { key: "5e".repeat(32) }, integrations: {} };
  gateways = [await openManagement(plugins, { folder }), await openManagement(plugins, { folder })];
});
afterAll(async () => {
  for (const { close } of gateways) await close();
});

const callers = (count: number) => Array.from({ length: count }, (_, at) => (gateways[at % 2] as TestManagement).admin);

interface ProviderRow {
  readonly slug: string;
  readonly integration_id: string;
}

async function defaultsOf(slug: string, workspace: string): Promise<string[]> {
  const [admin] = callers(1);
  const { body } = (await admin?.("GET", `/providers?workspace_id=${workspace}&page_size=500`)) ?? {};
  return (body.data as ProviderRow[]).filter((one) => one.integration_id === slug).map((one) => one.slug);
}

const shared = async (slug: string): Promise<string> => {
  const body = { name: slug, slug, ai_provider_id: "openai", key: "sk-0123456789abcdef" };
  expect(await gateways[0]?.admin("POST", "/integrations", body)).toMatchObject({ status: 200 });
  return gateways[0]?.workspace.id ?? "";
};

it.each([
  ["without a slug", "race-plain", {}, "race-plain"],
  ["with the same slug", "race-slug", { default_provider_slug: "race-given" }, "race-given"],
])("makes one default provider of grants at the same time, %s", async (_, slug, more, expected) => {
  const workspace = await shared(slug);
  const grant = { workspaces: [{ id: workspace, enabled: true, ...more }] };
  const answers = await Promise.all(callers(6).map((admin) => admin("PUT", `/integrations/${slug}/workspaces`, grant)));
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
  expect(await defaultsOf(slug, workspace)).toEqual([expected]);
});

it("makes another default provider where the one before was deleted", async () => {
  const workspace = await shared("again");
  const [admin] = gateways.map((one) => one.admin);
  const grant = () =>
    admin?.("PUT", "/integrations/again/workspaces", { workspaces: [{ id: workspace, enabled: true }] });
  await grant();
  expect(await defaultsOf("again", workspace)).toEqual(["again"]);
  expect(await admin?.("DELETE", `/providers/again?workspace_id=${workspace}`)).toMatchObject({ status: 200 });
  expect(await grant()).toMatchObject({ status: 200 });
  expect(await defaultsOf("again", workspace)).toEqual([expect.stringMatching(/^again-[0-9a-f]{6}$/)]);
});

it("counts the workspaces it is open to that are still there", async () => {
  await shared("counted");
  const [admin] = gateways.map((one) => one.admin);
  const { id } = (await admin?.("POST", "/admin/workspaces", { name: "Leaving" }))?.body ?? {};
  const workspaces = [{ id, enabled: true, create_default_provider: false }];
  await admin?.("PUT", "/integrations/counted/workspaces", { workspaces });
  const count = async () => (await admin?.("GET", "/integrations/counted"))?.body.workspace_count;
  expect(await count()).toBe(1);
  expect((await admin?.("DELETE", `/admin/workspaces/${id}`))?.status).toBe(200);
  expect(await count()).toBe(0);
});
