import { countedTokens, definePlugin, Stage, z } from "../../core/index.ts";

/** What a call of a vendor was and said it used. */
export interface CallMade {
  /** Slug of the provider. */
  readonly provider: string;
  readonly tokens: bigint;
  readonly isSent: boolean;
}

/** All calls of requests that are over, of rivals and copies too, since somebody emptied it. */
export const callsMade: CallMade[] = [];

/** For tests: tells what records say of calls. */
export default definePlugin({
  name: "calls-made",
  summary: "Tells what records say of calls; for tests.",
  options: z.strictObject({}),
  setup({ hooks }) {
    hooks.cost.tap({ name: "calls-made", stage: Stage.record }, ({ attempts }) => {
      for (const { target, usage, sentAt } of attempts)
        callsMade.push({
          provider: target.provider.slug,
          tokens: countedTokens(usage),
          isSent: sentAt !== undefined,
        });
    });
  },
});
