import { boundaryIn, malformed, type PartHead, readHead } from "./form.ts";

/** A part of a form that is still arriving. Its bytes are read to their end before the next part, or not at all. */
export interface StreamedPart extends PartHead {
  readonly bytes: AsyncIterable<Buffer>;
}

/** Bytes of the headers of a part at most. */
const longestHead = 16 * 1024;
/** Bytes in front of the first boundary at most. */
const longestPreamble = 1024;

/**
 * The parts of a multipart form (RFC 7578) as they arrive: no more of it is held than the piece that came last. Throws
 * `invalid_request` where it is no form, or ends before its last boundary.
 *
 * preamble → (head → bytes)* → end
 */
export async function* formParts(source: AsyncIterable<Buffer>, contentType: string): AsyncGenerator<StreamedPart> {
  // The line end in front of a boundary belongs to it; the first one has none.
  const delimiter = Buffer.from(`\r\n--${boundaryIn(contentType)}`);
  const window = new Window(source, Buffer.from("\r\n"));
  if (!(await window.skipTo(delimiter, longestPreamble))) malformed("its boundary is not in it");
  for (;;) {
    const next = (await window.take(2)).toString("latin1");
    if (next === "--") return;
    if (next !== "\r\n") malformed("a boundary stands in the middle of a line");
    const head = readHead((await window.takeTo(headEnd, longestHead)).toString());
    const bytes = window.until(delimiter);
    yield { ...head, bytes };
    for await (const _ of bytes);
  }
}

const headEnd = Buffer.from("\r\n\r\n");
const noEnd = () => malformed("it has no end");

/** A look at bytes that are arriving. */
class Window {
  readonly #source: AsyncIterator<Buffer>;
  #held: Buffer;

  constructor(source: AsyncIterable<Buffer>, before: Buffer) {
    this.#source = source[Symbol.asyncIterator]();
    this.#held = before;
  }

  /** False at the end. */
  async #more(): Promise<boolean> {
    const { done, value } = await this.#source.next();
    if (done) return false;
    this.#held = this.#held.length === 0 ? value : Buffer.concat([this.#held, value]);
    return true;
  }

  async take(length: number): Promise<Buffer> {
    while (this.#held.length < length) if (!(await this.#more())) noEnd();
    return this.#cut(length, length);
  }

  /** Skips everything up to and with a mark; false where it does not come within so many bytes. */
  async skipTo(mark: Buffer, limit: number): Promise<boolean> {
    for (;;) {
      const at = this.#held.indexOf(mark);
      if (at >= 0) {
        this.#cut(at, at + mark.length);
        return true;
      }
      if (this.#held.length > limit + mark.length || !(await this.#more())) return false;
    }
  }

  /** What stands before a mark, which stays as the possible beginning of what follows: a part may be empty. */
  async takeTo(mark: Buffer, limit: number): Promise<Buffer> {
    let at = this.#held.indexOf(mark);
    while (at < 0) {
      if (this.#held.length > limit) malformed(`the headers of a part are longer than ${limit} bytes`);
      if (!(await this.#more())) noEnd();
      at = this.#held.indexOf(mark);
    }
    return this.#cut(at, at + 2);
  }

  /** What stands before a delimiter, less the blank line in front; the delimiter is taken, too. */
  async *until(delimiter: Buffer): AsyncGenerator<Buffer> {
    while (this.#held.length < delimiter.length) if (!(await this.#more())) noEnd();
    if (this.#held.indexOf(delimiter) === 0) return void this.#cut(0, delimiter.length);
    this.#cut(0, 2);
    for (;;) {
      const at = this.#held.indexOf(delimiter);
      if (at >= 0) {
        const last = this.#cut(at, at + delimiter.length);
        if (last.length > 0) yield last;
        return;
      }
      const sure = this.#held.length - delimiter.length + 1;
      if (sure > 0) yield this.#cut(sure, sure);
      if (!(await this.#more())) noEnd();
    }
  }

  /** The first `length` bytes; what is held begins at `from` afterwards. */
  #cut(length: number, from: number): Buffer {
    const taken = this.#held.subarray(0, length);
    this.#held = this.#held.subarray(from);
    return taken;
  }
}
