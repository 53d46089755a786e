import { randomUUID } from "node:crypto";
import { type FileHandle, mkdir, open, readdir, rename, rm, rmdir, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { type Blob, type BlobsService, blobKey, GatewayError, type Logger } from "../../core/index.ts";

/** Bytes that are read at once. */
const pieceBytes = 5_000_000;

/** Milliseconds after which what was being written is nobody's any more. */
const abandonedAfter = 24 * 60 * 60 * 1000;

const mostTries = 5;

/** Bytes in files of one folder, each below its key. What is being written lies in `tmp` until all of it is durable. */
export class BlobFolder implements BlobsService {
  readonly #folder: string;
  readonly #log: Pick<Logger, "warn" | "info"> | undefined;
  /** Whether the log has been told that nothing can be kept. */
  #isFailing = false;

  constructor(folder: string, log?: Pick<Logger, "warn" | "info">) {
    this.#folder = folder;
    this.#log = log;
  }

  async put(key: string, bytes: AsyncIterable<Buffer>): Promise<number> {
    const place = this.#placeOf(key);
    const draft = join(this.#folder, "tmp", randomUUID());
    try {
      await orDown(mkdir(dirname(draft), { recursive: true }));
      const length = await written(draft, bytes);
      await orDown(moved(draft, place));
      await orDown(synced(dirname(place)));
      this.#works();
      return length;
    } catch (error) {
      await rm(draft, { force: true }).catch(() => undefined);
      if (error instanceof GatewayError && error.code === "store_unavailable") this.#fails(error.cause);
      throw error;
    }
  }

  /** Says why once: clients are not told, and ask again. */
  #fails(error: unknown): void {
    if (!this.#isFailing) this.#log?.warn("files cannot be kept", { folder: this.#folder, error });
    this.#isFailing = true;
  }

  #works(): void {
    if (this.#isFailing) this.#log?.info("files are kept again", { folder: this.#folder });
    this.#isFailing = false;
  }

  async get(
    key: string,
    { from = 0, to = Number.POSITIVE_INFINITY }: { from?: number; to?: number } = {},
  ): Promise<Blob | undefined> {
    const place = this.#placeOf(key);
    const size = await orDown(sizeOf(place));
    if (size === undefined) return undefined;
    const begin = Math.min(from, size);
    const end = Math.max(begin, Math.min(to, size));
    return { length: end - begin, bytes: read(place, begin, end) };
  }

  async remove(key: string): Promise<boolean> {
    const place = this.#placeOf(key);
    try {
      await rm(place);
    } catch (error) {
      if (isAbsent(error)) return false;
      throw down(error);
    }
    // A folder of its own, as each batch has, goes with the last of what was in it.
    if (dirname(place) !== this.#folder) await rmdir(dirname(place)).catch(() => undefined);
    return true;
  }

  /** Takes away what processes that died were writing. */
  async sweep(now: number): Promise<void> {
    const drafts = join(this.#folder, "tmp");
    const names = await readdir(drafts).catch(() => []);
    for (const name of names) {
      const { mtimeMs } = await stat(join(drafts, name)).catch(() => ({ mtimeMs: now }));
      if (now - mtimeMs > abandonedAfter) await rm(join(drafts, name), { force: true });
    }
  }

  #placeOf(key: string): string {
    if (key.length > 200 || !blobKey.test(key) || key.startsWith("tmp"))
      throw new GatewayError("internal", `"${key}" is no key of a blob.`);
    return join(this.#folder, key);
  }
}

async function written(path: string, bytes: AsyncIterable<Buffer>): Promise<number> {
  const file = await orDown(open(path, "wx", 0o600));
  let length = 0;
  try {
    for await (const piece of bytes) length += await orDown(writtenTo(file, piece));
    await orDown(file.sync());
  } finally {
    await file.close();
  }
  return length;
}

async function writtenTo(file: FileHandle, piece: Buffer): Promise<number> {
  for (let at = 0; at < piece.length; ) at += (await file.write(piece, at)).bytesWritten;
  return piece.length;
}

async function* read(path: string, from: number, to: number): AsyncGenerator<Buffer> {
  if (from >= to) return;
  const file = await orDown(open(path, "r"));
  try {
    for (let at = from; at < to; ) {
      const piece = Buffer.allocUnsafe(Math.min(pieceBytes, to - at));
      const { bytesRead } = await orDown(file.read(piece, 0, piece.length, at));
      if (bytesRead === 0) throw down(new Error("the file is shorter than it was"));
      at += bytesRead;
      yield piece.subarray(0, bytesRead);
    }
  } finally {
    await file.close();
  }
}

/** Folders that nothing is in are removed: one may go between being made and being used. */
async function moved(draft: string, place: string): Promise<void> {
  for (let tries = 1; ; tries++) {
    await mkdir(dirname(place), { recursive: true });
    try {
      return await rename(draft, place);
    } catch (error) {
      if (tries === mostTries || !isAbsent(error)) throw error;
    }
  }
}

/** A name is durable once its folder is; not every system lets a folder be opened. */
async function synced(folder: string): Promise<void> {
  const handle = await open(folder, "r").catch(() => undefined);
  await handle?.sync().catch(() => undefined);
  await handle?.close();
}

async function sizeOf(path: string): Promise<number | undefined> {
  try {
    return (await stat(path)).size;
  } catch (error) {
    if (isAbsent(error)) return undefined;
    throw error;
  }
}

const isAbsent = (error: unknown): boolean => error instanceof Error && "code" in error && error.code === "ENOENT";

/** Why the folder fails is for the operator; where it lies is nobody else's business. */
async function orDown<Value>(doing: Promise<Value>): Promise<Value> {
  try {
    return await doing;
  } catch (error) {
    throw down(error);
  }
}

const down = (cause: unknown): GatewayError =>
  new GatewayError("store_unavailable", "The store of files fails.", { retryAfterSeconds: 5 }, { cause });
