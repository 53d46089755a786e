import { definePlugin, dollarsText, Prices, Stage, totalTokens, type Usage, z } from "../../core/index.ts";

/** For tests: every token costs a cent, of the model `unpriced` nobody knows what. */
export default definePlugin({
  name: "penny-prices",
  summary: "A cent a token; for tests.",
  options: z.strictObject({}),
  provides: [Prices],
  setup({ hooks, provide }) {
    const costOf = (model: string | undefined, usage: Usage) => {
      const tokens = totalTokens(usage);
      const known = tokens !== undefined && model !== "unpriced";
      return {
        ...(known && { amount: dollarsText(BigInt(tokens) * 10n ** 10n) }),
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
