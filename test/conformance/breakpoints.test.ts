import { describe, expect, it } from "vitest";
import type { Format } from "../../core/index.ts";
import { anthropicMessages } from "../../plugins/format-anthropic-messages/index.ts";
import { bedrockConverse } from "../../plugins/format-bedrock-converse/index.ts";
import { cohereChat } from "../../plugins/format-cohere-chat/index.ts";
import { gemini } from "../../plugins/format-gemini/index.ts";
import { openAiChat } from "../../plugins/format-openai-chat/index.ts";
import { openAiResponses } from "../../plugins/format-openai-responses/index.ts";

const here = { prompt_cache_breakpoint: { mode: "explicit", ttl: "30m" } };

/** What clients of OpenAI's formats ask, each with breakpoints on parts of a system message, a question and a tool's result. */
const requests = {
  [openAiChat.name]: {
    format: openAiChat,
    wire: {
      model: "claude-sonnet-4-5",
      max_tokens: 100,
      messages: [
        { role: "system", content: [{ type: "text", text: "Rules.", ...here }] },
        {
          role: "user",
          content: [
            { type: "text", text: "Look.", ...here },
            { type: "image_url", image_url: { url: "data:image/png;base64,iVBORw0KGgo=" }, ...here },
          ],
        },
        {
          role: "assistant",
          content: null,
          tool_calls: [{ id: "call_1", type: "function", function: { name: "f", arguments: "{}" } }],
        },
        { role: "tool", tool_call_id: "call_1", content: [{ type: "text", text: "Done.", ...here }] },
      ],
      tools: [{ type: "function", function: { name: "f", parameters: { type: "object", properties: {} } } }],
    },
  },
  [openAiResponses.name]: {
    format: openAiResponses,
    wire: {
      model: "claude-sonnet-4-5",
      max_output_tokens: 100,
      input: [
        { role: "system", content: [{ type: "input_text", text: "Rules.", ...here }] },
        {
          role: "user",
          content: [
            { type: "input_text", text: "Look.", ...here },
            { type: "input_image", image_url: "data:image/png;base64,iVBORw0KGgo=", ...here },
          ],
        },
        { type: "function_call", call_id: "call_1", name: "f", arguments: "{}" },
        { type: "function_call_output", call_id: "call_1", output: [{ type: "input_text", text: "Done.", ...here }] },
      ],
      tools: [{ type: "function", name: "f", parameters: { type: "object", properties: {} } }],
    },
  },
};

const written = (client: Format<"chat">, wire: object, vendor: Format<"chat">, exact = true) => {
  const dropped: string[] = [];
  const request = client.decodeRequest(wire as Record<string, unknown>);
  const body = vendor.encodeRequest(request, (name) => dropped.push(name), { exact });
  return { body, dropped, text: JSON.stringify(body) };
};
const times = (text: string, word: string) => text.split(word).length - 1;

describe.each(Object.values(requests))("breakpoints of $format.name", ({ format, wire }) => {
  it.each([
    [anthropicMessages, "cache_control"],
    [bedrockConverse, "cachePoint"],
  ])("are markers to %o", (vendor, word) => {
    const asked = { ...wire, model: vendor === bedrockConverse ? "us.anthropic.claude-sonnet-4-5" : wire.model };
    const { text, dropped } = written(format, asked, vendor);
    expect(times(text, word)).toBe(4);
    expect(text).not.toContain("30m");
    expect(dropped).not.toContain("messages.prompt_cache_breakpoint");
  });

  it.each([openAiChat, openAiResponses])("stay what they are in the vendor's other format", (vendor) => {
    const { text, dropped } = written(format, wire, vendor);
    expect(times(text, JSON.stringify(here).slice(1, -1))).toBe(4);
    expect(dropped).toEqual([]);
  });

  it("stay with a client's own format, and go to nobody else who speaks the other", () => {
    for (const vendor of [openAiChat, openAiResponses]) {
      const { text, dropped } = written(format, wire, vendor, false);
      const isOwn = vendor === format;
      expect(times(text, JSON.stringify(here).slice(1, -1))).toBe(isOwn ? 4 : 0);
      expect([...new Set(dropped)]).toEqual(isOwn ? [] : ["messages.prompt_cache_breakpoint"]);
    }
  });

  it.each([gemini, cohereChat])("are lost elsewhere, by their name", (vendor) => {
    expect(written(format, wire, vendor).dropped).toContain("messages.prompt_cache_breakpoint");
  });
});

