import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PassThrough, Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { expect, it, onTestFinished } from "vitest";
import { moduleLoader, readConfig } from "../../config/index.ts";
import { type RecordCollection, Records } from "../../services/records.ts";
import { dryGeneration } from "../dry-generation.ts";
import { temporaryFolder } from "../testing.ts";
import { exportRecords } from "./export.ts";
import { importRecords } from "./import.ts";

interface Key {
  readonly name: string;
}

const definition = { name: "keys", schemaVersion: 1, indexes: ["name"], unique: [["name"]] } as const;

const config =
  "plugins: { auth-open: {}, routing: { default: simulator }, records-file: {} }\nproviders: { simulator: {} }\n";

/** A config file with a store of its own, and what is in it. */
function deployment() {
  const file = join(temporaryFolder({ "gateway.yaml": config }), "gateway.yaml");
  const within = async <Result>(run: (keys: RecordCollection<Key>) => Promise<Result>): Promise<Result> => {
    const loader = moduleLoader();
    const generation = await dryGeneration(await readConfig(file, loader), loader);
    const records = generation.kernel.offered(Records);
    if (!records) throw new Error("nobody keeps records");
    try {
      return await run(records.collection<Key>(definition));
    } finally {
      await generation.close();
    }
  };
  const exported = async () => {
    const out = new PassThrough();
    const [result, dump] = await Promise.all([exportRecords(file, out).finally(() => out.end()), text(out)]);
    return { result, dump };
  };
  const imported = (dump: string, replace = false) => importRecords(file, Readable.from([dump]), { replace });
  return { file, within, exported, imported };
}

async function filled() {
  const from = deployment();
  await from.within(async (keys) => {
    for (const id of ["a", "b", "c"]) await keys.insert({ tenant: "t", id, document: { name: `key ${id}` } });
    await keys.update({ tenant: "t", id: "b", version: 1 }, { document: { name: "line\u2028\nbreak" } });
    await keys.insert({ tenant: "t", id: "gone", document: { name: "gone" }, expiresAt: 1 });
  });
  return { ...from, ...(await from.exported()) };
}

const everything = async (keys: RecordCollection<Key>) => (await keys.find({})).records;

it("moves everything from one store to another", async () => {
  const { result, dump, within } = await filled();
  expect(result).toEqual({ exitCode: 0, out: "", err: "exported 3 records (keys 3)\n" });
  const lines = dump.trimEnd().split("\n");
  expect(JSON.parse(lines[0] ?? "")).toMatchObject({ sluice_records: 1, collections: [definition] });
  expect(JSON.parse(lines.at(-1) ?? "")).toEqual({ end: true, counts: { keys: 3 } });
  const to = deployment();
  expect(await to.imported(dump)).toEqual({ exitCode: 0, out: "", err: "written 3 records (keys 3)\n" });
  expect(await to.within(everything)).toEqual(await within(everything));
  expect((await to.exported()).dump.split("\n").slice(1)).toEqual(dump.split("\n").slice(1));
});

it("does nothing the second time", async () => {
  const { dump, imported, within } = await filled();
  const before = await within(everything);
  expect(await imported(dump)).toMatchObject({ exitCode: 0, err: "written 0 records\nsame 3 records (keys 3)\n" });
  expect(await within(everything)).toEqual(before);
});

it("refuses what differs, all of it, unless told to replace", async () => {
  const { dump, imported, within } = await filled();
  await within(async (keys) => {
    await keys.update({ tenant: "t", id: "a", version: 1 }, { document: { name: "other" } });
    await keys.remove({ tenant: "t", id: "c" });
  });
  expect(await imported(dump)).toMatchObject({
    exitCode: 1,
    err: expect.stringMatching(
      /^Nothing was imported: 1 record is there with another content\. .*\n {2}keys "a" of "t"\n$/,
    ),
  });
  expect(await within((keys) => keys.count({}))).toBe(2);
  const replaced = "written 1 record (keys 1)\nreplaced 1 record (keys 1)\nsame 1 record (keys 1)\n";
  expect(await imported(dump, true)).toMatchObject({ exitCode: 0, err: replaced });
  expect(await within((keys) => keys.get({ tenant: "t", id: "a" }))).toMatchObject({
    version: 3,
    document: { name: "key a" },
  });
  expect(await imported(dump)).toMatchObject({ exitCode: 0, err: "written 0 records\nsame 3 records (keys 3)\n" });
});

it("takes nothing from a file that is not whole", async () => {
  const { dump } = await filled();
  const lines = dump.trimEnd().split("\n");
  const to = deployment();
  const cases: Record<string, string> = {
    "": "there is nothing in it",
    "{}": "line 1 is no header",
    [lines.slice(0, -1).join("\n")]: "ends after line 4 without its closing line",
    [dump.slice(0, dump.indexOf("\n", dump.indexOf("\n") + 1) + 20)]: "line 3 is no record",
    [[...lines.slice(0, 2), ...lines.slice(3)].join("\n")]: "it has 2 records of keys, but its closing line says 3",
    [`${dump}${lines[1]}\n`]: "line 6 is behind the closing line",
    [dump.replace('"sluice_records":1', '"sluice_records":2')]: "it is in format 2",
    [dump.replaceAll('"collection":"keys"', '"collection":"others"')]: 'line 2 is of "others", which the header lacks',
  };
  for (const [damaged, reason] of Object.entries(cases)) {
    const { exitCode, err } = await to.imported(damaged);
    expect({ exitCode, err }).toEqual({ exitCode: 1, err: expect.stringContaining(reason) });
  }
  expect(await to.within((keys) => keys.count({}))).toBe(0);
});

it("stops where a unique value is taken, and says how far it came", async () => {
  const { dump } = await filled();
  const to = deployment();
  await to.within((keys) => keys.insert({ tenant: "t", id: "z", document: { name: "key c" } }));
  const { exitCode, err } = await to.imported(dump);
  expect({ exitCode, err }).toEqual({
    exitCode: 1,
    err: expect.stringMatching(
      /^The import stopped: keys "c" of "t": another one has the same name\nwritten 2 records/,
    ),
  });
});

it("leaves nothing of what it read behind", async () => {
  const { dump } = await filled();
  const folder = mkdtempSync(join(tmpdir(), "sluice-spool-"));
  const before = process.env.TMPDIR;
  process.env.TMPDIR = folder;
  onTestFinished(() => {
    if (before === undefined) delete process.env.TMPDIR;
    else process.env.TMPDIR = before;
    rmSync(folder, { recursive: true, force: true });
  });
  const to = deployment();
  await to.imported(dump);
  await to.imported("{}");
  expect(readdirSync(folder).filter((name) => name.startsWith("sluice-import-"))).toEqual([]);
});

it("says when a config file has no records, or is none", async () => {
  const files = {
    "gateway.yaml": config.replace(", records-file: {}", ""),
    "wrong.yaml": "plugins: { nonsense: {} }\n",
  };
  const folder = temporaryFolder(files);
  const without = await exportRecords(join(folder, "gateway.yaml"), new PassThrough());
  expect(without).toMatchObject({ exitCode: 1, err: expect.stringContaining('provides "records"') });
  const wrong = await exportRecords(join(folder, "wrong.yaml"), new PassThrough());
  expect(wrong).toMatchObject({ exitCode: 1, err: expect.stringContaining("nonsense") });
});
