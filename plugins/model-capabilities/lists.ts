import { readFile, stat } from "node:fs/promises";
import { basename, isAbsolute, join } from "node:path";
import { type Ask, askForList, type Fields, isRecord, type Logger, maskedUrl } from "../../core/index.ts";

/** What models of a vendor take and can do, by model; `default` is for what an entry says nothing of. */
export type Capabilities = ReadonlyMap<string, Readonly<Fields>>;

export interface ListsInput {
  /** Folders of `vendor.json`, and such files. */
  readonly sources: readonly string[];
  /** Serves `{address}/general/{vendor}`; asked before the others. */
  readonly address?: string;
  /** Milliseconds after which a list is read again. */
  readonly refresh: number;
  /** What relative paths begin at. */
  readonly folder: string;
  readonly ask: Ask;
  readonly log: Pick<Logger, "warn">;
  readonly now: () => number;
}

interface Kept {
  readonly at: number;
  readonly list: Promise<Capabilities>;
}

const none: Capabilities = new Map();

/** The lists of an operator's own (operations.md section 3.11), each read when it is first asked for. */
export class CapabilityLists {
  readonly #input: ListsInput;
  readonly #kept = new Map<string, Kept>();

  constructor(input: ListsInput) {
    this.#input = input;
  }

  /** The list of a vendor that there is. Of a model in several sources the first one counts. */
  of(vendor: string): Promise<Capabilities> {
    const { now, refresh } = this.#input;
    const kept = this.#kept.get(vendor);
    if (kept && now() - kept.at < refresh) return kept.list;
    const list = this.#read(vendor, kept?.list);
    this.#kept.set(vendor, { at: now(), list });
    return list;
  }

  /** Where a source fails, its models are what they were before. */
  async #read(vendor: string, before: Promise<Capabilities> | undefined): Promise<Capabilities> {
    const { sources, address, log } = this.#input;
    const reads = [
      ...(address === undefined ? [] : [() => this.#fetched(`${address.replace(/\/+$/, "")}/general/${vendor}`)]),
      ...sources.map((source) => () => this.#local(source, vendor)),
    ];
    const all = new Map<string, Readonly<Fields>>();
    for (const read of reads) {
      const found = await read().catch((error: unknown) => {
        log.warn("a list of what models can do could not be read", { vendor, error });
        return before ?? none;
      });
      for (const [model, entry] of found) if (!all.has(model)) all.set(model, entry);
    }
    return all;
  }

  async #local(source: string, vendor: string): Promise<Capabilities> {
    const path = isAbsolute(source) ? source : join(this.#input.folder, source);
    const isFolder = (await stat(path)).isDirectory();
    if (!isFolder && basename(path) !== `${vendor}.json`) return none;
    try {
      return capabilitiesIn(await readFile(isFolder ? join(path, `${vendor}.json`) : path, "utf8"));
    } catch (error) {
      if (isFolder && isRecord(error) && error.code === "ENOENT") return none;
      throw error;
    }
  }

  async #fetched(url: string): Promise<Capabilities> {
    const { status, text } = await askForList(this.#input.ask, url);
    if (status === 404) return none;
    if (status !== 200) throw new Error(`${maskedUrl(url)} answered ${status}`);
    return capabilitiesIn(text);
  }
}

/** Entries that are none (a name of the vendor, a description) are left out. */
function capabilitiesIn(text: string): Capabilities {
  const list: unknown = JSON.parse(text);
  if (!isRecord(list)) throw new TypeError('a list is an object of models: {MODEL: {"params": […], "type": {…}}}');
  return new Map(Object.entries(list).filter((entry): entry is [string, Fields] => isRecord(entry[1])));
}
