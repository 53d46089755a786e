import { expect, it } from "vitest";
import { picodollarsOfCents, ratioOf, zero } from "../arithmetic/ratio.ts";
import { centsText } from "../testing.ts";
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
