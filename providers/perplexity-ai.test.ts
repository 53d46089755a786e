import { describe, expect, it } from "vitest";
import { builtInFormats } from "../core/built-in-formats.ts";
import { operationsOf } from "../core/provider-kit/bind.ts";
import type { CommonOptions } from "../core/provider-kit/provider-definition.ts";
import perplexity from "./perplexity-ai.ts";

const { formats } = await builtInFormats();
const specsOf = (options: object) =>
  operationsOf(perplexity, options as CommonOptions & Record<string, unknown>, formats).chat ?? [];
const specs = specsOf({ api: "agent" });

describe("Perplexity", () => {
  it("is asked in the format of its Agent API, whatever its client speaks: there is no other", () => {
    expect(specs.map(({ format, path }) => [format, path])).toEqual([["openai-responses", "/v1/responses"]]);
  });

  it("is asked by chat completions where a host still has them", () => {
    expect(specsOf({ api: "completions" }).map(({ format, path }) => [format, path])).toEqual([
      ["openai-chat", "/chat/completions"],
      ["openai-responses", "/v1/responses"],
    ]);
  });

  it.each<[string, object, object]>([
    ["the smallest of its models of old", { model: "sonar" }, { model: "perplexity/sonar", preset: "fast" }],
    ["the largest", { model: "sonar-deep-research" }, { model: "perplexity/sonar", preset: "high" }],
    ["a preset", { model: "sonar-pro", preset: "xhigh" }, { model: "perplexity/sonar", preset: "xhigh" }],
    ["a model of today", { model: "perplexity/sonar" }, { model: "perplexity/sonar" }],
    ["another maker's", { model: "openai/gpt-5.6" }, { model: "openai/gpt-5.6" }],
    [
      "a schema",
      { text: { format: { type: "json_schema", name: "a", schema: {}, strict: true } } },
      { response_format: { type: "json_schema", json_schema: { name: "a", schema: {}, strict: true } } },
    ],
    ["plain text", { text: { format: { type: "text" } } }, { text: { format: { type: "text" } } }],
    ["how much to say", { text: { verbosity: "low" } }, { text: { verbosity: "low" } }],
  ])("is asked for %s as it has it now", (_what, wire, expected) => {
    expect(specs[0]?.rewrite?.apply({ ...wire })).toEqual(expected);
  });
});
