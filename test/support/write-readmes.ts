import { readFileSync, writeFileSync } from "node:fs";
import { losses, withLosses } from "../conformance/losses.ts";
import { chatFormats } from "../conformance/pairs.ts";
import { withChecks } from "./checks-page.ts";
import { withMetrics } from "./metrics-page.ts";
import { optionTables, writeTables } from "./option-tables.ts";
import { root } from "./root.ts";

/** `npm run readmes`: renews what documents say of options, checks, and what translations lose. */
const written = writeTables(await optionTables());
await renew("docs/formats.md", (before) => withLosses(before, losses(chatFormats)));
await renew("docs/checks.md", withChecks);
await renew("plugins/metrics/README.md", withMetrics);
process.stdout.write(written.length === 0 ? "nothing to renew\n" : `${written.join("\n")}\n`);

async function renew(page: string, change: (before: string) => string | Promise<string>): Promise<void> {
  const before = readFileSync(root + page, "utf8");
  const after = await change(before);
  if (after === before) return;
  writeFileSync(root + page, after);
  written.push(page);
}
