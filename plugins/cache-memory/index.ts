import { Cache, definePlugin, Vectors, z } from "../../core/index.ts";
import { MemoryCache } from "./memory-cache.ts";
import { MemoryVectors } from "./memory-vectors.ts";

const mebibyte = 1024 * 1024;
const bytes = z.int().min(0);

export default definePlugin({
  name: "cache-memory",
  summary: "Keeps answers and vectors in the memory of the process.",
  options: z.strictObject({
    maxBytes: bytes
      .default(100 * mebibyte)
      .describe("Bytes of all entries together, each in whole kibibytes; the least recently used go first."),
    maxEntryBytes: bytes
      .optional()
      .describe("Bytes of one entry; larger ones are not kept. A sixteenth of `maxBytes` unless said."),
    maxVectorBytes: bytes.default(50 * mebibyte).describe("Bytes of all vectors together."),
  }),
  provides: [Cache, Vectors],
  setup({ provide }, { maxBytes, maxEntryBytes = Math.floor(maxBytes / 16), maxVectorBytes }) {
    provide(Cache, new MemoryCache({ maxBytes, maxEntryBytes, now: Date.now }));
    provide(Vectors, new MemoryVectors({ maxBytes: maxVectorBytes, now: Date.now }));
  },
});
