import { isDeepStrictEqual } from "node:util";
import { errorMessage } from "../../errors/error-message.ts";
import type { ArchivedRecord, RecordArchive } from "../../services/records.ts";
import { type CommandResult, failed, succeeded } from "../command-result.ts";
import type { Surroundings } from "../with-config.ts";
import { DumpError, type Line } from "./dump.ts";
import { type Spooled, spool } from "./spool.ts";
import { counted, withRecords } from "./store.ts";

export interface ImportOptions {
  /** Records that are there with another content are written over. */
  readonly replace?: boolean;
}

const mostNamed = 10;

/**
 * `sluice records import FILE`: takes an export into the store. Nothing is written before the whole of it was read and
 * compared: a file that is cut off changes nothing, and neither does one with a record that differs from the store's.
 */
export async function importRecords(
  file: string,
  input: NodeJS.ReadableStream,
  { replace = false }: ImportOptions = {},
  surroundings: Surroundings = {},
): Promise<CommandResult> {
  let spooled: Spooled;
  try {
    spooled = await spool(input);
  } catch (error) {
    if (error instanceof DumpError) return failed(`Nothing was imported: ${error.message}`);
    throw error;
  }
  try {
    return await withRecords(file, surroundings, (archive) => taken(archive, spooled, replace));
  } finally {
    spooled.remove();
  }
}

async function taken(archive: RecordArchive, spooled: Spooled, replace: boolean): Promise<CommandResult> {
  if (!replace) {
    const differing = await differences(archive, spooled);
    if (differing.length > 0) return refused(differing);
  }
  for (const shape of spooled.header.collections) await archive.declare(shape);
  const tally = { written: {}, replaced: {}, same: {}, expired: {} } satisfies Record<string, Record<string, number>>;
  const report = () =>
    Object.entries(tally)
      .filter(([what, counts]) => what === "written" || Object.keys(counts).length > 0)
      .map(([what, counts]) => `${what} ${counted(counts)}`)
      .join("\n");
  try {
    for await (const line of spooled.lines()) {
      const counts: Record<string, number> = tally[await put(archive, line)];
      counts[line.collection] = (counts[line.collection] ?? 0) + 1;
    }
  } catch (error) {
    const reason = errorMessage(error);
    return failed(`The import stopped: ${reason}\n${report()}`);
  }
  return succeeded("", report());
}

async function put(archive: RecordArchive, line: Line): Promise<"written" | "replaced" | "same" | "expired"> {
  const { collection, record } = line;
  if (isExpired(record)) return "expired";
  const there = await archive.get(collection, record);
  if (there && isSame(there, record)) return "same";
  await archive.put(collection, record, there?.version);
  return there ? "replaced" : "written";
}

const isExpired = ({ expiresAt }: ArchivedRecord): boolean => expiresAt !== undefined && expiresAt <= Date.now();

/** By what they say: a record that was imported over another one has a higher version than in the file. */
const isSame = (one: ArchivedRecord, other: ArchivedRecord): boolean =>
  one.schemaVersion === other.schemaVersion &&
  one.expiresAt === other.expiresAt &&
  isDeepStrictEqual(one.document, other.document);

async function differences(archive: RecordArchive, spooled: Spooled): Promise<string[]> {
  const known = new Set((await archive.collections()).map(({ name }) => name));
  const found: string[] = [];
  for await (const { collection, record } of spooled.lines()) {
    if (!known.has(collection) || isExpired(record)) continue;
    const there = await archive.get(collection, record);
    if (there && !isSame(there, record)) found.push(`${collection} "${record.id}" of "${record.tenant}"`);
  }
  return found;
}

function refused(differing: readonly string[]): CommandResult {
  const named = differing.slice(0, mostNamed).map((one) => `  ${one}`);
  const more = differing.length > mostNamed ? [`  and ${differing.length - mostNamed} more`] : [];
  const count = `${differing.length} record${differing.length === 1 ? " is" : "s are"}`;
  const remedy = "--replace writes over them.";
  return failed([`Nothing was imported: ${count} there with another content. ${remedy}`, ...named, ...more].join("\n"));
}
