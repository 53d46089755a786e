import { definePlugin, dollarsText, Prices, Stage, totalTokens, type Usage, z } from "../../core/index.ts";

/** For tests: every token costs a cent, unless said otherwise; of the model `unpriced` nobody knows what. */
export default definePlugin({
  name: "penny-prices",
  summary: "A cent a token; for tests.",
  options: z.strictObject({
    picodollars: z
      .int()
      .default(10 ** 10)
      .describe("Of a token."),
  }),
  provides: [Prices],
  setup({ hooks, provide }, { picodollars }) {
    const costOf = (model: string | undefined, usage: Usage) => {
      const tokens = totalTokens(usage);
      const known = tokens !== undefined && model !== "unpriced";
      return {
        ...(known && { amount: dollarsText((BigInt(Math.round(tokens * 1000)) * BigInt(picodollars)) / 1000n) }),
        currency: "USD",
        source: "test",
      } as const;
    };
    provide(Prices, { costOf: ({ attempt }, usage) => costOf(attempt.target.model ?? attempt.asked?.model, usage) });
    hooks.cost.tap({ name: "penny-prices", stage: Stage.price }, ({ attempts }) => {
      for (const attempt of attempts)
        if (attempt.usage) attempt.cost = costOf(attempt.target.model ?? attempt.asked?.model, attempt.usage);
    });
  },
});
