import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll } from "vitest";
import { openManagement, type TestManagement } from "../../test/support/management.ts";

/** Everything a call of a prompt needs, with the simulator as the provider. */
export const plugins = {
  routing: { default: "simulator" },
  "format-openai-chat": {},
  "format-openai-completions": {},
  prompts: {},
};

export const providers = { simulator: {}, other: { use: "simulator" } };

/** A gateway for a whole file of tests, with prompts. */
export async function openPrompts(more: Record<string, unknown> = {}): Promise<TestManagement> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "sluice-prompts-")));
  const management = await openManagement({ ...plugins, ...more }, { providers, folder });
  afterAll(async () => {
    await management.gateway.shutdown(0, 0);
    rmSync(folder, { recursive: true, force: true });
  });
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
