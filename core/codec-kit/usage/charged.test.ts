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
  [{ cost: { total_cost: 1 } }, undefined],
  [{}, undefined],
])("%j charges %j", (usage, charged) => {
  expect(chargedIn({ ...usage })).toEqual(charged);
  expect(chargedIn(writtenCharge(charged))).toEqual(charged);
});
