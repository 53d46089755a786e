import type { Writable } from "node:stream";
import type { RecordArchive } from "../../services/records.ts";
import { type CommandResult, succeeded } from "../command-result.ts";
import type { Surroundings } from "../with-config.ts";
import { type Closing, format, type Header, type Line } from "./dump.ts";
import { counted, withRecords } from "./store.ts";

/** `sluice records export FILE`: everything the store holds, as lines of JSON. What expires in the meantime is left out. */
export const exportRecords = (file: string, out: Writable, surroundings: Surroundings = {}): Promise<CommandResult> =>
  withRecords(file, surroundings, async (archive) => {
    const counts = await written(archive, out);
    return succeeded("", `exported ${counted(counts)}`);
  });

async function written(archive: RecordArchive, out: Writable): Promise<Closing["counts"]> {
  const write = writerOf(out);
  const collections = await archive.collections();
  await write({ sluice_records: format, exported_at: new Date().toISOString(), collections } satisfies Header);
  const counts: Record<string, number> = {};
  for (const { name } of collections) {
    counts[name] = 0;
    for (let after: string | undefined, first = true; first || after !== undefined; first = false) {
      const page = await archive.page(name, after);
      for (const record of page.records) await write({ collection: name, record } satisfies Line);
      counts[name] += page.records.length;
      after = page.next;
    }
  }
  await write({ end: true, counts } satisfies Closing);
  return counts;
}

/** Writes no faster than it is read. A reader that stops ends the export, which is then not whole. */
function writerOf(out: Writable): (value: object) => Promise<void> {
  let broken: Error | undefined;
  out.on("error", (error) => {
    broken = error;
  });
  return (value) =>
    new Promise((resolve, reject) => {
      if (broken) return reject(broken);
      out.write(`${JSON.stringify(value)}\n`, (error) => (error ? reject(error) : resolve()));
    });
}
