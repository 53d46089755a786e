import { expect, it } from "vitest";
import type { Attempt, Usage } from "../../../core/index.ts";
import { CallCircumstances } from "./circumstances.ts";

const call = (body: unknown, answer?: object) =>
  new CallCircumstances(
    {
      asked: { json: body } as unknown as NonNullable<Attempt["asked"]>,
      ...(answer && { received: Buffer.from(JSON.stringify(answer)) }),
    },
    false,
  );

it.each<[string, unknown, object | undefined, string | undefined]>([
  ["in the options of chat", { web_search_options: { search_context_size: "low" } }, undefined, "low"],
  ["at the tool of responses", { tools: [{ type: "web_search", search_context_size: "high" }] }, undefined, "high"],
  [
    "as the answer counts it",
    { web_search_options: { search_context_size: "low" } },
    { usage: { search_context_size: "medium" } },
    "medium",
  ],
  ["nowhere", { tools: [{ type: "web_search" }], web_search_options: null }, { usage: {} }, undefined],
  ["in no object", "text", undefined, undefined],
])("finds how much searches bring in: %s", (_, body, answer, context) => {
  expect(call(body, answer).searchContext()).toBe(context);
});

it.each<[string, object | undefined, Usage | undefined, string | undefined]>([
  ["as the answer says, not as it was asked for", { service_tier: "default" }, undefined, "default"],
  ["with what was used", { usage: { service_tier: "priority" } }, undefined, "priority"],
  ["as a stream said at its end", undefined, { serviceTier: "default" }, "default"],
  [
    "not as arguments of a call say",
    { input: { service_tier: "default" }, service_tier: "priority" },
    undefined,
    "priority",
  ],
  ["nor as a text says", { text: '"service_tier": "default"', service_tier: "priority" }, undefined, "priority"],
  ["as Bedrock says", { serviceTier: { type: "default" } }, undefined, "default"],
  ["at the top before what is in the counts", { service_tier: "a", usage: { service_tier: "b" } }, undefined, "a"],
  ["as asked for, where nothing is said", {}, {}, "flex"],
  ["as asked for, where it is said to be null", { service_tier: null }, undefined, "flex"],
])("knows the service tier: %s", (_, answer, usage, tier) => {
  const asked = { json: { service_tier: "flex" } } as unknown as NonNullable<Attempt["asked"]>;
  const received = answer && { received: Buffer.from(JSON.stringify(answer)) };
  expect(new CallCircumstances({ asked, ...received }, false, 1, usage).tier()).toBe(tier);
});

it("leaves a batch to the prices of batches, which are not halved twice", () => {
  expect(new CallCircumstances({}, true, 1, { serviceTier: "batch" }).tier()).toBeUndefined();
  expect(new CallCircumstances({}, false, 1, { serviceTier: "batch" }).tier()).toBe("batch");
});
