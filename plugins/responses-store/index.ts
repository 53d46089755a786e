import { definePlugin, isAnswer, Records, Stage, settleTap, z } from "../../core/index.ts";
import { Background, type Unbilled } from "./background.ts";
import { endpoints, refuseElsewhere } from "./endpoints.ts";
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
      refuseElsewhere(exchange);
      settleTap(keeper.prepare(seen, exchange), done);
    });
    hooks.beforeRequest.tap({ name: "responses-store", stage: Stage.guarded }, (seen, exchange) => {
      if (!isAnswer(seen)) keeper.guarded(seen, exchange);
      return seen;
    });
    hooks.streamChunk.tap({ name: "responses-store", when: keeper.wants }, (chunks, exchange) =>
      keeper.announce(chunks, exchange),
    );
    const settled = { name: "responses-store", stage: Stage.settle, when: keeper.wants };
    hooks.afterRequest.tapPromise(settled, (answer, exchange) => keeper.keep(answer, exchange));
    hooks.cost.tapAsync({ name: "responses-store", stage: Stage.enrich, when: keeper.awaits }, (exchange, done) => {
      settleTap(keeper.ended(exchange), done);
    });
    const unbilled = service(Records).collection<Unbilled>({ name: "background_responses", schemaVersion: 1 });
    const background = new Background({ collection: unbilled, formats, log, now: Date.now });
    const begun = { name: "responses-store", stage: Stage.enrich, when: background.mayBegin };
    hooks.cost.tapAsync(begun, (exchange, done) => settleTap(background.begun(exchange), done));
    for (const one of endpoints(keeper, background)) endpoint(one);
  },
});
