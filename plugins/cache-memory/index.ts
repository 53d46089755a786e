import { Cache, definePlugin, serviceToken, Vectors, z } from "../../core/index.ts";
import { MemoryCache } from "./memory-cache.ts";
import { MemoryVectors } from "./memory-vectors.ts";

const mebibyte = 1024 * 1024;
const bytes = z.int().min(0);

/** What is kept, with how much it may be. */
interface Kept {
  readonly bounds: string;
  readonly cache: MemoryCache;
  readonly vectors: MemoryVectors;
}

const Last = serviceToken<{ kept?: Kept }>("kept");

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
  setup({ provide, kept, onServing }, { maxBytes, maxEntryBytes = Math.floor(maxBytes / 16), maxVectorBytes }) {
    const last = kept(Last, (): { kept?: Kept } => ({}));
    const bounds = `${maxBytes} ${maxEntryBytes} ${maxVectorBytes}`;
    // A reload leaves what is kept where it is: keys say all that an answer depends on. Other bounds begin anew.
    const own =
      last.kept?.bounds === bounds
        ? last.kept
        : {
            bounds,
            cache: new MemoryCache({ maxBytes, maxEntryBytes, now: Date.now }),
            vectors: new MemoryVectors({ maxBytes: maxVectorBytes, now: Date.now }),
          };
    onServing(() => {
      last.kept = own;
    });
    provide(Cache, own.cache);
    provide(Vectors, own.vectors);
  },
});
