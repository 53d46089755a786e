import { describe, expect, it } from "vitest";
import type { StreamChunk } from "../../model/stream.ts";
import { TextFrames } from "./text-frames.ts";

const frame = (text: string, more = "") => ({
  data: `{"id":"a","delta":{"text":${JSON.stringify(text)}${more}},"n":null}`,
});
const textOf = ({ delta }: Readonly<Record<string, unknown>>) => (delta as { text?: unknown } | undefined)?.text;

const says = (text: string): StreamChunk[] => [{ type: "text-delta", choice: 1, part: 2, text }];

function learnt(text: string, event = frame(text)): TextFrames {
  const frames = new TextFrames(textOf);
  frames.learn(event, says(text));
  return frames;
}

describe("frames that differ in their text only", () => {
  it.each(["b", " and more", "日本 🍵", "'<&>", " "])("are known by it: %j", (text) => {
    expect(learnt("a text").decoded(frame(text))).toEqual(says(text));
  });

  it.each([
    ["no text", frame("")],
    ["a quote", frame('a"b')],
    ["a line break", frame("a\nb")],
    ["a backslash", frame("a\\b")],
    ["what is written as something else", { data: '{"id":"a","delta":{"text":"\\u0061"},"n":null}' }],
    ["what JSON does not allow", { data: '{"id":"a","delta":{"text":"a\u0001b"},"n":null}' }],
    ["another field", frame("b", ',"cited":true')],
    ["another text that ends the frame early", { data: '{"id":"a","delta":{"text":"x"},"y":{"text":"b"},"n":null}' }],
    ["another beginning", { data: frame("b").data.replace('"a"', '"b"') }],
    ["another event", { ...frame("b"), event: "other" }],
    ["less than what is the same", { data: '{"id":"a","delta":{"text":"},"n":null}' }],
  ])("are parsed where there is %s", (_, event) => {
    expect(learnt("a text").decoded(event)).toBeUndefined();
  });

  it("are told by the place that the text is read from, wherever else it stands", () => {
    const twice = (text: string, other = "a") => ({
      data: `{"text":"${other}","delta":{"text":"${text}"},"a":"${other}"}`,
    });
    const frames = learnt("a", twice("a"));
    expect(frames.decoded(twice("b"))).toEqual(says("b"));
    expect(frames.decoded(twice("a", "b"))).toBeUndefined();
  });

  it("are none where the text cannot be found as it is written", () => {
    expect(
      learnt("a", { data: '{"x":"a","delta":{"text":"\\u0061"}}' }).decoded({
        data: '{"x":"b","delta":{"text":"\\u0061"}}',
      }),
    ).toBeUndefined();
  });

  it("are not looked for any more where none is like the one before", () => {
    const frames = new TextFrames(textOf);
    const padded = (text: string, at: number) => ({ data: `{"delta":{"text":"${text}"},"pad":${at}}` });
    for (let at = 0; at < 20; at++) {
      expect(frames.decoded(padded("a", at))).toBeUndefined();
      frames.learn(padded("a", at), says("a"));
    }
    expect(frames.decoded(padded("b", 19))).toBeUndefined();
  });

  it("cost no more than a few attempts to learn, whatever is in a frame", () => {
    let reads = 0;
    const frames = new TextFrames((value) => {
      reads++;
      return textOf(value);
    });
    const crowd = (others: number) => ({ data: `{"o":[${'"a",'.repeat(others)}"a"],"delta":{"text":"a"}}` });
    frames.learn(crowd(500), says("a"));
    expect(reads).toBe(4);
    expect(frames.decoded(crowd(500))).toBeUndefined();
    frames.learn(crowd(5_000), says("a"));
    expect(reads).toBe(4);
  });

  it("are forgotten when told so", () => {
    const frames = learnt("a");
    frames.forget();
    expect(frames.decoded(frame("b"))).toBeUndefined();
    frames.learn(frame("b"), says("b"));
    expect(frames.decoded(frame("c"))).toEqual(says("c"));
  });
});
