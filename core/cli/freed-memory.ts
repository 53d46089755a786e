/**
 * Bytes of a block that the C library asks the system for by itself, whatever it was told before; a little less than the most
 * that it learns from (DEFAULT_MMAP_THRESHOLD_MAX of glibc, 32 MiB).
 */
const learnedFrom = 32 * 1024 * 1024 - 64 * 1024;

/**
 * Has the C library keep up to 64 MiB of freed memory for what comes next, instead of giving it back. glibc gives back what is
 * above 128 KiB at the end of its heap, until a block that it had from the system is freed: from then on blocks up to that size
 * are kept, and twice as much at the end (mallopt(3), M_MMAP_THRESHOLD). Bodies are such blocks, and whatever was given back is
 * had again page by page (decision 0045). The block is never written to, and takes no memory; the next collection of garbage
 * frees it. Other C libraries are not moved by it.
 */
export function keepFreedMemory(): void {
  Buffer.allocUnsafeSlow(learnedFrom);
}