it("of a part that has a marker as well are written, and the marker is lost by its name", () => {
  const content = [{ type: "text", text: "Look.", cache_control: { type: "ephemeral", ttl: "1h" }, ...here }];
  const wire = { model: "claude-sonnet-4-5", max_tokens: 100, messages: [{ role: "user", content }] };
  expect(written(openAiChat, wire, openAiResponses).dropped).toEqual(["messages.cache_control"]);
  expect(written(openAiChat, wire, anthropicMessages).text).toContain(
    '"cache_control":{"type":"ephemeral","ttl":"1h"}',
  );
});

describe("breakpoints that are to last as long as there is", () => {
  const long = { prompt_cache_breakpoint: { mode: "explicit", ttl: "12h" } };
  const plain = { prompt_cache_breakpoint: { mode: "explicit" } };
  const hour = { type: "ephemeral", ttl: "1h" };
  const five = { type: "ephemeral" };
  const asked = (markers: readonly object[], more: object = {}) => ({
    model: "claude-sonnet-4-5",
    max_tokens: 100,
    messages: markers.map((marker) => ({ role: "user", content: [{ type: "text", text: "Look.", ...marker }] })),
    ...more,
  });
  const tool = { type: "function", function: { name: "f", parameters: {} }, cache_control: five };

  it.each([
    ["last as long as there is", [long], {}, [hour]],
    ["are not preceded by shorter ones", [here, long, here], {}, [hour, hour, five]],
    ["may be all of them", [plain, here, plain], { prompt_cache_options: { ttl: "12h" } }, [hour, hour, hour]],
    ["last no longer than what a client has marked before them", [long], { tools: [tool] }, [five, five]],
    ["may follow what lasts as long", [{ cache_control: hour }, long], {}, [hour, hour]],
  ])("%s at Anthropic", (_what, markers, more, caches) => {
    const { text } = written(openAiChat, asked(markers, more), anthropicMessages);
    const found = [...text.matchAll(/"cache_control":(\{[^}]*\})/g)].map(([, one = ""]) => JSON.parse(one));
    expect(found).toEqual(caches);
  });
});

describe("more breakpoints than Claude takes", () => {
  const turns = (count: number, more: object = here) =>
    Array.from({ length: count }, (_, at) => ({
      role: "user",
      content: [{ type: "text", text: `Turn ${at}.`, ...more }],
    }));
  const tool = (marker: object) => ({ type: "function", function: { name: "f", parameters: {} }, ...marker });
  const marked = (body: object): string[] => JSON.stringify(body).match(/Turn \d+\.(?=","cache_control")/g) ?? [];

  it.each([
    ["the latest four stay", 7, {}, ["Turn 3.", "Turn 4.", "Turn 5.", "Turn 6."]],
    [
      "those stay that a tool leaves room for",
      7,
      { cache_control: { type: "ephemeral" } },
      ["Turn 4.", "Turn 5.", "Turn 6."],
    ],
    ["four are not too many", 4, {}, ["Turn 0.", "Turn 1.", "Turn 2.", "Turn 3."]],
  ])("%s", (_, count, marker, kept) => {
    const wire = { model: "claude-sonnet-4-5", max_tokens: 100, messages: turns(count), tools: [tool(marker)] };
    const { body, dropped } = written(openAiChat, wire, anthropicMessages);
    expect(marked(body)).toEqual(kept);
    expect(dropped.includes("messages.prompt_cache_breakpoint")).toBe(count > 4);
  });

  it("are counted within results too, and leave what they stand on", () => {
    const wire = {
      model: "claude-sonnet-4-5",
      max_tokens: 100,
      messages: [
        { role: "user", content: "Go." },
        {
          role: "assistant",
          tool_calls: [{ id: "call_1", type: "function", function: { name: "f", arguments: "{}" } }],
        },
        { role: "tool", tool_call_id: "call_1", content: [{ type: "text", text: "Done.", ...here }] },
        ...turns(4),
      ],
    };
    const { text } = written(openAiChat, wire, anthropicMessages);
    expect(times(text, "cache_control")).toBe(4);
    expect(text).toContain('"Done."');
    expect(text).not.toContain('"Done.","cache_control"');
  });

  it("are left to clients who mark in the vendor's words", () => {
    const wire = {
      model: "claude-sonnet-4-5",
      max_tokens: 100,
      messages: turns(6, { cache_control: { type: "ephemeral" } }),
    };
    expect(times(written(anthropicMessages, wire, anthropicMessages).text, "cache_control")).toBe(6);
  });
});
