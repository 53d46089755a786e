import { describe, expect, it } from "vitest";
import type { ChatRequest, CheckInput, Message } from "../../../core/index.ts";
import { withSpans } from "../../../core/index.ts";
import { conversationAs, conversationOf } from "./conversation.ts";
import { spoken } from "./parts.ts";

const text = (text: string) => ({ type: "text" as const, text });
const image = { type: "image" as const, source: { kind: "url" as const, url: "https://p.example/1.png" } };
const chatWith = (...texts: [string, string, string, string]): ChatRequest => {
  const messages: Message[] = [
    { role: "system", content: [text(texts[0])] },
    { role: "user", content: [text(texts[1]), image, text(""), text(texts[2])] },
    { role: "assistant", content: [{ type: "tool-call", id: "t", name: "f", arguments: "{}" }] },
    { role: "tool", content: [{ type: "tool-result", toolCallId: "t", content: [text(texts[3]), image] }] },
  ];
  return { model: "m", stream: false, messages };
};
const chat = chatWith("a", "b", "c", "d");

const inputOf = (target: CheckInput["target"], texts: readonly string[], body?: ChatRequest): CheckInput => ({
  text: texts.join("\n"),
  texts,
  target,
  ...(body && { subject: { request: { body, text: "asked" } } as unknown as NonNullable<CheckInput["subject"]> }),
});

describe("a conversation", () => {
  it("is every text that says something, in order, and the answer's behind those of the request", () => {
    const asked = [
      { role: "system", content: "a" },
      { role: "user", content: "b" },
      { role: "user", content: "c" },
      { role: "tool", content: "d" },
    ];
    expect(conversationOf(inputOf("request", ["d"], chat))).toEqual(asked);
    expect(conversationOf(inputOf("response", ["e", "", "f"], chat))).toEqual([
      ...asked,
      { role: "assistant", content: "e" },
      { role: "assistant", content: "f" },
    ]);
    expect(conversationOf(inputOf("request", ["x", "", "y"]))).toEqual([
      { role: "user", content: "x" },
      { role: "user", content: "y" },
    ]);
  });

  it("is put back text by text, and not at all where nothing changed", () => {
    const request = inputOf("request", ["d"], chat);
    expect(conversationAs(request, ["a", "B", null, "D"])).toEqual({ body: chatWith("a", "B", "c", "D") });
    expect(conversationAs(request, ["a", "b", "c", "d"])).toEqual({});
    const response = inputOf("response", ["e", "", "f"], chat);
    expect(conversationAs(response, ["A", "B", "C", "D", "e", "F"])).toEqual({ texts: [null, null, "F"] });
    expect(conversationAs(response, ["A", "B", "C", "D", "e", "f"])).toEqual({});
    expect(conversationAs(inputOf("request", ["x", "", "y"]), ["X", "y"])).toEqual({ texts: ["X", null, null] });
  });
});

it("has documents of text and refusals in a conversation, and puts them back", () => {
  const chatSaying = (refusal: string, document: string): ChatRequest => ({
    model: "m",
    stream: false,
    messages: [
      { role: "user", content: [text("a")] },
      { role: "assistant", content: [{ type: "refusal", text: refusal }] },
      {
        role: "user",
        content: [{ type: "document", source: { kind: "text", text: document, mediaType: "text/plain" } }, text("d")],
      },
    ],
  });
  const input = inputOf("request", ["c", "d"], chatSaying("b", "c"));
  expect(conversationOf(input).map(({ content }) => content)).toEqual(["a", "b", "c", "d"]);
  expect(conversationAs(input, ["a", "B", "C", "d"])).toEqual({ body: chatSaying("B", "C") });
});

it("puts what a service made of the texts it was sent back in their places", () => {
  const { sent, back } = spoken(["", "a", "", "b"]);
  expect(sent).toEqual(["a", "b"]);
  expect(back(["a", "B"])).toEqual([null, null, null, "B"]);
});

it.each<[[number, number][], string]>([
  [[], "0123456789"],
  [[[2, 4]], "01#456789"],
  [
    [
      [8, 10],
      [0, 2],
    ],
    "#234567#",
  ],
  [
    [
      [2, 6],
      [3, 4],
      [5, 8],
    ],
    "01#89",
  ],
  [
    [
      [2, 4],
      [4, 5],
    ],
    "01##56789",
  ],
  [[[7, 99]], "0123456#"],
])("replaces %j, each once", (spans, expected) => {
  expect(
    withSpans(
      "0123456789",
      spans.map(([start, end]) => ({ start, end, token: "#" })),
    ),
  ).toBe(expected);
});
