import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, it } from "vitest";
import { temporaryFolder } from "../../core/cli/testing.ts";
import { startManagement } from "../../test/support/management.ts";
import { plugins, promptBody, providers } from "./testing.ts";

const surface = pathToFileURL(new URL("../../core/index.ts", import.meta.url).pathname).href;

/** Turns texts around, and knows whose they are: enough to see that nothing is kept in the clear. */
const sealing = `
import { definePlugin, Sealing, z } from "${surface}";
export default definePlugin({
  name: "sealing",
  summary: "Seals, for a test.",
  options: z.strictObject({}),
  provides: [Sealing],
  setup({ provide }) {
    const turned = (text) => [...text].reverse().join("");
    provide(Sealing, {
      seal: async (organisation, record, text) => "v1:" + organisation + ":" + record + ":" + turned(text),
      open: async (organisation, record, sealed) => {
        const prefix = "v1:" + organisation + ":" + record + ":";
        if (!sealed.startsWith(prefix)) throw new Error("sealed for another record");
        return turned(sealed.slice(prefix.length));
      },
    });
  },
});
`;

it("templates are kept sealed where something seals", async () => {
  const { witness: _, ...served } = plugins;
  const folder = temporaryFolder({});
  writeFileSync(join(folder, "sealing.ts"), sealing);
  const { as, workspace } = await startManagement(
    { ...served, sealing: { use: "./sealing.ts" } },
    { providers, folder },
  );
  const here = as({ workspace: workspace.id });
  const collection_id = (await here("POST", "/collections", { name: "c" })).body.id as string;
  const partial = (await here("POST", "/prompts/partials", { name: "p", string: "SECRET-PARTIAL" })).body
    .slug as string;
  const tools = [{ type: "function", function: { name: "SECRET-TOOL" } }];
  const body = promptBody({ collection_id, string: `SECRET-PROMPT {{>${partial}}}`, tools });
  const { slug, id } = (await here("POST", "/prompts", body)).body as { slug: string; id: string };
  expect((await here("POST", `/prompts/${slug}/render`, {})).body.data).toMatchObject({
    messages: [{ content: "SECRET-PROMPT SECRET-PARTIAL" }],
    tools,
  });
  expect((await here("GET", `/prompts/${id}`)).body).toMatchObject({ string: body.string ?? "", tools });
  expect((await here("GET", `/prompts/${id}/versions`)).body[0].prompt_template).toMatchObject({ tools });
  const kept = readdirSync(join(folder, ".sluice")).map((file) =>
    readFileSync(join(folder, ".sluice", file), "latin1"),
  );
  expect(kept.join("")).toContain(slug);
  expect(kept.join("")).not.toContain("SECRET");
  expect(kept.join("")).toContain("TERCES");
});
