import { expect, it } from "vitest";
import type { ChatRequest } from "../../model/chat.ts";
import { inClientNames, plainNames, withAcceptedNames, withClientNames } from "./tool-names.ts";

const plain = plainNames(16);
const startsWithLetter = { allowed: /^[A-Za-z_][\w-]{0,15}$/, others: /[^\w-]/g, longest: 16 };

const asking = (names: readonly string[], more: Partial<ChatRequest> = {}): ChatRequest => ({
  model: "m",
  messages: [{ role: "user", content: [{ type: "text", text: "Hi" }] }],
  stream: false,
  tools: names.map((name) => ({ type: "function", name })),
  ...more,
});
const toldOf = (request: ChatRequest, rule = plain) =>
  (withAcceptedNames(request, rule)?.request ?? request).tools?.map((tool) => ("name" in tool ? tool.name : ""));

it.each<[string, string[], string[]]>([
  ["names that are taken stay", ["a-b_C1", "x"], ["a-b_C1", "x"]],
  ["others are like them", ["a.b:c-d", "ü"], ["a_b_c-d", "_"]],
  ["none is like another one", ["a.b", "a_b", "a:b"], ["a_b", "a_b", "a_b"]],
  ["long ones are cut", ["n".repeat(17), `${"n".repeat(16)}m`], ["n".repeat(7), "n".repeat(7)]],
  ["a name of nothing is the vendor's to judge", [""], [""]],
])("%s", (_, names, begun) => {
  const told = toldOf(asking(names)) ?? [];
  expect(new Set(told).size).toBe(names.length);
  for (const [at, name] of told.entries()) {
    expect(name).toMatch(new RegExp(`^${begun[at]}(?:_[0-9a-f]{8})?$`));
    expect(name.length).toBeLessThanOrEqual(16);
  }
});

it("begins as the vendor wants", () => {
  expect(toldOf(asking(["1.a", "b"]), startsWithLetter)).toEqual(["_1_a", "b"]);
});

it("leaves a request alone in which there is nothing to change", () => {
  expect(withAcceptedNames(asking(["a"]), plain)).toBeUndefined();
  expect(withAcceptedNames(asking([], { tools: [{ type: "native", format: "x", value: {} }] }), plain)).toBeUndefined();
});

it("renames calls of the history and the choice likewise, and back again in the answer", () => {
  const call = { type: "tool-call", id: "1", arguments: "{}" } as const;
  const { request, clientNames } =
    withAcceptedNames(
      asking(["a.b"], {
        messages: [
          {
            role: "assistant",
            content: [
              { type: "text", text: "a.b" },
              { ...call, name: "a.b" },
              { ...call, name: "gone:x" },
            ],
          },
        ],
        toolChoice: { type: "among", required: true, names: ["a.b"] },
      }),
      plain,
    ) ?? expect.fail();
  expect(request.messages[0]?.content).toEqual([
    { type: "text", text: "a.b" },
    { ...call, name: "a_b" },
    { ...call, name: "gone_x" },
  ]);
  expect(request.toolChoice).toEqual({ type: "among", required: true, names: ["a_b"] });
  const response = {
    choices: [
      {
        index: 0,
        content: [
          { ...call, name: "a_b" },
          { ...call, name: "new" },
        ],
        finishReason: "tool-calls",
      },
    ],
  } as const;
  expect(withClientNames(response, clientNames).choices[0]?.content).toEqual([
    { ...call, name: "a.b" },
    { ...call, name: "new" },
  ]);
  const start = { type: "tool-call-start", choice: 0, part: 0, id: "1", name: "a_b" } as const;
  expect(inClientNames(start, clientNames)).toEqual({ ...start, name: "a.b" });
  const text = { type: "text-delta", choice: 0, part: 0, text: "a_b" } as const;
  expect(inClientNames(text, clientNames)).toBe(text);
  expect(
    withAcceptedNames(asking(["a.b"], { toolChoice: { type: "tool", name: "a.b" } }), plain)?.request.toolChoice,
  ).toEqual({
    type: "tool",
    name: "a_b",
  });
});
