import { isFile, readForm } from "../../core/provider-kit/index.ts";
import { Refusal, textIn, type Wire } from "./wire.ts";
import { created, digestOf } from "./words.ts";

/** What is kept: this much, and no more. The oldest make room. */
const mostFiles = 100;
const mostBytes = 32 * 1024 * 1024;
/** Bytes of one upload, its form included. */
export const largestUpload = 16 * 1024 * 1024;

export interface KeptFile {
  readonly record: Wire & { readonly id: string };
  readonly bytes: Buffer;
}

/** Files in memory, of one process, for as long as its config is not reloaded. */
export class Files {
  readonly #kept = new Map<string, KeptFile>();
  #bytes = 0;

  /** The file of a form. The same one again is the same file. */
  upload(form: Buffer, contentType: string): Wire {
    const parts = readForm(form, contentType);
    const file = parts.find(({ name }) => name === "file")?.value;
    const purpose = parts.find(({ name }) => name === "purpose")?.value;
    if (!isFile(file)) throw new Refusal(400, "file is required.");
    if (typeof purpose !== "string") throw new Refusal(400, "purpose is required.");
    return this.keep(file.filename, purpose, Buffer.from(file.bytes));
  }

  keep(filename: string, purpose: string, bytes: Buffer): Wire & { readonly id: string } {
    const id = `file-${digestOf(filename, purpose, bytes).slice(0, 24)}`;
    const record = {
      id,
      object: "file",
      bytes: bytes.length,
      created_at: created,
      filename,
      purpose,
      status: "processed",
    };
    this.remove(id);
    this.#kept.set(id, { record, bytes });
    this.#bytes += bytes.length;
    for (const oldest of this.#kept.keys()) {
      if (this.#kept.size <= mostFiles && this.#bytes <= mostBytes) break;
      this.remove(oldest);
    }
    return record;
  }

  find(id: string): KeptFile {
    const found = this.#kept.get(id);
    if (found) return found;
    throw new Refusal(404, `No such File object: ${id}`);
  }

  remove(id: string): boolean {
    const found = this.#kept.get(id);
    if (found) this.#bytes -= found.bytes.length;
    return this.#kept.delete(id);
  }

  /** The newest first. */
  list(purpose: string | null): Wire[] {
    const all = [...this.#kept.values()].map(({ record }) => record).reverse();
    return purpose === null ? all : all.filter((record) => textIn(record.purpose) === purpose);
  }
}
