import { describe, expect, it } from "vitest";
import { builtInFormats } from "../core/built-in-formats.ts";
import type { OperationSpec } from "../core/model/operation-spec.ts";
import { operationsOf } from "../core/provider-kit/offered-operations.ts";
import type { CommonOptions, ProviderDefinition } from "../core/provider-kit/provider-definition.ts";
import fireworks from "./fireworks-ai/index.ts";
import hyperbolic from "./hyperbolic.ts";
import novita from "./novita-ai.ts";
import ollama from "./ollama.ts";
import sambanova from "./sambanova.ts";
import siliconflow from "./siliconflow.ts";
import together from "./together-ai.ts";

const { formats } = await builtInFormats();

function specOf(definition: ProviderDefinition, operation: "chat" | "complete"): OperationSpec {
  const [spec] = operationsOf(definition, {} as CommonOptions & Record<string, unknown>, formats)[operation] ?? [];
  if (!spec) throw new Error(`${definition.name} has no ${operation}.`);
  return spec;
}

const chatOf = (definition: ProviderDefinition): OperationSpec => specOf(definition, "chat");

/** What a vendor is told of a body, and what is reported to be left out; the rewrite has to notice by itself that it is needed. */
function told(definition: ProviderDefinition, wire: object) {
  const { rewrite } = chatOf(definition);
  const sent = JSON.stringify(wire);
  expect(rewrite?.when.some((text) => sent.includes(text))).toBe(true);
  const dropped: string[] = [];
  return { wire: rewrite?.apply({ ...wire }, (name) => dropped.push(name)), dropped };
}

const off = { thinking: { type: "disabled" } };
const on = { thinking: { type: "enabled", budget_tokens: 2048 } };
const adaptive = { thinking: { type: "adaptive", display: "summarized" } };
const effort = (reasoning_effort: string) => ({ reasoning_effort });
const tuned = (enable_thinking: boolean) => ({ chat_template_kwargs: { enable_thinking } });
const switched = (enabled: boolean) => ({ reasoning: { enabled } });
const gptOss = "openai/gpt-oss-120b";

describe("how much to think is said as hosts of open models take it", () => {
  it.each<[ProviderDefinition, string, object, object, string[]]>([
    [fireworks, "glm-5p2", effort("high"), effort("high"), []],
    [fireworks, "glm-5p2", effort("max"), effort("max"), []],
    [fireworks, "glm-5p2", effort("none"), effort("none"), []],
    [fireworks, "glm-5p2", effort("minimal"), effort("low"), []],
    [fireworks, "glm-5p2", on, on, []],
    [fireworks, "glm-5p2", off, off, []],
    [fireworks, "glm-5p2", adaptive, { thinking: { type: "enabled" } }, []],
    [fireworks, "glm-5p2", { ...on, ...effort("high") }, on, ["reasoning_effort"]],
    [fireworks, gptOss, effort("xhigh"), effort("high"), []],
    [fireworks, gptOss, effort("none"), effort("low"), ["reasoning_effort"]],
    [fireworks, gptOss, off, effort("low"), ["thinking"]],
    [fireworks, gptOss, on, {}, []],
    [fireworks, "minimax-m2p5", { ...on, ...effort("high") }, effort("high"), []],
    [together, gptOss, effort("medium"), effort("medium"), []],
    [together, gptOss, effort("xhigh"), effort("high"), []],
    [together, gptOss, effort("none"), effort("low"), ["reasoning_effort"]],
    [together, gptOss, on, {}, []],
    [together, "zai-org/GLM-5.2", effort("none"), switched(false), []],
    [together, "zai-org/GLM-5.2", off, switched(false), []],
    [together, "zai-org/GLM-5.2", on, switched(true), []],
    [together, "zai-org/GLM-5.2", { ...effort("none"), ...switched(true) }, switched(true), []],
    [together, "deepseek-ai/DeepSeek-V4-Pro", { ...on, ...effort("max") }, { ...switched(true), ...effort("max") }, []],
    [together, "deepseek-ai/DeepSeek-V4-Pro", effort("xhigh"), effort("xhigh"), []],
    [sambanova, "DeepSeek-V3.2", effort("none"), tuned(false), []],
    [sambanova, "DeepSeek-V3.2", off, tuned(false), []],
    [sambanova, "DeepSeek-V3.2", on, tuned(true), []],
    [sambanova, "DeepSeek-V3.2", { ...off, ...tuned(true) }, tuned(true), []],
    [sambanova, "gpt-oss-120b", effort("xhigh"), effort("high"), []],
    [sambanova, "gpt-oss-120b", effort("none"), effort("low"), ["reasoning_effort"]],
    [sambanova, "gpt-oss-120b", { ...on, ...effort("low") }, effort("low"), []],
    [siliconflow, "Qwen/Qwen3.5-9B", effort("none"), { enable_thinking: false }, []],
    [siliconflow, "Pro/zai-org/GLM-5", on, { enable_thinking: true }, []],
    [siliconflow, "deepseek-ai/DeepSeek-V3.2", off, { enable_thinking: false }, []],
    [siliconflow, "deepseek-ai/DeepSeek-V4-Flash", effort("max"), effort("max"), []],
    [siliconflow, "Qwen/Qwen3-8B", { ...off, enable_thinking: true }, { enable_thinking: true }, []],
    [siliconflow, "Qwen/Qwen3-235B-A22B-Instruct-2507", off, {}, ["thinking"]],
    [siliconflow, "Qwen/Qwen2.5-7B-Instruct", effort("none"), {}, ["reasoning_effort"]],
    [ollama, "qwen3", effort("xhigh"), effort("high"), []],
    [ollama, "qwen3", effort("minimal"), effort("low"), []],
    [ollama, "qwen3", effort("max"), effort("max"), []],
    [ollama, "qwen3", { ...off, ...effort("high") }, { think: false, ...effort("none") }, []],
  ])("$name, %s: %j", (definition, model, asked, expected, lost) => {
    expect(told(definition, { model, ...asked })).toEqual({ wire: { model, ...expected }, dropped: lost });
  });
});

