import { expect, it } from "vitest";
import { folderOfFile, openManagement, startManagement } from "../support/management.ts";

const deploymentUnder = (key: string, folder: string) =>
  [
    {
      encryption: { key },
      routing: {},
      checks: {},
      "guardrail-records": {},
      guardrails: {},
      configs: {},
      "format-openai-chat": {},
    },
    { folder, providers: { simulator: {} } },
  ] as const;

const whatToDo = expect.stringContaining("Give it back: among the keys");
const chat = { model: "m", messages: [{ role: "user", content: "Hello" }] };

it("tells who uses a config whose key is lost that a secret is missing, and who manages it and the log which", async () => {
  const folder = folderOfFile();
  const before = await openManagement(...deploymentUnder("5e".repeat(32), folder));
  const { workspace } = before;
  const made = await before.as({ workspace: workspace.id })("POST", "/configs", {
    name: "Kept",
    config: { provider: "@simulator" },
  });
  const asked = (caller: typeof before.admin) =>
    caller("POST", "/chat/completions", chat, { "x-gateway-config": made.body.data.slug });
  expect((await asked(before.as({ workspace: workspace.id }))).status).toBe(200);
  await before.close();

  const { gateway, as } = await startManagement(...deploymentUnder("6f".repeat(32), folder));
  const own = as({ workspace: workspace.id });
  expect(await asked(own)).toMatchObject({
    status: 500,
    body: { status: "failure", message: "Unable to resolve secret" },
  });
  expect(gateway.log.lines).toContainEqual({
    level: "error",
    message: "a secret could not be resolved",
    fields: { request: expect.any(String), error: expect.objectContaining({ message: whatToDo }) },
  });
  const managed = await own("GET", `/configs/${made.body.data.slug}`);
  expect(managed).toMatchObject({ status: 500, body: { data: { message: whatToDo } } });
});
