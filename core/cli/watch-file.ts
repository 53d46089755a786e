import { existsSync, type FSWatcher, watch } from "node:fs";
import { basename } from "node:path";
import { wayTo } from "../config/way-to.ts";
import type { Logger } from "../model/logger.ts";

/** Milliseconds in which several changes count as one: editors write a file in steps. */
const settling = 100;

/**
 * Calls `changed` after a file was written, replaced, or linked anew, wherever on the way to it: mounted configuration is
 * replaced by exchanging a link to its folder, and so are releases. Folders are watched, in which files may be replaced; one
 * that is removed itself is waited for.
 */
class WatchedFile {
  readonly #file: string;
  readonly #changed: () => void;
  readonly #unseen: (folder: string, error: unknown) => void;
  #watchers: readonly FSWatcher[] = [];
  #timer: NodeJS.Timeout | undefined;
  /** It was told that there is no file: until there is one again, there is nothing more to tell. */
  #missing = false;

  /** `unseen` is told of folders that cannot be watched. */
  constructor(file: string, changed: () => void, unseen: (folder: string, error: unknown) => void) {
    this.#file = file;
    this.#changed = changed;
    this.#unseen = unseen;
    this.#watch();
  }

  /** The way may be another one after each change. The new one is watched before the old one is not. */
  #watch(): void {
    const before = this.#watchers;
    this.#watchers = [...placesOn(this.#file)].flatMap(([folder, names]) => this.#watched(folder, names));
    for (const watcher of before) watcher.close();
  }

  #watched(folder: string, names: ReadonlySet<string>): FSWatcher[] {
    try {
      const watcher = watch(folder, (_event, name) => {
        // Of a folder that is moved or removed its own name is told.
        if (name === null || names.has(name) || name === basename(folder)) this.#settle();
      });
      watcher.on("error", (error) => {
        watcher.close();
        this.#unseen(folder, error);
      });
      return [watcher.unref()];
    } catch (error) {
      // That it is gone by now another one tells.
      if (codeOf(error) !== "ENOENT") this.#unseen(folder, error);
      return [];
    }
  }

  #settle(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      this.#watch();
      const wasMissing = this.#missing;
      this.#missing = !existsSync(this.#file);
      if (!this.#missing || !wasMissing) this.#changed();
    }, settling);
  }
}

/** The folders to watch for a file, and what in them leads to it: its own name, those of links, and the first that is not there. */
function placesOn(file: string): Map<string, Set<string>> {
  const places = new Map<string, Set<string>>();
  const add = (folder: string, name: string) => places.set(folder, (places.get(folder) ?? new Set()).add(name));
  try {
    let last: { folder: string; name: string } | undefined;
    for (const { folder, name, stats } of wayTo(file)) {
      last = { folder, name };
      if (!stats || stats.isSymbolicLink()) add(folder, name);
    }
    if (last) add(last.folder, last.name);
  } catch {
    // What can be seen is watched; whoever reads the file says why it cannot be.
  }
  return places;
}

/** Who is told of changes; the log is told, once, of what keeps them from being seen. */
export type Watching = (changed: () => void, log: Pick<Logger, "warn">) => void;

/** Watches a file from now on for whoever will listen, which may be a while later: what has changed by then is told at once. */
export function watchAhead(file: string): Watching {
  let missed = false;
  let unseen: { readonly folder: string; readonly error: unknown } | undefined;
  let tell = () => {
    missed = true;
  };
  let warn = () => {};
  new WatchedFile(
    file,
    () => tell(),
    (folder, error) => {
      if (unseen) return;
      unseen = { folder, error };
      warn();
    },
  );
  return (changed, log) => {
    tell = changed;
    warn = () => {
      if (unseen) log.warn(`${unwatched}${remedyFor(unseen.error)}`, { file, ...unseen });
    };
    warn();
    if (missed) changed();
  };
}

const unwatched = "the config file cannot be watched: after a change, send SIGHUP to have it read anew";

/** Of what the system allows a user or a process, how to have more (inotify(7)). */
const remedies: Readonly<Record<string, string>> = {
  ENOSPC: "; a higher fs.inotify.max_user_watches lets it be watched after a restart",
  EMFILE: "; a higher fs.inotify.max_user_instances, or more open files (ulimit -n), let it be watched after a restart",
  EACCES: "; it is watched after a restart where its folder may be read",
};

const remedyFor = (error: unknown): string => remedies[codeOf(error)] ?? "";

const codeOf = (error: unknown): string => String((error as NodeJS.ErrnoException | undefined)?.code);
