import { mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { openManagement, type TestManagement } from "../../test/support/management.ts";

export interface Opened extends TestManagement {
  /** What the secrets of the test are from now on; those that were asked for are kept until they are refused. */
  secrets(values: Readonly<Record<string, unknown>>, fetched?: boolean): void;
}

/** A gateway with integrations, and secrets that a test chooses. Whoever opens it closes it. */
export async function openIntegrations(
  plugins: Record<string, unknown> = {},
  more: Parameters<typeof openManagement>[1] = {},
): Promise<Opened> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "sluice-integrations-")));
  const standIn = new URL("../../test/support/secrets.ts", import.meta.url).pathname;
  const management = await openManagement(
    {
      encryption: { key: "5e".repeat(32) },
      integrations: {},
      secrets: { use: relative(folder, standIn), file: "secrets.json" },
      ...plugins,
    },
    { folder, ...more },
  );
  return {
    ...management,
    secrets: (values, fetched = false) =>
      writeFileSync(join(folder, "secrets.json"), JSON.stringify({ values, fetched })),
    async close() {
      await management.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
