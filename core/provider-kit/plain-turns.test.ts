import { describe, expect, it } from "vitest";
import { plainTurns } from "./plain-turns.ts";

describe("a conversation of nothing but texts", () => {
  it("has its instructions apart, a line for each message of them", () => {
    const messages = [
      { role: "system", content: "Be brief." },
      { role: "user", content: "Hello" },
      { role: "developer", content: [{ type: "text", text: "Be " }, { text: "kind." }] },
      { role: "assistant", content: "Hi" },
    ];
    expect(plainTurns(messages)).toEqual({
      system: "Be brief.\nBe kind.",
      turns: [
        { role: "user", text: "Hello" },
        { role: "assistant", text: "Hi" },
      ],
    });
  });

  it("loses what is no text, and says so", () => {
    const lost: string[] = [];
    const content = [null, { type: "image_url", image_url: {} }, { type: "text", text: "What is it?" }];
    const { system, turns } = plainTurns(
      [
        { role: "user", content },
        { role: "assistant", content: null },
      ],
      (name) => lost.push(name),
    );
    expect([system, turns]).toEqual([
      undefined,
      [
        { role: "user", text: "What is it?" },
        { role: "assistant", text: "" },
      ],
    ]);
    expect(lost).toEqual(["messages.image_url"]);
  });

  it("is empty where there are no messages", () => {
    expect(plainTurns(undefined)).toEqual({ system: undefined, turns: [] });
  });
});
