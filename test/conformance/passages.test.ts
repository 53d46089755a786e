import { describe, expect, it } from "vitest";
import type { ChatRequest, Format } from "../../core/index.ts";
import { anthropicMessages } from "../../plugins/format-anthropic-messages/index.ts";
import { deepFreeze } from "../arbitraries/chat.ts";
import { chatFormats } from "./pairs.ts";

const others = chatFormats.filter((format) => format !== anthropicMessages);

const image = { type: "image", source: { type: "base64", media_type: "image/png", data: "aGk=" } };
const text = (said: string) => ({ type: "text", text: said });
const found = {
  type: "search_result",
  source: "https://a.example",
  title: "Opening",
  content: [text("Nine to five.")],
};
const made = (content: unknown, more = {}) => ({ type: "document", source: { type: "content", content }, ...more });

/** What a client writes, what of it is to be read by every vendor, and what is said of it. */
const passages: readonly (readonly [string, object, readonly string[]])[] = [
  ["a search result", found, ["Opening (https://a.example)\nNine to five.\n"]],
  [
    "a search result of several texts",
    { ...found, content: [text("One"), text("Two")] },
    ["Opening (https://a.example)\nOne\n", "Two\n"],
  ],
  ["a document of one text", made("Plain."), ["Plain.\n"]],
  ["a document of blocks", made([text("A"), text("B")], { title: "T", context: "C" }), ["T\nC\nA\n", "B\n"]],
  [
    "a document with an image",
    made([text("See"), image, text("there")], { title: "T" }),
    ["T\nSee\n", "aGk=", "there\n"],
  ],
  ["a document of an image", made([image]), ["aGk="]],
];

const call = { type: "tool_use", id: "call_1", name: "look_up", input: {} };
const result = (...content: object[]) => ({ type: "tool_result", tool_use_id: "call_1", content });
const asks = (...turns: object[][]) => ({
  model: "claude-sonnet-4-5",
  max_tokens: 100,
  messages: turns.map((content, at) => ({ role: at % 2 === 0 ? "user" : "assistant", content })),
  tools: [{ name: "look_up", description: "Looks up.", input_schema: { type: "object" } }],
});
const asked = [text("It is about opening hours."), text("When?")];
/** The places passages may stand in. */
const places: readonly (readonly [string, (block: object) => object])[] = [
  ["alone in a turn", (block) => asks([block])],
  ["before a question", (block) => asks([block, text("When?")])],
  ["in a tool result", (block) => asks(asked, [call], [result(block)])],
  ["among others in a tool result", (block) => asks(asked, [call], [result(text("First."), block, found)])],
];

function sent({ encodeRequest }: Format<"chat">, request: ChatRequest) {
  const dropped: string[] = [];
  const wire = encodeRequest(deepFreeze(request), (name) => dropped.push(name));
  return { wire, json: JSON.stringify(wire), dropped: dropped.filter((name) => name.startsWith("messages")) };
}

const read = (wire: unknown) => anthropicMessages.decodeRequest(deepFreeze(structuredClone(wire)));

describe.each(places)("a passage %s", (_, asking) => {
  describe.each(passages)("that is %s", (_, block, said) => {
    it("comes back to its own format as it was", () => {
      const wire = asking(block);
      expect(JSON.parse(sent(anthropicMessages, read(wire)).json)).toEqual(wire);
    });

    it.each(others)("is shown to vendors of $name, and nothing is lost", (upstream) => {
      const { json, dropped } = sent(upstream, read(asking(block)));
      expect(dropped).toEqual([]);
      for (const one of said) expect(json).toContain(JSON.stringify(one).slice(1, -1));
      // Some formats show images of a tool's result after it.
      if (said.some((one) => one.endsWith("\n"))) expect(json).not.toMatch(/"content":(?:""|\[\])|"output":""/);
    });
  });
});

it.each(others)("citations that were asked for are reported for vendors of $name", (upstream) => {
  const citations = { enabled: true };
  for (const block of [{ ...found, citations }, made("Plain.", { citations })]) {
    expect(sent(upstream, read(asks([block]))).dropped).toEqual(["messages.citations"]);
    expect(sent(upstream, read(asks([{ ...block, citations: { enabled: false } }]))).dropped).toEqual([]);
  }
});

it("a passage is cached where its block is", () => {
  const marker = { cache_control: { type: "ephemeral", ttl: "1h" } };
  const { messages } = read(asks([made([text("A"), text("B")], marker), text("?")]));
  expect(messages[0]?.content).toMatchObject([{ text: "A\n" }, { text: "B\n", cache: { ttl: "1h" } }, { text: "?" }]);
});

it("a passage somebody has changed is not sent as it was", () => {
  const request = read(asks([made([text("secret"), image], { citations: { enabled: true } }), text("When?")]));
  const messages = request.messages.map((message) => ({
    ...message,
    content: message.content.map((part) =>
      "text" in part && part.text === "secret\n" ? { ...part, text: "***" } : part,
    ),
  }));
  const { wire, dropped } = sent(anthropicMessages, { ...request, messages } as ChatRequest);
  expect(wire).toMatchObject({ messages: [{ content: [{ type: "text", text: "***" }, image, text("When?")] }] });
  expect(dropped).toEqual(["messages.citations"]);
});

it.each([
  ["holds what nobody else can show", { ...found, content: [{ type: "chart", chart: 1 }] }],
  ["says nothing", made([])],
])("a passage that %s is kept as it is", (_, block) => {
  expect(read(asks([block])).messages[0]?.content).toEqual([
    { type: "opaque", format: "anthropic-messages", value: block },
  ]);
});

it("a mistake in a passage is named by its place", () => {
  const block = { ...found, content: [{ type: "text", text: 1 }] };
  expect(() => read(asks([block]))).toThrow(/^messages\[0\]\.content\[0\]\.content\[0\]\.text is 1/);
  expect(() => read(asks([made([{ type: "text" }])]))).toThrow(/content\[0\]\.source\.content\[0\]\.text is missing/);
});

const lost = [{ type: "chart", chart: 1 }];

describe.each(chatFormats.filter(({ name }) => name === "openai-chat" || name === "cohere-chat"))(
  "a turn of which nothing is left, for vendors of $name,",
  (upstream) => {
    const rolesOf = (wire: unknown) => {
      const { messages } = sent(upstream, read(wire)).wire as {
        messages: readonly { role: string; content: unknown }[];
      };
      return messages.map(({ role, content }) => [role, content]);
    };

    it("is left out", () => {
      expect(rolesOf(asks([text("Hi")], [text("Yes?")], lost))).toEqual([
        ["user", "Hi"],
        ["assistant", "Yes?"],
      ]);
    });

    it("stays where it is the only one", () => {
      expect(rolesOf(asks(lost))).toEqual([["user", ""]]);
      expect(rolesOf({ ...asks(lost), system: "Be brief." })).toEqual([
        ["system", "Be brief."],
        ["user", ""],
      ]);
    });
  },
);
