import { type Answer, definePlugin, type GatewayRequest, Records, Stage, z } from "../../core/index.ts";
import { endpoints } from "./endpoints.ts";
import { Keeper } from "./keeper.ts";
import type { KeptResponse } from "./kept-response.ts";

const days = 24 * 60 * 60;

export default definePlugin({
  name: "responses-store",
  summary: "Keeps responses for providers that keep none, so that previous_response_id works with all of them.",
  options: z.strictObject({
    seconds: z
      .int()
      .min(60)
      .default(30 * days)
      .describe("How long a response is kept."),
  }),
  needs: [Records],
  setup({ hooks, service, formats, log, endpoint }, { seconds }) {
    const collection = service(Records).collection<KeptResponse>({ name: "responses", schemaVersion: 1 });
    const keeper = new Keeper({ collection, formats, log, seconds, now: Date.now });
    hooks.beforeRequest.tapAsync({ name: "responses-store", stage: Stage.enrich }, (seen, exchange, done) => {
      if (isAnswer(seen)) return done(null, seen);
      try {
        const prepared = keeper.prepare(seen, exchange);
        if (prepared instanceof Promise) prepared.then((request) => done(null, request), done);
        else done(null, prepared);
      } catch (error) {
        done(error as Error);
      }
    });
    hooks.streamChunk.tap({ name: "responses-store", when: keeper.wants }, (chunks, exchange) =>
      keeper.announce(chunks, exchange),
    );
    const settled = { name: "responses-store", stage: Stage.settle, when: keeper.wants };
    hooks.afterRequest.tapPromise(settled, (answer, exchange) => keeper.keep(answer, exchange));
    hooks.cost.tapAsync({ name: "responses-store", stage: Stage.enrich }, (exchange, done) => {
      const ended = keeper.ended(exchange);
      if (ended) ended.then(() => done(), done);
      else done();
    });
    for (const one of endpoints(keeper)) endpoint(one);
  },
});

const isAnswer = (seen: GatewayRequest | Answer): seen is Answer => "kind" in seen;
