import {
  cpSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  renameSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { newerThan } from "../../test/support/file-clock.ts";
import { folderOfFile } from "../../test/support/folder-of-file.ts";
import { environmentOf } from "../environment.ts";
import { changedAt } from "./changed-at.ts";
import { ConfigError } from "./mistakes.ts";
import { parseConfig, readConfig } from "./read.ts";
import { fakeLoader } from "./testing.ts";

/** When a change of a file was made, by its own date. */
async function changing(file: string, change: () => void): Promise<{ before: number; after: number }> {
  const before = changedAt(file) ?? 0;
  await newerThan(file);
  change();
  return { before, after: changedAt(file) ?? 0 };
}

describe("a file is another one", () => {
  const [file, other, link] = ["gateway.yaml", "other.yaml", "link.yaml"];
  const folderWith = (names: readonly string[]) => {
    const folder = folderOfFile();
    for (const name of names) writeFileSync(join(folder, name), name);
    return (name: string) => join(folder, name);
  };

  it.each<[string, (at: (name: string) => string) => void]>([
    ["edited", (at) => writeFileSync(at(file), "new")],
    ["touched", (at) => utimesSync(at(file), new Date(), new Date())],
    ["replaced by one with an older date", (at) => renameSync(at(other), at(file))],
    ["written over by one with an older date", (at) => cpSync(at(other), at(file), { preserveTimestamps: true })],
  ])("from when it is %s", async (_, change) => {
    const at = folderWith([file, other]);
    const { before, after } = await changing(at(file), () => change(at));
    expect(after).toBeGreaterThan(before);
  });

  it("from when it is linked to its place, or its folder is, however old it is", async () => {
    const at = folderWith([file, other]);
    await newerThan(at(file));
    symlinkSync(at(file), at(link));
    expect(changedAt(at(link))).toBeGreaterThan(changedAt(at(file)) ?? 0);
    mkdirSync(at("releases"));
    cpSync(at(file), at(join("releases", file)));
    await newerThan(at(join("releases", file)));
    symlinkSync(at("releases"), at("current"));
    expect(changedAt(at(join("current", file)))).toBeGreaterThan(changedAt(at(join("releases", file))) ?? 0);
  });

  it("from when a link that its link leads through is made anew", async () => {
    const at = folderWith([]);
    for (const release of ["1", "2"]) mkdirSync(at(release));
    for (const release of ["1", "2"]) writeFileSync(at(join(release, file)), release);
    symlinkSync("1", at("current"));
    symlinkSync(join("current", file), at(file));
    symlinkSync("2", at("next"));
    const { before, after } = await changing(at(file), () => renameSync(at("next"), at("current")));
    expect(readFileSync(at(file), "utf8")).toBe("2");
    expect(after).toBeGreaterThan(before);
  });

  it("from when a link is made that leads on from the folder a link is really in", async () => {
    const at = folderWith([other]);
    for (const folder of ["releases", join("releases", "1"), join("releases", "shared")]) mkdirSync(at(folder));
    symlinkSync(join("releases", "1"), at("current"));
    symlinkSync(join("..", "shared", file), at(join("current", file)));
    await newerThan(at("current"));
    symlinkSync(at(other), at(join("releases", "shared", file)));
    expect(changedAt(at(join("current", file)))).toBe(lstatSync(at(join("releases", "shared", file))).ctimeMs);
  });

  it("and where there is none, from no moment", () => expect(changedAt(join(folderOfFile(), file))).toBeUndefined());

  const linkToItself = (at: (name: string) => string) => {
    symlinkSync(link, at(link));
    return at(link);
  };

  it.each<[string, string, (at: (name: string) => string) => string]>([
    ["is not there", "file not found", (at) => at(link)],
    ["is a link to itself", "the file cannot be read (ELOOP)", linkToItself],
    ["would be in a file", "the file cannot be read (ENOTDIR)", (at) => at(join(file, other))],
    ["has too long a name", "the file cannot be read (ENAMETOOLONG)", (at) => at("a".repeat(300))],
  ])("and from no moment where it cannot be reached, which is a mistake: it %s", async (_, message, placed) => {
    const path = placed(folderWith([file]));
    expect(changedAt(path)).toBeUndefined();
    const reading = readConfig(path, fakeLoader, environmentOf({}));
    await expect(reading).rejects.toThrow(ConfigError);
    await expect(reading).rejects.toThrow(message);
  });
});

describe("an option is what it is", () => {
  const options = (value: string) => `plugins:\n  rate-limits: { value: ${value}, unit: rpm }\n`;
  const path = ["plugins", "rate-limits"];
  const file = () => join(folderOfFile(), "gateway.yaml");

  it("since its file is, whoever reads it when", async () => {
    const [older, newer] = [file(), file()];
    writeFileSync(older, options("1"));
    await newerThan(older);
    writeFileSync(newer, options("2"));
    const [second, first, again] = [
      await readConfig(newer, fakeLoader, environmentOf({})),
      await readConfig(older, fakeLoader, environmentOf({})),
      await readConfig(older, fakeLoader, environmentOf({})),
    ];
    expect(first.changedAt(path)).toBeLessThan(second.changedAt(path));
    expect(again.changedAt(path)).toBe(first.changedAt(path));
  });

  it("since it was read, where variables are referred to in it, or there is no file", async () => {
    const referring = file();
    writeFileSync(referring, options("${MOST:-3}"));
    // By the clock of this process, which files do not go by to the millisecond.
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 60_000 });
    onTestFinished(() => void vi.useRealTimers());
    const since = changedAt(referring) ?? 0;
    const { changedAt: at } = await readConfig(referring, fakeLoader, environmentOf({ MOST: "4" }));
    expect(at([...path, "value"])).toBeGreaterThan(since);
    expect(at(path)).toBeGreaterThan(since);
    expect(at([...path, "unit"])).toBe(since);
    const begun = Date.now();
    const inMemory = await parseConfig(options("1"), referring, fakeLoader, environmentOf({}));
    expect(inMemory.changedAt(path)).toBeGreaterThanOrEqual(begun);
  });
});
