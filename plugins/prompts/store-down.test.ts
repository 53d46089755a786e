import { expect, it, onTestFinished } from "vitest";
import { temporaryFolder } from "../../core/cli/testing.ts";
import { startManagement } from "../../test/support/management.ts";
import { startMongoServer } from "../../test/support/mongo-server.ts";
import { plugins, promptBody, providers } from "./testing.ts";

it("prompts that were used are used on while the store is down, without asking it", async () => {
  const mongo = await startMongoServer();
  onTestFinished(() => mongo.stop());
  const { witness: _, ...served } = plugins;
  const { as, workspace } = await startManagement(
    { ...served, "records-file": undefined, "records-mongodb": { url: mongo.uri, database: "prompts" } },
    { providers, folder: temporaryFolder({}) },
  );
  const here = as({ workspace: workspace.id });
  const collection_id = (await here("POST", "/collections", { name: "c" })).body.id as string;
  const partial = (await here("POST", "/prompts/partials", { name: "p", string: "Be brief." })).body.slug as string;
  const make = async () =>
    (await here("POST", "/prompts", promptBody({ collection_id, string: `Hi {{>${partial}}}` }))).body.slug as string;
  const [warm, cold] = [await make(), await make()];
  const call = (ref: string, verb: string) => here("POST", `/prompts/${ref}/${verb}`, {});
  expect((await call(warm, "completions")).status).toBe(200);
  await mongo.stop();
  for (const verb of ["completions", "render"]) expect((await call(warm, verb)).status).toBe(200);
  expect(await call(cold, "completions")).toMatchObject({
    status: 503,
    body: { success: false, data: { errorCode: "AB04" } },
  });
  expect(await call(cold, "render")).toMatchObject({ status: 503 });
});
