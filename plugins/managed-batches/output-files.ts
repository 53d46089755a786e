import { type BlobsService, type ManagedFilesService, managedFilePrefix } from "../../core/index.ts";
import { type BatchDocument, batchPrefix, type Parts, type Progress } from "./document.ts";
import type { HeldBatch } from "./store.ts";

export type OutputKind = keyof Parts;
const kinds = ["output", "error"] as const satisfies readonly OutputKind[];

/** What a part of a file holds at most before the next one is begun. */
export const partBytes = 5_000_000;

interface Stores {
  readonly blobs: BlobsService;
  readonly files: ManagedFilesService;
}

const uuidOf = (id: string): string => id.slice(batchPrefix.length);

/** Where a batch has what is not yet a file of anybody's: whoever took it over writes under other names. */
const keyOf = (id: string, name: string, takeovers: number): string =>
  `batches/${uuidOf(id)}/${name}${takeovers > 0 ? `-${takeovers}` : ""}`;

const partKey = (id: string, kind: OutputKind, at: number, takeovers: number): string =>
  keyOf(id, `${kind}-${at}`, takeovers);

export const takeoversOf = ({ progress }: BatchDocument): number => progress.takeovers?.length ?? 0;

/** Where this process writes the rows that a provider is given. */
export const ownInputKey = ({ id, document }: HeldBatch): string => keyOf(id, "input", takeoversOf(document));

/** Where they are once all of them are written. */
export const inputKey = ({ id, document }: HeldBatch): string => keyOf(id, "input", document.job.inputBy ?? 0);

/** Writes output and errors in parts: each is whole or not there, and one that is written anew replaces itself. */
export class PartWriter {
  readonly #id: string;
  readonly #takeovers: number;
  readonly #blobs: BlobsService;
  readonly #held: Record<OutputKind, string[]> = { output: [], error: [] };
  readonly #size: Record<OutputKind, number> = { output: 0, error: 0 };
  #parts: Parts;

  constructor({ id, document }: HeldBatch, parts: Parts, blobs: BlobsService) {
    this.#id = id;
    this.#takeovers = takeoversOf(document);
    this.#parts = parts;
    this.#blobs = blobs;
  }

  /** Adds a line, which ends with its line feed. */
  add(kind: OutputKind, line: string): Promise<unknown> {
    this.hold(kind, line);
    return this.flush(partBytes);
  }

  /** The same without writing anything. */
  hold(kind: OutputKind, line: string): void {
    this.#held[kind].push(line);
    this.#size[kind] += line.length;
  }

  /**
   * Writes what is left, where it is this much. What is returned is how many parts there are then. Where that fails, nothing is
   * lost: it can be tried again.
   */
  async flush(least = 1): Promise<Parts> {
    for (const kind of kinds) if (this.#size[kind] >= least) await this.#write(kind);
    return this.#parts;
  }

  async #write(kind: OutputKind): Promise<void> {
    const text = this.#held[kind].join("");
    const at = this.#parts[kind];
    await this.#blobs.put(partKey(this.#id, kind, at, this.#takeovers), once(Buffer.from(text)));
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
      content: contentOf(id, kind, document.progress, blobs),
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
  const { parts, takeovers = [] } = document.progress;
  let from: Parts = { output: 0, error: 0 };
  for (const [by, counted] of [...takeovers, parts].entries()) {
    await blobs.remove(keyOf(id, "input", by));
    for (const kind of kinds)
      for (let at = from[kind], more = true; more; at++)
        more = (await blobs.remove(partKey(id, kind, at, by))) || at < counted[kind];
    from = counted;
  }
}

/** Takes away what a process has written of a batch that it has lost, and that nobody has counted. */
export async function removeUncounted({ id, document: own }: HeldBatch, now: BatchDocument, blobs: BlobsService) {
  const by = takeoversOf(own);
  const counted = now.progress.takeovers?.[by];
  // Nobody writes under these names any more.
  if (!counted) return;
  const isInput = now.active && now.job.denied !== undefined && (now.job.inputBy ?? 0) === by;
  if (!isInput) await blobs.remove(keyOf(id, "input", by));
  for (const kind of kinds) for (let at = counted[kind]; await blobs.remove(partKey(id, kind, at, by)); at++);
}

/** An id that a second try comes to again: some digits of the batch's own are turned around. */
function fileIdOf(id: string, kind: OutputKind): string {
  const uuid = uuidOf(id);
  const turned = (Number.parseInt(uuid.slice(0, 8), 16) ^ (kind === "output" ? 0x0f0f0f0f : 0x70f0f0f0)) >>> 0;
  return `${managedFilePrefix}${turned.toString(16).padStart(8, "0")}${uuid.slice(8)}`;
}

async function* contentOf(
  id: string,
  kind: OutputKind,
  { parts, takeovers = [] }: Progress,
  blobs: BlobsService,
): AsyncGenerator<Buffer> {
  for (let at = 0, by = 0; at < parts[kind]; at++) {
    for (let until = takeovers[by]; until && until[kind] <= at; until = takeovers[by]) by++;
    const part = await blobs.get(partKey(id, kind, at, by));
    if (!part) throw new Error(`part ${at} of the ${kind} of ${id} is gone`);
    yield* part.bytes;
  }
}

async function* once(bytes: Buffer): AsyncGenerator<Buffer> {
  yield bytes;
}