const text = (said: string) => ({ type: "text", text: said });
const image = { type: "image_url", image_url: { url: "https://a/b.png" } };

describe.each([together, sambanova, ollama, hyperbolic])(
  "$name is told a text where there is nothing else",
  (definition) => {
    it("in every message", () => {
      const messages = [
        { role: "system", content: [text("Be brief."), text("Be kind.")] },
        { role: "user", content: [text("See"), image] },
        { role: "tool", tool_call_id: "c", content: [text("1"), text("2")] },
      ];
      expect(told(definition, { messages })).toEqual({
        wire: {
          messages: [
            { role: "system", content: "Be brief.\nBe kind." },
            messages[1],
            { role: "tool", tool_call_id: "c", content: "1\n2" },
          ],
        },
        dropped: [],
      });
    });

    it("and a body whose messages are none is the vendor's to judge", () => {
      const { rewrite } = chatOf(definition);
      expect(rewrite?.apply({ messages: "hi" })).toEqual({ messages: "hi" });
    });
  },
);

it.each([
  [gptOss, { reasoning: "Hm." }],
  ["Qwen/Qwen3.5-9B", { reasoning: "Hm." }],
  ["moonshotai/Kimi-K3", { reasoning_content: "Hm." }],
])("Together's %s has its thoughts back where they came from: %j", (model, thought) => {
  for (const field of ["reasoning", "reasoning_content"]) {
    const messages = [{ role: "assistant", content: "Yes?", [field]: "Hm." }];
    const expected = { model, messages: [{ role: "assistant", content: "Yes?", ...thought }] };
    expect(told(together, { model, messages })).toEqual({ wire: expected, dropped: [] });
  }
});

it("Together and Novita take penalties by their names", () => {
  for (const definition of [together, novita])
    for (const operation of ["chat", "complete"] as const)
      expect(specOf(definition, operation).renames ?? {}).not.toHaveProperty("frequency_penalty");
});

it("SambaNova is told no format of texts, which is what it answers unasked", () => {
  const schema = { type: "json_schema", json_schema: { name: "n", schema: {} } };
  expect(told(sambanova, { response_format: { type: "text" } }).wire).toEqual({});
  expect(told(sambanova, { response_format: schema, ...effort("low") }).wire).toEqual({
    response_format: schema,
    ...effort("low"),
  });
});

describe("Fireworks is told nothing that it does not know", () => {
  const cache_control = { type: "ephemeral" };
  const call = { id: "c", type: "function", function: { name: "look", arguments: "{}" } };

  it("of messages, their parts, calls and tools", () => {
    const messages = [
      { role: "system", content: [{ ...text("Be brief."), cache_control }], cache_control },
      {
        role: "user",
        content: [
          text("See"),
          { ...image, image_url: { ...image.image_url, detail: "low", mime_type: "image/png" } },
          { ...text("this"), prompt_cache_breakpoint: { mode: "explicit" } },
        ],
      },
      {
        role: "assistant",
        content: null,
        reasoning: "Hm.",
        reasoning_details: [{ type: "reasoning.text", text: "Hm." }],
        refusal: null,
        annotations: [],
        tool_calls: [{ ...call, cache_control }],
      },
      { role: "tool", tool_call_id: "c", content: "1" },
    ];
    const tool = { type: "function", function: { name: "look", parameters: { type: "object" } } };
    expect(told(fireworks, { messages, tools: [{ ...tool, cache_control }, tool] })).toEqual({
      wire: {
        messages: [
          { role: "system", content: [text("Be brief.")] },
          {
            role: "user",
            content: [text("See"), { ...image, image_url: { ...image.image_url, detail: "low" } }, text("this")],
          },
          { role: "assistant", content: null, reasoning_content: "Hm.", tool_calls: [call] },
          { role: "tool", tool_call_id: "c", content: "1" },
        ],
        tools: [tool, tool],
      },
      dropped: [
        "messages.cache_control",
        "messages.cache_control",
        "messages.prompt_cache_breakpoint",
        "messages.cache_control",
        "tools.cache_control",
        "messages.reasoning_details",
      ],
    });
  });

  it("but of what it knows", () => {
    const own = { messages: [{ role: "assistant", content: "Yes?", reasoning_content: "Hm." }], user: "u" };
    expect(told(fireworks, own)).toEqual({ wire: own, dropped: [] });
    const { rewrite, drops, most, clamps } = chatOf(fireworks);
    expect(rewrite?.apply({ messages: "none" })).toEqual({ messages: "none" });
    expect(drops).toEqual(expect.arrayContaining(["store", "verbosity", "prompt_cache_retention"]));
    expect(most).toEqual({ stop: 4 });
    expect(clamps).toMatchObject({ top_logprobs: [0, 5] });
    const known = ["metadata", "prediction", "prompt_cache_key", "stream_options", "user", "parallel_tool_calls"];
    expect(drops?.filter((name) => known.includes(name))).toEqual([]);
  });
});
