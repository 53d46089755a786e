import { describe, expect, it } from "vitest";
import { type Ratio, ratioOf } from "../arithmetic/ratio.ts";
import { payAsYouGo } from "../testing.ts";
import { sheetOf } from "./pricing-object.ts";
import { Tariff } from "./tariff.ts";

const same = (one: Ratio, other: Ratio) => one.over * other.under === other.over * one.under;

describe("a call that does not say what it used", () => {
  it.each<[string, object, number, boolean?]>([
    ["a price per call, where that is all", payAsYouGo({}, { request: 2 }), 2],
    ["half of it in a batch", payAsYouGo({}, { request: 2 }), 1, true],
    ["a price per call, where tokens cost nothing", payAsYouGo({ request_token: 0 }, { request: 2 }), 2],
    ["nothing, where nothing costs anything", payAsYouGo({ request_token: 0, response_token: 0 }), 0],
  ])("costs %s", (_, prices, cents, batch = false) => {
    const flat = new Tariff(sheetOf(prices)).flatCents({ batch });
    expect(flat && same(flat, ratioOf(cents))).toBe(true);
  });

  it.each<[string, object]>([
    ["of tokens, too", payAsYouGo({ request_token: 1 }, { request: 2 })],
    ["of searches", payAsYouGo({}, { web_search: 1 })],
    ["of images", { pay_as_you_go: { image: { default: { default: { price: 12 } } } } }],
    ["of nothing", payAsYouGo({})],
  ])("costs nobody knows what, where there are prices %s", (_, prices) => {
    expect(new Tariff(sheetOf(prices)).flatCents({})).toBeUndefined();
  });
});
