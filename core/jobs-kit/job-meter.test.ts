import { expect, it } from "vitest";
import type { Attempt, BoundProvider, Exchange, Format, PricesService } from "../index.ts";
import { JobMeter } from "./job-meter.ts";

const format = {
  name: "chat",
  marks: [["usage.tokens"]],
  jobs: { places: [], answerIn: ({ body }: { readonly body?: unknown }) => ({ body, failed: false }) },
  readUsage: () => ({ inputTokens: 1 }),
} as unknown as Format;
const prices = {
  costOf: ({ attempt }) => ({
    ...(attempt.target.model !== "odd" && { amount: "0.5" }),
    ...({ currency: "USD", source: "catalogue" } as const),
  }),
} as Pick<PricesService, "costOf"> as PricesService;

/** What is told of lines by these models, each with usage; undefined is a line that says nothing. */
async function costOf(models: readonly (string | undefined)[]) {
  const attempt: Attempt = { target: { path: "config", provider: {} as BoundProvider }, startedAt: 0 };
  const formats = new Map([["chat", format]]);
  const meter = new JobMeter({ exchange: {} as Exchange, attempt, formats, prices });
  for (const model of models) {
    const body = model === undefined ? {} : { model, usage: { tokens: 1 } };
    meter.line(JSON.stringify({ body }));
  }
  return (await meter.total())?.cost;
}

it("of a job that is not known as a whole what is known is kept", async () => {
  expect(await costOf(["m", "m"])).toMatchObject({ amount: "1" });
  for (const unknown of [undefined, "odd"]) {
    const cost = await costOf(["m", unknown, "m"]);
    expect([cost?.amount, cost?.atLeast]).toEqual([undefined, "1"]);
  }
});
