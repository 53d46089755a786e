import { describe, expect, it } from "vitest";
import { builtInFormats } from "../../core/built-in-formats.ts";
import { operationsOf } from "../../core/provider-kit/offered-operations.ts";
import type { CommonOptions } from "../../core/provider-kit/provider-definition.ts";
import perplexity from "./index.ts";

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

  it.each<[string, object, object, string[]]>([
    [
      "where to look, and when it was written",
      { search_domain_filter: ["example.com"], search_recency_filter: "week", search_after_date_filter: null },
      { filters: { search_domain_filter: ["example.com"], search_recency_filter: "week" } },
      [],
    ],
    [
      "between which days it was written and changed",
      {
        search_after_date_filter: "3/1/2026",
        search_before_date_filter: "3/5/2026",
        last_updated_after_filter: "3/2/2026",
        last_updated_before_filter: "3/6/2026",
      },
      {
        filters: {
          search_after_date_filter: "3/1/2026",
          search_before_date_filter: "3/5/2026",
          last_updated_after_filter: "3/2/2026",
          last_updated_before_filter: "3/6/2026",
        },
      },
      [],
    ],
    [
      "how much to read",
      { num_search_results: 3, web_search_options: { search_context_size: "low", search_type: "pro" } },
      { max_results: 3, search_context_size: "low" },
      ["web_search_options.search_type"],
    ],
    [
      "where somebody is",
      { web_search_options: { user_location: { country: "FR", latitude: 48.9, longitude: 2.3, city: null } } },
      { user_location: { country: "FR", latitude: 48.9, longitude: 2.3 } },
      [],
    ],
    [
      "the same as OpenAI's clients say it",
      {
        web_search_options: {
          user_location: { type: "approximate", approximate: { country: "FR", timezone: "Europe/Paris" } },
        },
      },
      { user_location: { country: "FR" } },
      ["web_search_options.user_location.timezone"],
    ],
    ["that it may be searched", { web_search_options: {} }, {}, []],
  ])("hears from chat clients %s, in the tool that searches", (_what, said, settings, lost) => {
    expect(sent(said)).toEqual({ wire: { model: "m", tools: [{ type: "web_search", ...settings }] }, dropped: lost });
  });

  it("has what a client says in the tool win, beside its other tools", () => {
    const tools = [
      { type: "function", name: "f" },
      { type: "web_search", max_results: 2, filters: { search_domain_filter: ["a.com"] } },
    ];
    const filters = { search_domain_filter: ["b.com"], search_recency_filter: "day" };
    const joined = { search_domain_filter: ["a.com"], search_recency_filter: "day" };
    expect(sent({ ...filters, num_search_results: 9, tools }).wire).toEqual({
      model: "m",
      tools: [tools[0], { ...tools[1], filters: joined }],
    });
    expect(sent({ ...filters, tools: [tools[0]] }).wire.tools).toEqual([tools[0], { type: "web_search", filters }]);
  });

  it.each<[string, object, object, string[]]>([
    ["nothing about it", { search_domain_filter: null, web_search_options: null }, { model: "m" }, []],
    [
      "of a preset, which searches anyway, that it may",
      { model: "sonar", web_search_options: {} },
      { model: "perplexity/sonar", preset: "fast" },
      [],
    ],
    ["that it may not", { disable_search: true, search_recency_filter: "day" }, { model: "m" }, []],
    [
      "of a preset that it may not",
      { model: "sonar", disable_search: true },
      { model: "perplexity/sonar", preset: "fast" },
      ["disable_search"],
    ],
    ["something else", { web_search_options: "yes" }, { model: "m" }, ["web_search_options"]],
  ])("adds no tool where a client says %s", (_what, said, wire, dropped) => {
    expect(sent(said)).toEqual({ wire, dropped });
  });
});

/** What is sent for a request of the Responses API, and what is said to be lost. */
function sent(said: object): { wire: Record<string, unknown>; dropped: string[] } {
  const dropped: string[] = [];
  const wire = specs[0]?.rewrite?.apply({ model: "m", ...said }, (name) => dropped.push(name)) ?? {};
  return { wire, dropped };
}
