import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll } from "vitest";
import { folderOfFile, openManagement, type TestManagement } from "../../test/support/management.ts";

/** Everything a call of a prompt needs, with the simulator as the provider. */
export const plugins = {
  routing: { default: "simulator" },
  "format-openai-chat": {},
  "format-openai-completions": {},
  "access-log": {},
  witness: { use: "./witness.ts" },
  prompts: {},
};

const surface = pathToFileURL(new URL("../../core/index.ts", import.meta.url).pathname).href;

/**
 * A plugin that writes down what each target is asked, and which prompt that was made of. It also has a provider that
 * nobody can call, in the first workspace that asks for it.
 */
const witness = `
import { definePlugin, Management, requestOf, z } from "${surface}";
export default definePlugin({
  name: "witness",
  summary: "Writes down requests.",
  options: z.strictObject({}),
  needs: [Management],
  setup({ hooks, log, service }) {
    let home;
    service(Management).keeps("providers", async (organisation, workspace, slug) => {
      if (slug !== "kept-away") return undefined;
      home ??= workspace;
      return workspace === home ? { id: "1b4e28ba-2fa1-4d2b-883f-0016d3cca427", slug, workspace } : undefined;
    });
    hooks.beforeRequest.tap("witness", (request, exchange) => {
      log.info("asked", { body: request.json, prompt: requestOf(exchange)?.origin?.prompt });
      return request;
    });
  },
});
`;

export const providers = { simulator: {}, other: { use: "simulator" } };

/** A gateway for a whole file of tests, with prompts. */
export async function openPrompts(more: Record<string, unknown> = {}): Promise<TestManagement> {
  const folder = folderOfFile();
  writeFileSync(join(folder, "witness.ts"), witness);
  const management = await openManagement({ ...plugins, ...more }, { providers, folder });
  afterAll(management.close);
  return management;
}

export const text = (content: string, role = "user") => JSON.stringify([{ role, content }]);

/** A body that makes a prompt. */
export const promptBody = (more: Record<string, unknown> = {}) => ({
  name: "Refund letter writer",
  string: text("Hello {{name}}"),
  parameters: {},
  virtual_key: "simulator",
  model: "m",
  ...more,
});

/** What making a prompt or a partial answers. */
export interface Made {
  readonly id: string;
  readonly slug: string;
  readonly version_id: string;
}

/** The same with two workspaces, each with a collection, and somebody in each of them. */
export async function openLibrary(more: Record<string, unknown> = {}) {
  const management = await openPrompts(more);
  const { admin, as, workspace } = management;
  const other = (await admin("POST", "/admin/workspaces", { name: "Other" })).body as { uuid: string; slug: string };
  const here = as({ workspace: workspace.id });
  const there = as({ workspace: other.uuid });
  const collection = (await here("POST", "/collections", { name: "Support" })).body as { id: string; slug: string };
  const theirs = (await there("POST", "/collections", { name: "Theirs" })).body as { id: string; slug: string };
  const body = (given: Record<string, unknown> = {}) => promptBody({ collection_id: collection.slug, ...given });
  return {
    ...management,
    other,
    here,
    there,
    collection,
    theirs,
    body,
    /** A body that lacks something. */
    without: (...names: string[]) =>
      Object.fromEntries(Object.entries(body()).filter(([name]) => !names.includes(name))),
    /** Makes a prompt of the first workspace. */
    make: async (given?: Record<string, unknown>) => (await here("POST", "/prompts", body(given))).body as Made,
    read: async (ref: string) => (await here("GET", `/prompts/${ref}`)).body,
  };
}
