import { afterAll, describe, expect, it } from "vitest";
import { textsOf } from "./texts.ts";
import { TokenCounter } from "./token-counter.ts";

const counter = new TokenCounter();
afterAll(() => counter.close());

describe("tokens", () => {
  it("are counted in a thread, text by text", async () => {
    expect(await counter.count([["Hello world", "Hello"], [], [""]])).toEqual([3, 0, 0]);
  });

  it("of what looks like a special one are those of its text", async () => {
    expect((await counter.count([["<|endoftext|>"]]))?.[0]).toBeGreaterThan(1);
  });

  it("of one long run are counted in pieces, soon, and beside the event loop", async () => {
    let turns = 0;
    let counting = true;
    const turn = () => {
      turns++;
      if (counting) setImmediate(turn);
    };
    setImmediate(turn);
    const [letters, spaces] = (await counter.count([["a".repeat(100_000)], [" ".repeat(100_000)]])) ?? [];
    counting = false;
    expect(letters).toBeGreaterThan(10_000);
    expect(spaces).toBeGreaterThan(100);
    expect(turns).toBeGreaterThan(5);
  });

  it("are not counted where too much waits already", async () => {
    expect(await counter.count([["x".repeat(33 * 1024 * 1024)]])).toBeUndefined();
  });
});

const said = (...content: object[]) => ({ choices: [{ index: 0, content, finishReason: "stop" }] });
const asked = (...content: object[]) => ({ messages: [{ role: "user", content }] });
const text = (value: string) => ({ type: "text", text: value });

describe("the texts of a call", () => {
  it.each<[string, Parameters<typeof textsOf>, object | undefined]>([
    [
      "are those of its messages, tools and answers",
      [
        "chat",
        {
          messages: [
            { role: "user", content: [text("a")] },
            { role: "assistant", content: [{ type: "tool-call", id: "1", name: "f", arguments: "{}" }] },
            { role: "tool", content: [{ type: "tool-result", toolCallId: "1", content: [text("b")] }] },
          ],
          tools: [{ type: "function", name: "f" }],
        },
        said({ type: "thinking", text: "t" }, text("c")),
      ],
      { input: ["a", "f {}", "b", '{"type":"function","name":"f"}'], around: 12, output: ["c"], reasoning: ["t"] },
    ],
    ["are not known with an image", ["chat", asked({ type: "image", source: {} }), said(text("c"))], undefined],
    ["are not known without the answer", ["chat", asked(text("a")), undefined], undefined],
    [
      "are those of a prompt",
      ["complete", { prompt: ["a", "b"] }, { choices: [{ text: "c" }] }],
      { input: ["a", "b"], around: 0, output: ["c"], reasoning: [] },
    ],
    ["are not known of token ids", ["complete", { prompt: [1, 2] }, { choices: [] }], undefined],
    [
      "are all there is to embed",
      ["embed", { input: ["a"] }, undefined],
      { input: ["a"], around: 0, output: [], reasoning: [] },
    ],
    ["are not what an image costs", ["image", { prompt: "a" }, {}], undefined],
  ])("%s", (_, given, texts) => {
    expect(textsOf(...given)).toEqual(texts);
  });
});
