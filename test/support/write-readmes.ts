import { optionTables, writeTables } from "./option-tables.ts";

/** `npm run readmes`: renews the tables of options in all documents. */
const written = writeTables(await optionTables());
process.stdout.write(written.length === 0 ? "nothing to renew\n" : `${written.join("\n")}\n`);
