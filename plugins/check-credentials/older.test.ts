import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { recordStore } from "../../core/index.ts";
import { silentLogger } from "../../core/log.ts";
import { startManagement } from "../../test/support/management.ts";
import { FileBackend } from "../records-file/file-backend.ts";

it("an organisation gets no second credentials of a partner beside some that were kept without a claim to it", async () => {
  const plugins = { checks: {}, encryption: { key: "5e".repeat(32) }, "check-credentials": {} };
  const { admin, organisation, folder } = await startManagement(plugins);
  const credentials = { apiKey: "s-1234567" };
  const made = await admin("POST", "/plugins", { plugin_id: "patronus", credentials });
  expect(made.status).toBe(200);
  const file = new FileBackend({ path: join(folder, ".sluice/records.db"), timeout: 10_000, pollInterval: 250 });
  onTestFinished(() => file.close());
  const { archive } = recordStore(file, silentLogger);
  const kept = await archive.get("check_credentials", { tenant: organisation, id: made.body.id });
  if (!kept) throw new Error("nothing was kept");
  const { taken_plugin_id: _, ...document } = kept.document;
  await archive.put("check_credentials", { ...kept, document, version: kept.version + 1 }, kept.version);
  expect(await admin("POST", "/plugins", { plugin_id: "patronus", credentials })).toMatchObject({
    status: 409,
    body: { error: { param: "plugin_id" } },
  });
  expect(await admin("POST", "/plugins", { plugin_id: "azure", credentials })).toMatchObject({ status: 200 });
});
