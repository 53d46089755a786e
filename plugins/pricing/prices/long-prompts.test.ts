import { expect, it } from "vitest";
import { picodollarsOfCents, ratioOf, zero } from "../arithmetic/ratio.ts";
import { centsText } from "../testing.ts";
import { pricingObject, sheetOf } from "./pricing-object.ts";
import { Tariff } from "./tariff.ts";

it("prices batches and service tiers of long prompts as long prompts, but for what they say themselves", () => {
  const rates = (request: number, response: number) => ({
    request_token: ratioOf(request),
    response_token: ratioOf(response),
  });
  const sheet = {
    rates: rates(2, 8),
    bands: [{ above: 10, rates: rates(4, 12) }],
    batch: { request_token: ratioOf(1) },
    tiers: { flex: { request_token: ratioOf(3) } },
  };
  const tariff = new Tariff(sheet);
  const cents = (inputTokens: number, circumstances: object) =>
    picodollarsOfCents(tariff.cents({ inputTokens, outputTokens: 1 }, circumstances) ?? zero);
  const flex = { tier: () => "flex" };
  expect([cents(10, { batch: true }), cents(10, flex)]).toEqual([centsText("14"), centsText("38")]);
  expect([cents(11, { batch: true }), cents(11, flex)]).toEqual([centsText("17"), centsText("45")]);
});

it("are read back from a list as it is shown: another gateway's is a source of prices", () => {
  const shown = {
    pay_as_you_go: { request_token: { price: 0.25 } },
    tiers: [
      { above_prompt_tokens: 200_000, pay_as_you_go: { request_token: { price: 0.5 } } },
      { above_prompt_tokens: 400_000, pay_as_you_go: { request_token: { price: 1 } } },
    ],
    currency: "USD",
  };
  expect(pricingObject(sheetOf({ ...shown, tiers: shown.tiers.toReversed() }))).toEqual(shown);
  const cents = (inputTokens: number) => new Tariff(sheetOf(shown)).cents({ inputTokens });
  expect([200_000, 200_001, 400_001].map(cents).map((one) => Number(one?.over) / Number(one?.under))).toEqual([
    50_000, 100_000.5, 400_001,
  ]);
});
