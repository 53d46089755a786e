import {
  Cache,
  definePlugin,
  isAnswer,
  OptionsError,
  Routing,
  Stage,
  settleTap,
  unknownProvider,
  Vectors,
  z,
} from "../../core/index.ts";
import { AnswerCache } from "./answer-cache.ts";
import { whyNoEmbeddings } from "./no-embeddings.ts";
import { cachePolicy } from "./policy.ts";
import { Semantic } from "./semantic.ts";

const milliseconds = z.int().min(1);

const semantic = z.strictObject({
  provider: z.string().min(1).describe("Slug of the provider that makes embeddings."),
  model: z.string().min(1).describe("Its embedding model."),
  threshold: z.number().min(0).max(1).default(0.95).describe("Cosine from which on two questions count as the same."),
  dimensions: z.int().min(1).optional().describe("Numbers of a vector, where the model lets one choose."),
  deadline: milliseconds
    .default(2000)
    .describe("Milliseconds an embedding may take; after that only the same will do."),
});

export default definePlugin({
  name: "cache",
  summary: "Adds the cache to the routing config: answers what was asked before without asking a provider.",
  options: z.strictObject({
    maxAge: z
      .int()
      .min(60)
      .max(25_923_000)
      .optional()
      .describe("Seconds an answer is kept at most, and where a config names no `max_age`; a week there unless said."),
    deadline: milliseconds.default(250).describe("Milliseconds a request waits for a store that is not in memory."),
    semantic: semantic.optional().describe("Who makes embeddings for `mode: semantic`; without it that is `simple`."),
  }),
  needs: [Routing, Cache],
  uses: [Vectors],
  setup(
    { hooks, service, offered, call, providers, formats, onReady, onClose, log },
    { maxAge, deadline, semantic: meant },
  ) {
    const vectors = offered(Vectors);
    const cache = new AnswerCache({
      store: service(Cache),
      semantic:
        meant && vectors && new Semantic(vectors, call, { ...meant, embeddingDeadline: meant.deadline, deadline }),
      deadline,
      maxAge,
      log,
      formats,
    });
    onReady(() => {
      const needsVectors = "needs a plugin that keeps vectors: cache-memory or cache-redis";
      if (meant && !vectors) throw new OptionsError({ path: ["semantic"], message: needsVectors });
      if (!meant) return;
      const embedder = providers.configured(meant.provider);
      if (!embedder)
        throw new OptionsError({
          path: ["semantic", "provider"],
          message: unknownProvider(meant.provider, providers),
        });
      // Requests go on without it, and would not say so.
      const why = whyNoEmbeddings(embedder);
      if (why !== undefined)
        log.warn("semantic caches find the same questions only, for want of embeddings", {
          provider: meant.provider,
          why,
        });
    });
    onClose(() => cache.settled());
    service(Routing).field({ name: "cache", schema: cachePolicy, inherit: "nearest" });
    hooks.beforeRequest.tapAsync({ name: "cache", stage: Stage.cache }, (seen, exchange, done) => {
      if (isAnswer(seen)) return done(null, seen);
      settleTap(cache.find(seen, exchange), done);
    });
    // After everybody who may still change the answer: what is kept is what the client gets.
    hooks.afterRequest.tap(
      { name: "cache", stage: Stage.record, when: cache.wants, bytesWillDo: true },
      (answer, exchange) => {
        cache.hold(answer, exchange);
        return answer;
      },
    );
    hooks.cost.tap({ name: "cache", stage: Stage.enrich, when: cache.holds, withoutUsage: true }, (exchange) =>
      cache.keep(exchange),
    );
  },
});
