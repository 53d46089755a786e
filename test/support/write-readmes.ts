import { readFileSync, writeFileSync } from "node:fs";
import { losses, withLosses } from "../conformance/losses.ts";
import { chatFormats } from "../conformance/pairs.ts";
import { optionTables, writeTables } from "./option-tables.ts";
import { root } from "./root.ts";

/** `npm run readmes`: renews the tables in all documents: options, and what translations lose. */
const written = writeTables(await optionTables());
const page = `${root}docs/formats.md`;
const before = readFileSync(page, "utf8");
const after = withLosses(before, losses(chatFormats));
if (after !== before) {
  writeFileSync(page, after);
  written.push("docs/formats.md");
}
process.stdout.write(written.length === 0 ? "nothing to renew\n" : `${written.join("\n")}\n`);
