import { expect, it } from "vitest";
import type { Attempt } from "../../../core/index.ts";
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
