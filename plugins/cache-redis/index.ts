import { Cache, definePlugin, Redis, Vectors, z } from "../../core/index.ts";
import { RedisCache } from "./redis-cache.ts";
import { RedisVectors } from "./redis-vectors.ts";

export default definePlugin({
  name: "cache-redis",
  summary: "Keeps answers and vectors in Redis, for all workers and machines of a deployment.",
  options: z.strictObject({
    maxEntryBytes: z
      .int()
      .min(0)
      .default(8 * 1024 * 1024)
      .describe("Bytes of one entry; larger ones are not kept."),
    maxVectors: z
      .int()
      .min(1)
      .default(500)
      .describe("Vectors of one space. All of them are fetched for every question that has no exact entry."),
  }),
  needs: [Redis],
  provides: [Cache, Vectors],
  setup({ service, provide, log }, { maxEntryBytes, maxVectors }) {
    const redis = service(Redis);
    provide(Cache, new RedisCache({ redis, log, maxEntryBytes }));
    provide(Vectors, new RedisVectors({ redis, log, maxVectors, now: Date.now }));
  },
});
