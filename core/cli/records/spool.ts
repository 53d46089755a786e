import { createReadStream, createWriteStream, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { finished } from "node:stream/promises";
import { type Closing, DumpError, type Header, headerOf, type Line, lineOf } from "./dump.ts";
import { linesOf } from "./lines-of.ts";

/** An export that was read to its end and is whole, kept in a file of its own until it is removed. */
export interface Spooled {
  readonly header: Header;
  lines(): AsyncGenerator<Line>;
  remove(): void;
}

/** Reads an export to its end. Throws a `DumpError` when it is none, or not whole. */
export async function spool(input: NodeJS.ReadableStream): Promise<Spooled> {
  const folder = mkdtempSync(join(tmpdir(), "sluice-import-"));
  const remove = () => rmSync(folder, { recursive: true, force: true });
  try {
    const path = join(folder, "records.ndjson");
    const header = await checked(input, path);
    return { header, lines: () => recordsIn(path), remove };
  } catch (error) {
    remove();
    throw error;
  }
}

async function checked(input: NodeJS.ReadableStream, path: string): Promise<Header> {
  const out = createWriteStream(path, { mode: 0o600 });
  let header: Header | undefined;
  let closing: Closing | undefined;
  let number = 0;
  const counts = new Map<string, number>();
  try {
    for await (const text of linesOf(input)) {
      number++;
      if (!header) {
        header = headerOf(text);
        for (const { name } of header.collections) counts.set(name, 0);
        continue;
      }
      if (closing) throw new DumpError(`line ${number} is behind the closing line`);
      const line = lineOf(text, number);
      if ("end" in line) {
        closing = line;
        continue;
      }
      const count = counts.get(line.collection);
      if (count === undefined) throw new DumpError(`line ${number} is of "${line.collection}", which the header lacks`);
      counts.set(line.collection, count + 1);
      await new Promise<void>((resolve, reject) =>
        out.write(`${text}\n`, (error) => (error ? reject(error) : resolve())),
      );
    }
  } finally {
    out.end();
    await finished(out);
  }
  if (!header) throw new DumpError("there is nothing in it");
  checkCounts(closing, counts, number);
  return header;
}

function checkCounts(closing: Closing | undefined, counts: ReadonlyMap<string, number>, lines: number): void {
  if (!closing) throw new DumpError(`it ends after line ${lines} without its closing line: it was cut off`);
  for (const name of new Set([...counts.keys(), ...Object.keys(closing.counts)])) {
    const [there, said] = [counts.get(name) ?? 0, closing.counts[name] ?? 0];
    if (there !== said) throw new DumpError(`it has ${there} records of ${name}, but its closing line says ${said}`);
  }
}

async function* recordsIn(path: string): AsyncGenerator<Line> {
  let number = 1;
  for await (const text of linesOf(createReadStream(path))) {
    const line = lineOf(text, ++number);
    if (!("end" in line)) yield line;
  }
}
