import { expect, it } from "vitest";
import { chargedIn, writtenCharge } from "./charged.ts";

it.each<[object, string[] | undefined]>([
  [{ cost: 0.00014 }, ["0.00014"]],
  [{ cost: 1e-7 }, ["1e-7"]],
  [{ cost: 0 }, ["0"]],
  [{ cost: 0.01, is_byok: false, cost_details: { upstream_inference_cost: 0.01 } }, ["0.01"]],
  [{ cost: 0.0005, is_byok: true, cost_details: { upstream_inference_cost: 0.01 } }, ["0.0005", "0.01"]],
  [{ cost: 0.0005, is_byok: true, cost_details: { upstream_inference_cost: null } }, undefined],
  [{ cost: 0.0005, is_byok: true }, undefined],
  [{ cost: -1 }, undefined],
  [{ cost: "1" }, undefined],
  [{ cost_in_usd_ticks: 37_756_000 }, ["37756000e-10"]],
  [{ cost_in_usd_ticks: 0 }, ["0e-10"]],
  [{ cost_in_usd_ticks: -1 }, undefined],
  [{ cost_in_usd_ticks: 1.5 }, undefined],
  [
    { cost: { input_tokens_cost: 0.001, output_tokens_cost: 0.002, request_cost: 0.005, total_cost: 0.008 } },
    ["0.008"],
  ],
  [{ cost: { currency: "USD", input_cost: 0.001, output_cost: 0.002, total_cost: 0.003 } }, ["0.003"]],
  [{ cost: { currency: "EUR", total_cost: 0.003 } }, undefined],
  [{ cost: { input_cost: 0.001 } }, undefined],
  [{}, undefined],
])("%j charges %j", (usage, charged) => {
  expect(chargedIn({ ...usage })).toEqual(charged);
  expect(chargedIn(writtenCharge(charged))?.map(Number)).toEqual(charged?.map(Number));
});
