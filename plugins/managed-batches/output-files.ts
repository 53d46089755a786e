import { type BlobsService, type ManagedFilesService, managedFilePrefix } from "../../core/index.ts";
import { type BatchDocument, batchPrefix, type Parts } from "./document.ts";
import type { HeldBatch } from "./store.ts";

export type OutputKind = keyof Parts;
const kinds = ["output", "error"] as const satisfies readonly OutputKind[];

/** What a part of a file holds at most before the next one is begun. */
const partBytes = 5_000_000;

interface Stores {
  readonly blobs: BlobsService;
  readonly files: ManagedFilesService;
}

const uuidOf = (id: string): string => id.slice(batchPrefix.length);

/** Where a batch has what is not yet a file of anybody's. */
export const keyOf = (id: string, name: string): string => `batches/${uuidOf(id)}/${name}`;

/** Writes output and errors in parts: each is whole or not there, and one that is written anew replaces itself. */
export class PartWriter {
  readonly #id: string;
  readonly #blobs: BlobsService;
  readonly #held: Record<OutputKind, string[]> = { output: [], error: [] };
  readonly #size: Record<OutputKind, number> = { output: 0, error: 0 };
  #parts: Parts;

  constructor(id: string, parts: Parts, blobs: BlobsService) {
    this.#id = id;
    this.#parts = parts;
    this.#blobs = blobs;
  }

  /** Adds a line, which ends with its line feed. */
  async add(kind: OutputKind, line: string): Promise<void> {
    this.#held[kind].push(line);
    this.#size[kind] += line.length;
    if (this.#size[kind] >= partBytes) await this.#write(kind);
  }

  /** Writes what is left. What is returned is how many parts there are then. */
  async flush(): Promise<Parts> {
    for (const kind of kinds) if (this.#held[kind].length > 0) await this.#write(kind);
    return this.#parts;
  }

  async #write(kind: OutputKind): Promise<void> {
    const text = this.#held[kind].join("");
    const at = this.#parts[kind];
    await this.#blobs.put(partKey(this.#id, kind, at), once(Buffer.from(text)));
    this.#held[kind] = [];
    this.#size[kind] = 0;
    this.#parts = { ...this.#parts, [kind]: at + 1 };
  }
}

/** Makes files of the parts; those that have none are not made. The same parts always make the same files. */
export async function joined(
  batch: HeldBatch,
  { blobs, files }: Stores,
  now: number,
): Promise<Pick<BatchDocument, "outputFileId" | "errorFileId">> {
  const { id, tenant, document } = batch;
  const { parts } = document.progress;
  const { outputLifetime } = document.asked;
  const expiresAt = outputLifetime === undefined ? undefined : Math.floor(now / 1000) + outputLifetime;
  const made: Partial<Record<OutputKind, string>> = {};
  for (const kind of kinds) {
    if (parts[kind] === 0) continue;
    const file = await files.keep({
      tenant,
      id: fileIdOf(id, kind),
      filename: `${id}_${kind}.jsonl`,
      purpose: "batch_output",
      content: contentOf(id, kind, parts[kind], blobs),
      expiresAt,
    });
    made[kind] = file.id;
  }
  return {
    ...(made.output !== undefined && { outputFileId: made.output }),
    ...(made.error !== undefined && { errorFileId: made.error }),
  };
}

/** Takes away what is in files now, and parts behind it of somebody who died before they were counted. */
export async function removeParts({ id, document }: HeldBatch, blobs: BlobsService): Promise<void> {
  await blobs.remove(keyOf(id, "input"));
  for (const kind of kinds) {
    const counted = document.progress.parts[kind];
    for (let at = 0, more = true; more; at++) more = (await blobs.remove(partKey(id, kind, at))) || at < counted;
  }
}

const partKey = (id: string, kind: OutputKind, at: number): string => keyOf(id, `${kind}-${at}`);

/** An id that a second try comes to again: some digits of the batch's own are turned around. */
function fileIdOf(id: string, kind: OutputKind): string {
  const uuid = uuidOf(id);
  const turned = (Number.parseInt(uuid.slice(0, 8), 16) ^ (kind === "output" ? 0x0f0f0f0f : 0x70f0f0f0)) >>> 0;
  return `${managedFilePrefix}${turned.toString(16).padStart(8, "0")}${uuid.slice(8)}`;
}

async function* contentOf(id: string, kind: OutputKind, count: number, blobs: BlobsService): AsyncGenerator<Buffer> {
  for (let at = 0; at < count; at++) {
    const part = await blobs.get(partKey(id, kind, at));
    if (!part) throw new Error(`part ${at} of the ${kind} of ${id} is gone`);
    yield* part.bytes;
  }
}

async function* once(bytes: Buffer): AsyncGenerator<Buffer> {
  yield bytes;
}
