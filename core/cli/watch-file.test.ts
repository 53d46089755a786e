import { EventEmitter } from "node:events";
import fs, { mkdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { dirname, join } from "node:path";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { keepingLogger } from "../test-kit/keeping-logger.ts";
import { temporaryFolder } from "./testing.ts";
import { watchAhead } from "./watch-file.ts";

type At = (path: string) => string;

function write(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

/** As a link is exchanged in one step, which leaves no moment without one. */
function relink(target: string, path: string): void {
  symlinkSync(target, `${path}.new`);
  renameSync(`${path}.new`, path);
}

/** What is watched as `file` in a folder, and what of it was read when it was told to have changed: nothing where it was gone. */
function watching(file: string, prepare: (at: At) => void) {
  const folder = temporaryFolder();
  const at: At = (path) => join(folder, path);
  prepare(at);
  const told: (string | undefined)[] = [];
  const changed = () => {
    try {
      told.push(readFileSync(at(file), "utf8"));
    } catch {
      told.push(undefined);
    }
  };
  watchAhead(at(file))(changed, keepingLogger());
  const hears = (text: string | undefined) => expect.poll(() => told.at(-1), { timeout: 10_000 }).toBe(text);
  return { at, told, hears };
}

describe("a config file that is watched", () => {
  it.each<[string, string, (at: At) => void, (at: At, text: string) => void]>([
    ["is written", "a.yaml", () => undefined, (at, text) => writeFileSync(at("a.yaml"), text)],
    [
      "is replaced",
      "a.yaml",
      () => undefined,
      (at, text) => {
        write(at("b.yaml"), text);
        renameSync(at("b.yaml"), at("a.yaml"));
      },
    ],
    [
      "is deleted and written again",
      "a.yaml",
      () => undefined,
      (at, text) => {
        rmSync(at("a.yaml"));
        write(at("a.yaml"), text);
      },
    ],
    [
      "is a link to another folder, where it is written",
      "link/a.yaml",
      (at) => {
        mkdirSync(at("link"));
        symlinkSync("../a.yaml", at("link/a.yaml"));
      },
      (at, text) => writeFileSync(at("a.yaml"), text),
    ],
    [
      "is in a folder that is linked anew, as releases are",
      "current/a.yaml",
      (at) => {
        write(at("release/a.yaml"), "a.yaml: first");
        symlinkSync("release", at("current"));
      },
      (at, text) => {
        const next = `release-${text.length}-${text.at(-1)}`;
        write(at(`${next}/a.yaml`), text);
        relink(next, at("current"));
      },
    ],
    [
      "is mounted from a config map",
      "mounted/a.yaml",
      (at) => {
        write(at("mounted/..1/a.yaml"), "a.yaml: first");
        symlinkSync("..1", at("mounted/..data"));
        symlinkSync("..data/a.yaml", at("mounted/a.yaml"));
      },
      (at, text) => {
        write(at(`mounted/..${text.length}/a.yaml`), text);
        relink(`..${text.length}`, at("mounted/..data"));
        rmSync(at("mounted/..1"), { recursive: true, force: true });
      },
    ],
    [
      "is linked to from beside what is mounted",
      "a-link.yaml",
      (at) => {
        write(at("mounted/..1/a.yaml"), "a.yaml: first");
        symlinkSync("..1", at("mounted/..data"));
        symlinkSync("..data/a.yaml", at("mounted/a.yaml"));
        symlinkSync("mounted/a.yaml", at("a-link.yaml"));
      },
      (at, text) => {
        write(at(`mounted/..${text.length}/a.yaml`), text);
        relink(`..${text.length}`, at("mounted/..data"));
      },
    ],
    [
      "is in a folder whose place another one takes",
      "in/a.yaml",
      (at) => write(at("in/a.yaml"), "a.yaml: first"),
      (at, text) => {
        write(at("next/a.yaml"), text);
        renameSync(at("in"), at(`before-${text.length}`));
        renameSync(at("next"), at("in"));
      },
    ],
    [
      "is in a folder that is deleted and made again",
      "deep/in/a.yaml",
      (at) => write(at("deep/in/a.yaml"), "a.yaml: first"),
      (at, text) => {
        rmSync(at("deep"), { recursive: true });
        write(at("deep/in/a.yaml"), text);
      },
    ],
  ])("is told to have changed when it %s, and when that happens again", async (_, file, prepare, change) => {
    const { at, hears } = watching(file, (path) => {
      write(path("a.yaml"), "a.yaml: first");
      prepare(path);
    });
    for (const text of ["a.yaml: 2nd", "a.yaml: the third", "a.yaml: number four"]) {
      change(at, text);
      await hears(text);
    }
  });

  it("is told to be gone once, and to be there again", async () => {
    const { at, told } = watching("deep/in/a.yaml", (path) => write(path("deep/in/a.yaml"), "first"));
    rmSync(at("deep/in/a.yaml"));
    await expect.poll(() => told, { timeout: 10_000 }).toEqual([undefined]);
    rmSync(at("deep"), { recursive: true });
    mkdirSync(at("deep"));
    write(at("deep/in/a.yaml"), "second");
    await expect.poll(() => told, { timeout: 10_000 }).toEqual([undefined, "second"]);
  });
});

describe("a config file that cannot be watched", () => {
  const failure = (code: string) => Object.assign(new Error(`watch failed: ${code}`), { code });

  function watchingIs(watch: () => unknown) {
    const replaced = vi.spyOn(fs, "watch").mockImplementation(watch as typeof fs.watch);
    syncBuiltinESMExports();
    onTestFinished(() => {
      replaced.mockRestore();
      syncBuiltinESMExports();
    });
  }

  /** One that says nothing until it is told to. */
  const silent = () => Object.assign(new EventEmitter(), { close() {}, unref: (): unknown => undefined });

  it.each([
    ["ENOSPC", /send SIGHUP to have it read anew; a higher fs\.inotify\.max_user_watches/],
    ["EMFILE", /send SIGHUP to have it read anew; a higher fs\.inotify\.max_user_instances/],
    ["EACCES", /send SIGHUP to have it read anew; it is watched after a restart where its folder may be read/],
    ["EIO", /send SIGHUP to have it read anew$/],
  ])("is told once to be so, with what helps: %s", (code, says) => {
    const folder = temporaryFolder({ "a.yaml": "first", "linked/b.yaml": "" });
    symlinkSync("../a.yaml", join(folder, "linked/a.yaml"));
    const file = join(folder, "linked/a.yaml");
    watchingIs(() => {
      throw failure(code);
    });
    const log = keepingLogger();
    watchAhead(file)(() => undefined, log);
    const fields = { file, folder: expect.stringContaining(folder), error: failure(code) };
    expect(log.lines).toEqual([{ level: "warn", message: expect.stringMatching(says), fields }]);
  });

  it("is told to be so when that comes later, once", () => {
    const folder = temporaryFolder({ "a.yaml": "first" });
    const watchers: EventEmitter[] = [];
    watchingIs(() => {
      const watcher = silent();
      watchers.push(watcher);
      return Object.assign(watcher, { unref: () => watcher });
    });
    const log = keepingLogger();
    watchAhead(join(folder, "a.yaml"))(() => undefined, log);
    expect(log.lines).toEqual([]);
    for (const watcher of watchers) for (let times = 0; times < 2; times++) watcher.emit("error", failure("ENOSPC"));
    expect(log.lines).toHaveLength(1);
  });

  it("is not told to be so where a folder has just gone", () => {
    const folder = temporaryFolder({ "a.yaml": "first" });
    watchingIs(() => {
      throw failure("ENOENT");
    });
    const log = keepingLogger();
    watchAhead(join(folder, "a.yaml"))(() => undefined, log);
    expect(log.lines).toEqual([]);
  });
});
