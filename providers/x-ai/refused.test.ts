import { describe, expect, it } from "vitest";
import type { Rewrite } from "../../core/provider-kit/index.ts";
import { chats, responses } from "./refused.ts";

/** What is sent of a body, and what is named as lost. Bodies without a mark pass as they are. */
function sent({ when, apply }: Rewrite, body: Readonly<Record<string, unknown>>) {
  const dropped: string[] = [];
  const text = JSON.stringify(body);
  if (!when.some((mark) => text.includes(mark))) return { wire: body, dropped };
  return { wire: JSON.parse(JSON.stringify(apply(body, (name) => dropped.push(name)))), dropped };
}

const model = "grok-4.6";

describe("chats with Grok", () => {
  it.each([
    [
      "what steers the sampling of models that think",
      { stop: ["."], presence_penalty: 0.5 },
      {},
      ["presence_penalty", "stop"],
    ],
    ["a penalty of nothing", { frequency_penalty: 0 }, {}, []],
    ["an effort between those it has", { reasoning_effort: "minimal" }, { reasoning_effort: "low" }, []],
    ["the most there is", { reasoning_effort: "max" }, { reasoning_effort: "xhigh" }, []],
  ])("are told in its words: %s", (_, said, told, lost) => {
    expect(sent(chats, { model, ...said })).toEqual({ wire: { model, ...told }, dropped: lost });
  });

  it.each([
    ["grok-4-fast-non-reasoning", { stop: ["."] }, { stop: ["."] }, []],
    ["grok-3", { stop: ["."] }, { stop: ["."] }, []],
    ["grok-4.3", { reasoning_effort: "xhigh" }, { reasoning_effort: "high" }, []],
    ["grok-4.3", { reasoning_effort: "none" }, { reasoning_effort: "none" }, []],
    ["grok-4-1-fast-reasoning", { reasoning_effort: "high" }, {}, ["reasoning_effort"]],
    ["grok-4.20-0309-reasoning", { reasoning_effort: "none" }, {}, ["reasoning_effort"]],
    ["grok-4.20-multi-agent", { reasoning_effort: "high" }, { reasoning_effort: "high" }, []],
  ])("depend on the model: %s with %j", (name, said, told, lost) => {
    expect(sent(chats, { model: name, ...said })).toEqual({ wire: { model: name, ...told }, dropped: lost });
  });
});

describe("requests of the Responses API to Grok", () => {
  const look = { type: "function", name: "look", parameters: { type: "object" } };
  const search = { type: "web_search", filters: { allowed_domains: ["a.com"] } };

  it("have a search as the vendor knows it", () => {
    const asked = { ...search, external_web_access: true, search_content_types: ["text"] };
    expect(sent(responses, { model, tools: [look, asked] })).toEqual({
      wire: { model, tools: [look, search] },
      dropped: ["tools.search_content_types"],
    });
  });

  it("search nothing where pages are not to be read as they are", () => {
    const cached = { ...search, external_web_access: false };
    const calling = { tool_choice: "auto", parallel_tool_calls: true };
    expect(sent(responses, { model, tools: [look, cached], ...calling })).toEqual({
      wire: { model, tools: [look], ...calling },
      dropped: ["tools.web_search"],
    });
    expect(sent(responses, { model, tools: [cached], ...calling })).toEqual({
      wire: { model },
      dropped: ["tools.web_search"],
    });
    expect(sent(responses, { model, tools: [cached], tool_choice: { type: "web_search" } }).dropped).toEqual([
      "tools.web_search",
      "tool_choice",
    ]);
  });

  it("give thoughts back as they came", () => {
    const thought = { type: "reasoning", id: "rs_1", summary: [], encrypted_content: "E" };
    const message = { role: "user", content: "Hi" };
    expect(
      sent(responses, { model, input: [message, { ...thought, content: null }, { ...thought, content: [] }] }),
    ).toEqual({ wire: { model, input: [message, thought, { ...thought, content: [] }] }, dropped: [] });
  });

  it("are told efforts that the model has", () => {
    const reasoning = { effort: "xhigh", summary: "auto" };
    expect(sent(responses, { model, reasoning }).wire).toEqual({ model, reasoning });
    expect(sent(responses, { model: "grok-4.20-reasoning", reasoning })).toEqual({
      wire: { model: "grok-4.20-reasoning", reasoning: { summary: "auto" } },
      dropped: ["reasoning_effort"],
    });
    const name = "grok-4";
    expect(sent(responses, { model: name, reasoning: { effort: "low" } }).wire).toEqual({ model: name });
  });
});
