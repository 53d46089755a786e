import { describe, expect, it } from "vitest";
import { type FrameSays, isDone, readEnds } from "./stream-end.ts";

/** Frames that say it in so many words. */
const ended = (...frames: readonly (FrameSays | string)[]) =>
  readEnds(
    frames.map((frame) => ({ data: typeof frame === "string" ? frame : JSON.stringify(frame) })),
    (frame, event) => ({ ...(frame as FrameSays), ...(isDone(event) && { terminated: true }) }),
  );
const going = (choice: number): FrameSays => ({ choices: [[choice, false]] });
const finish = (choice: number): FrameSays => ({ choices: [[choice, true]] });

describe("the end of a stream", () => {
  it.each<[string, readonly (FrameSays | string)[], boolean, boolean]>([
    ["nothing", [], false, false],
    ["a finish reason", [going(0), going(0), finish(0)], true, false],
    ["a terminator after it", [going(0), finish(0), " [DONE] "], true, true],
    ["a terminator alone", [going(0), "[DONE]"], false, true],
    ["one of two choices", [going(0), going(1), finish(0)], false, false],
    ["one of two choices, and a terminator", [going(0), going(1), finish(0), "[DONE]"], true, true],
    ["frames nobody can read", [going(0), "{", finish(0), "[1]"], true, false],
  ])("is told by %s", (_, frames, finished, terminated) => {
    expect(ended(...frames)).toEqual({ finished, terminated, failed: false });
  });

  it("is none when the vendor failed", () => {
    expect(ended(finish(0), { failed: true })).toEqual({ finished: false, terminated: false, failed: true });
  });

  it("has the last counts of every bucket", () => {
    const usage = (inputTokens: number, more = {}): FrameSays => ({ usage: { inputTokens, ...more } });
    expect(ended(usage(1, { outputTokens: 1 }), usage(2))).toMatchObject({
      usage: { inputTokens: 2, outputTokens: 1 },
    });
  });
});
