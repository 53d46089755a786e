/** Counts bytes on their way. */
export function countedBytes(bytes: AsyncIterable<Buffer>): { readonly bytes: AsyncIterable<Buffer>; count(): number } {
  let count = 0;
  async function* counting(): AsyncGenerator<Buffer> {
    for await (const piece of bytes) {
      count += piece.length;
      yield piece;
    }
  }
  return { bytes: counting(), count: () => count };
}
